from fractions import Fraction

import pytest
from scipy.stats import chi2

from brickphys.calibration.live import LiveChance
from brickphys.errors import BrokenGameError, InterruptedRunError, InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.odds.roll import Roll
from brickphys.rules.events import Draw, Measurement, Shot
from brickphys.rules.rolls import BrickRoll, DiceCount, DiceRoll, OpposedRoll
from brickphys.rules.sources import LawSource, MixedSource, RollSource, ScriptSource, TypedSource
from tests.rules.keys import keys

LAW = BinomialLaw(Fraction(1, 4))


def typed(*lines):
    shown = []
    return TypedSource(keys(*lines), shown.append), shown


def test_an_opposed_roll_is_two_rolls_where_bricks_are_thrown():
    def throw(bricks, address):
        asked.append((bricks, address))
        return Roll(bricks, bricks)

    asked = []
    assert RollSource(throw).answer(OpposedRoll(3, 2, "sword"), (4,)) == (3, 2)
    assert RollSource(throw).answer(BrickRoll(5), (7, 1)) == 5
    assert asked == [(3, (4, 0)), (2, (4, 1)), (5, (7, 1))]


@pytest.mark.parametrize(
    "event",
    [
        BrickRoll(4),
        DiceRoll(2),
        DiceCount.of(3, hits=2, misses=4),
        OpposedRoll(3, 2),
        Draw.of({"a": 1, "b": 5}),
    ],
    ids=lambda event: type(event).__name__,
)
def test_outcomes_follow_the_law(event):
    # Chi-square over 1500 outcomes; false alarms: 1 in 1000 each, for the fixed seed once and for all.
    source, law = LawSource(LAW, 41), event.law(LAW)
    outcomes = [source.answer(event, (0, i)) for i in range(1500)]
    distance = sum(
        (outcomes.count(k) - 1500 * float(p)) ** 2 / (1500 * float(p)) for k, p in law.items()
    )
    assert distance < chi2.ppf(0.999, len(law) - 1)


def test_an_address_always_gives_the_same_outcome():
    first, again = LawSource(LAW, 3), LawSource(LAW, 3)
    forward = [first.answer(DiceRoll(3), (i,)) for i in range(30)]
    assert [again.answer(DiceRoll(3), (i,)) for i in reversed(range(30))] == forward[::-1]
    assert len(set(forward)) > 5


def test_neighbouring_addresses_and_other_roots_give_other_outcomes():
    def rolls(root, cell):
        return tuple(LawSource(LAW, root).answer(BrickRoll(12), (cell, i)) for i in range(12))

    assert len({rolls(1, cell) for cell in range(5)} | {rolls(2, 0)}) == 6


@pytest.mark.parametrize("root", [-1, 2**53])
def test_roots_out_of_range_are_refused(root):
    with pytest.raises(InvalidValueError, match="seed"):
        LawSource(LAW, root)


def test_negative_addresses_are_refused():
    with pytest.raises(InvalidValueError, match=r"address \(3, -1\)"):
        LawSource(LAW, 1).answer(BrickRoll(2), (3, -1))


def test_a_script_answers_every_kind_in_order_and_names_the_wrong_line():
    script = ScriptSource(["2", "ace", "1.5", "7"])
    assert script.answer(BrickRoll(3), ()) == 2
    assert script.answer(Draw.uniform("ace", "king"), ()) == "ace"
    assert script.answer(Measurement((("x_studs", 0, 2),)), ()) == (1.5,)
    for _ in range(2):  # a refused line is not used up
        with pytest.raises(InvalidValueError, match="script, position 4: '7' is not an answer"):
            script.answer(BrickRoll(3), ())
    assert script.left == 1
    with pytest.raises(InvalidValueError, match="the script ends after 0 outcomes"):
        ScriptSource([]).answer(BrickRoll(3), ())


def test_a_person_is_asked_until_the_answer_fits():
    source, shown = typed("7", "many", "  3   1 ")
    assert source.answer(OpposedRoll(3, 2, "sword"), ()) == (3, 1)
    assert (
        shown.count(
            "3 bricks against 2 (sword): how many on a side in the attack, how many in the defence?"
        )
        == 3
    )
    assert shown[1].startswith("'7' is not an answer")


@pytest.mark.parametrize("nonsense", ["", "two", "6", "-1", "1.0", "1_0", "٣", "9" * 5000])
def test_a_person_is_asked_again_after_nonsense(nonsense):
    source, shown = typed(nonsense, "5")
    assert source.answer(BrickRoll(5), (0,)) == 5
    assert "Type a number from 0 to 5; or help, undo, save, quit." in shown[1]
    assert len(shown) == 3


def test_a_person_is_not_shown_the_names_of_a_secret_draw():
    source, shown = typed("help", "queen", "king")
    draw = Draw.uniform("ace", "king", reason="card for red", secret=True)
    assert source.answer(draw, ()) == "king"
    question = "one of 2 names, not listed here (card for red): which?"
    assert shown[0] == f"{question} Type the name that you drew."
    assert not any("ace" in line for line in shown)


def test_a_person_who_leaves_ends_the_game():
    source, _ = typed("9")
    with pytest.raises(InterruptedRunError, match="the input ended at the question: 2 bricks"):
        source.answer(BrickRoll(2), ())


def test_no_bricks_need_no_question():
    source, shown = typed()
    assert source.answer(BrickRoll(0, "hopeless"), ()) == 0
    assert shown == []


def test_each_kind_of_event_has_its_own_source():
    person, shown = typed("4")
    source = MixedSource(LawSource(LAW, 2), {DiceRoll: person, BrickRoll: ScriptSource(["3"])})
    assert source.answer(BrickRoll(3), (0,)) == 3
    assert source.answer(DiceRoll(), (1,)) == (4,)
    assert source.answer(Draw.uniform("a"), (2,)) == "a"
    assert len(shown) == 1


def test_a_shot_may_have_a_source_of_its_own():
    class Range:
        def answer(self, event, address):
            return "hit" if event.situation == ("bow", 24) else "miss"

    source = MixedSource(LawSource(LAW, 2), {Shot: Range()})
    shots = [Shot.of({"hit": 1, "miss": 9}, situation=("bow", inches)) for inches in (24, 48)]
    assert [source.answer(shot, (0,)) for shot in shots] == ["hit", "miss"]
    assert source.answer(Draw.of({"miss": 1}), (0,)) == "miss"


def test_a_source_of_rolls_answers_no_dice():
    with pytest.raises(InvalidValueError, match="cannot answer: 1 die"):
        RollSource(LiveChance(1).roll).answer(DiceRoll(), ())


def test_a_law_that_does_not_sum_to_one_is_not_sampled():
    class Loaded(BrickRoll):
        def law(self, brick_law):
            return {0: Fraction(1, 2)}

    with pytest.raises(BrokenGameError, match="sums to 1/2, not to 1"):
        LawSource(LAW, 1).answer(Loaded(1), (0,))
