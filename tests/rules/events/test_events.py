from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.opposed import opposed
from brickphys.rules.events import Draw, Measured, Measurement, Shot
from brickphys.rules.rolls import BrickRoll, DiceCount, DiceRoll, OpposedRoll
from tests.rules.duel_game import Duel

LAW = BinomialLaw(Fraction(3, 10))
PLACE = Measurement((("x_studs", 0.0, 48.0), ("heading_deg", -180.0, 180.0)), "the crash")

exact_events = st.one_of(
    st.builds(BrickRoll, st.integers(0, 12)),
    st.builds(OpposedRoll, st.integers(0, 6), st.integers(0, 6)),
    st.builds(DiceRoll, st.integers(1, 4), st.integers(2, 6)),
    st.builds(
        DiceCount.of,
        st.integers(1, 5),
        hits=st.integers(1, 3),
        blanks=st.integers(1, 2),
        cancels=st.integers(1, 2),
    ),
    st.dictionaries(st.sampled_from(["miss", "down 3"]), st.integers(1, 9), min_size=1).map(
        Shot.of
    ),
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


@pytest.mark.parametrize("dice", [1, 2, 4, 8])
def test_a_tally_is_the_dice_roll_with_its_faces_counted_by_class(dice):
    """The naive algorithm: every outcome of the dice, counted one by one."""
    classes = {1: 0, 2: 0, 3: 0, 4: 1, 5: 2, 6: 2}
    law = {}
    for faces, chance in DiceRoll(dice).law(LAW).items():
        counts = tuple([classes[face] for face in faces].count(kind) for kind in range(3))
        law[counts] = law.get(counts, 0) + chance
    assert DiceCount.of(dice, hits=3, blanks=1, cancels=2).law(LAW) == law


def test_odds_show_outcomes_in_words():
    assert DiceCount.of(3, hits=2, misses=4).entry((1, 2)) == (0.0, "1 hits, 2 misses")
    assert OpposedRoll(3, 3).entry((3, 1)) == (2, "higher by 2")
    assert [OpposedRoll(3, 3).entry(pair)[1] for pair in ((1, 1), (0, 2))] == ["equal", "lower"]
    assert BrickRoll(3).entry(2)[1] == "2 on a side"
    assert DiceRoll(2).entry((1, 6))[1] == "1 6"


def test_shots_at_different_targets_are_different_events():
    near, far = (Shot.of({"hit": 1}, situation=inches) for inches in (12, 24))
    assert near != far != Draw.of({"hit": 1})
    assert near.question == "a shot: one of hit?"


def test_the_question_of_a_secret_draw_does_not_name_what_can_be_drawn():
    draw = Draw.uniform("ace", "king", "queen", reason="card", secret=True)
    told = (draw.question, draw.wanted, draw.help, *draw.problems("joker"))
    assert not any(name in text for name in ("ace", "king", "queen") for text in told)
    assert "3" in draw.question
    assert draw == Draw.uniform("ace", "king", "queen")


@given(st.integers(0, 8), st.integers(0, 8))
def test_an_opposed_roll_agrees_with_the_odds(attack, defence):
    law = OpposedRoll(attack, defence).law(LAW)
    won = sum((p for (a, d), p in law.items() if a > d), Fraction(0))
    assert won == opposed(attack, defence, LAW).success


def test_points_ahead_count_in_the_words_of_an_opposed_roll_and_not_in_its_outcome():
    roll = OpposedRoll(3, 2, "spy attacks guard", 2)
    assert roll.entry((1, 2)) == (1.0, "higher by 1")
    assert roll.entry((0, 2)) == (0.0, "equal")
    assert roll.law(LAW) == OpposedRoll(3, 2).law(LAW)
    assert "2 points ahead for the attack" in roll.question
    assert "1 point ahead for the defence" in OpposedRoll(3, 2, ahead=-1).question
    assert roll != OpposedRoll(3, 2)


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
        match=r"x_studs, heading_deg \(the crash\): measured; there is no exact law",
    ):
        PLACE.law(LAW)
    with pytest.raises(InvalidValueError, match="measured; there is no exact law"):
        PLACE.expected(LAW)
    assert replace(PLACE, stand_in=(1.0, 2.0)).expected(LAW) == {(1.0, 2.0): 1}
    assert DiceRoll(1).expected(LAW) == DiceRoll(1).law(LAW)


@pytest.mark.parametrize("text", ["", "1", "1 2 3", "49 0", "nan 0", "inf 0", "1  2", "x y"])
def test_numbers_beyond_their_limits_are_refused(text):
    with pytest.raises(InvalidValueError, match=r"needed|outside|only numbers"):
        PLACE.parse(text)


def test_every_problem_of_an_outcome_is_named():
    assert len(OpposedRoll(2, 1).problems((3, 2))) == 2
    assert len(PLACE.problems((-1.0, 999.0))) == 2
    assert BrickRoll(2).problems(True) == ["True is not a score of 2 bricks"]
    assert DiceCount.of(2, hits=1, misses=5).problems((1, 2)) == ["1 2 are not 2 dice"]
    assert len(DiceCount.of(2, hits=1, misses=5).problems((3, -1))) == 2
    assert DiceCount.of(2, hits=1, misses=5).problems((1,)) == [
        "(1,) is not a count of hits, misses"
    ]
    assert DiceRoll(2).problems((6, 1)) == ["(6, 1) is not in ascending order"]
    assert DiceRoll(2).problems((1, 7)) == ["7 is not a face of a die with 6 faces"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: BrickRoll(61), "bricks: 61"),
        (lambda: OpposedRoll(1, -1), "defence: -1"),
        (lambda: DiceRoll(0), "dice: 0"),
        (lambda: DiceRoll(1, 1), "sides: 1"),
        (lambda: DiceRoll(20, 20), "20 dice with 20 faces have more than 100000 results"),
        (lambda: DiceCount.of(3, hits=2), "need at least two classes"),
        (lambda: DiceCount.of(3, hits=2, misses=0), "faces of 'misses': 0"),
        (lambda: DiceCount.of(0, hits=2, misses=4), "dice: 0"),
        (lambda: DiceCount(2, (("a", 1), ("a", 2))), "each named once"),
        (lambda: Draw(()), "at least one"),
        (lambda: Draw.uniform("a", "a"), "each once"),
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


def test_a_note_behind_measured_numbers_is_kept_and_changes_no_outcome():
    noted = PLACE.noted((12.5, 90.0), "jeep delta-v 0.13 m/s")
    assert isinstance(noted, Measured)
    assert noted == (12.5, 90.0)
    assert not PLACE.problems(noted)
    text = PLACE.format(noted)
    assert text == "12.5 90.0 | jeep delta-v 0.13 m/s"
    again = PLACE.parse(text)
    assert (again, again.note) == (noted, noted.note)
    assert PLACE.noted((12.5, 90.0), "") == PLACE.parse("12.5 90.0") == (12.5, 90.0)


@pytest.mark.parametrize("note", [" ", "a\nb", "x" * 1001])
def test_a_note_that_is_no_line_is_refused(note):
    with pytest.raises(InvalidValueError, match="the note"):
        PLACE.parse(f"12.5 90.0 | {note}")
