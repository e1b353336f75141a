from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from duel_game import Duel
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from brickphys.rules.events.events import BrickRoll, DiceRoll, Draw, Measured, OpposedRoll

LAW = BinomialLaw(Fraction(3, 10))
PLACE = Measured((("x_studs", 0.0, 48.0), ("heading_deg", -180.0, 180.0)), "the crash")

exact_events = st.one_of(
    st.builds(BrickRoll, st.integers(0, 12)),
    st.builds(OpposedRoll, st.integers(0, 6), st.integers(0, 6)),
    st.builds(DiceRoll, st.integers(1, 4), st.integers(2, 6)),
    st.dictionaries(
        st.sampled_from(["ace", "two of cups", "♠", "fool"]), st.integers(1, 9), min_size=1
    ).map(Draw.of),
)


@given(exact_events)
def test_a_law_sums_to_one_and_its_outcomes_are_possible_and_read_back(event):
    law = event.law(LAW)
    assert sum(law.values()) == 1
    assert all(p > 0 for p in law.values())
    assert event.exact
    for outcome in law:
        assert event.problems(outcome) == []
        assert event.parse(event.format(outcome)) == outcome


@given(exact_events, st.text(max_size=6))
def test_what_is_read_is_possible_and_all_else_is_refused_in_one_line(event, text):
    possible = {event.format(outcome) for outcome in event.law(LAW)}
    if text in possible:
        assert event.parse(text) in event.law(LAW)
        return
    try:
        assert event.parse(text) in event.law(LAW)  # dice in another order
    except InvalidValueError as error:
        refusal = str(error)
        assert repr(text) in refusal
        assert "\n" not in refusal


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 6), (3, 6), (3, 4)])
def test_dice_follow_the_count_of_all_their_orders(dice, sides):
    counted = Counter(tuple(sorted(faces)) for faces in product(range(1, sides + 1), repeat=dice))
    law = DiceRoll(dice, sides).law(LAW)
    assert law == {faces: Fraction(count, sides**dice) for faces, count in counted.items()}


@given(st.integers(0, 8), st.integers(0, 8))
def test_an_opposed_roll_agrees_with_the_odds(attack, defence):
    law = OpposedRoll(attack, defence).law(LAW)
    won = sum((p for (a, d), p in law.items() if a > d), Fraction(0))
    assert won == opposed(attack, defence, LAW).success


def test_a_draw_goes_by_what_is_left():
    deck = {"ace": 3, "king": 1, "queen": 0}
    assert Draw.of(deck).law(LAW) == {"ace": Fraction(3, 4), "king": Fraction(1, 4)}
    assert Draw.uniform("left", "right").law(LAW)["left"] == Fraction(1, 2)


def test_dice_may_be_typed_in_any_order():
    assert DiceRoll(3).parse("6 1 3") == (1, 3, 6)


@given(st.floats(0, 48), st.floats(-180, 180))
def test_measured_numbers_read_back_to_the_last_bit(x, heading):
    assert PLACE.problems((x, heading)) == []
    assert PLACE.parse(PLACE.format((x, heading))) == (x, heading)


def test_what_is_measured_has_no_law():
    assert not PLACE.exact
    with pytest.raises(
        InvalidValueError,
        match=r"x_studs, heading_deg \(the crash\): measured, there is no exact law",
    ):
        PLACE.law(LAW)


@pytest.mark.parametrize("text", ["", "1", "1 2 3", "49 0", "nan 0", "inf 0", "1  2", "x y"])
def test_numbers_beyond_their_limits_are_refused(text):
    with pytest.raises(InvalidValueError, match="is no answer to"):
        PLACE.parse(text)


def test_every_problem_of_an_outcome_is_named():
    assert len(OpposedRoll(2, 1).problems((3, 2))) == 2
    assert len(PLACE.problems((-1.0, 999.0))) == 2
    assert BrickRoll(2).problems(True) == ["True is no score of 2 bricks"]
    assert DiceRoll(2).problems((6, 1)) == ["(6, 1) does not ascend"]
    assert DiceRoll(2).problems((1, 7)) == ["7 is no face of a die with 6"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: BrickRoll(61), "bricks: 61"),
        (lambda: OpposedRoll(1, -1), "defence: -1"),
        (lambda: DiceRoll(0), "dice: 0"),
        (lambda: DiceRoll(1, 1), "sides: 1"),
        (lambda: DiceRoll(20, 20), "20 dice with 20 faces show more than 100000 things"),
        (lambda: Draw(()), "at least one"),
        (lambda: Draw.uniform("a", "a"), "only once"),
        (lambda: Draw.uniform(" a"), "' a'"),
        (lambda: Draw.uniform("a\nb"), "printable"),
        (lambda: Draw((("a", 0),)), "weight of 'a': 0"),
    ],
)
def test_impossible_events_are_refused(make, words):
    with pytest.raises(InvalidValueError, match=words):
        make()


def test_what_an_event_is_for_does_not_tell_it_apart():
    assert BrickRoll(3, "attack") == BrickRoll(3, "defence")
    assert "attack" in BrickRoll(3, "attack").question
    state = Duel().parse_state("2 2 2 2 1 1 0 0 0 3 lunge")
    assert Duel().chance(state).question.startswith("3 bricks against 1 (lunge)")
