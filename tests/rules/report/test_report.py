"""Stories, status, trajectories and optional parts of games."""

from importlib.metadata import EntryPoint

import pytest

from brickphys.errors import InvalidValueError
from brickphys.rules import registry
from brickphys.rules.record import CHANCE, Ending, Record, Step
from brickphys.rules.report import story
from brickphys.rules.report.sheets import ArmyTotal, Price
from brickphys.rules.report.trajectories import moves
from tests.rules.contest_game import Contest
from tests.rules.duel_game import Duel

PARTS = {
    "trajectories": "cannot draw a game that was played",
    "scenarios": "has no scenarios to show",
    "scenario": "has no scenarios to show",
    "sheets": "has no description sheets",
    "prices": "has no prices of units",
}


def record(*moves, ending=Ending.OVER):
    """A game whose states count its steps; a number chooses that unit."""
    steps = [
        Step(CHANCE if move == "roll" else 0, move, str(move), count)
        for count, move in enumerate(moves, start=1)
    ]
    returns = (1, -1) if ending is Ending.OVER else None
    return Record("g", "1", {}, 0, tuple(steps), ending, returns, ("a", "b"), 1)


def chosen(step):
    return step.move if isinstance(step.move, int) else None


def test_turns_hold_all_steps_and_begin_with_the_choice_of_a_unit():
    found = list(story.split_turns(record("roll", "roll", 4, "walk", 4, 7, "roll"), chosen))
    assert [(turn.unit, turn.before, turn.after) for turn in found] == [
        (None, 0, 2),
        (4, 2, 4),
        (4, 4, 5),
        (7, 5, 7),
    ]
    assert [len(turn.steps) for turn in found] == [2, 2, 1, 2]
    assert list(story.split_turns(record(), chosen)) == []


def test_a_turn_is_a_sentence_and_each_round_has_one_heading():
    texts = [
        story.turn_text("", ["north begins"]),
        story.turn_text("archer", ["walks", "shoots"]),
        story.turn_text("knight", []),
    ]
    assert list(story.under_rounds(zip((0, 1, 1), texts, strict=True))) == [
        "  north begins.",
        "",
        "Round 1",
        "  archer: walks; shoots.",
        "  knight: waits.",
    ]


@pytest.mark.parametrize(
    ("ending", "winners", "told"),
    [
        (Ending.OVER, ["red"], "After 1 round red wins: no enemy is left."),
        (Ending.OVER, ["guards"], "After 1 round guards win: no enemy is left."),
        (Ending.OVER, ["red", "blue"], "After 1 round red and blue win: no enemy is left."),
        (Ending.OVER, [], "After 1 round nobody has won: no enemy is left."),
        (Ending.LIMIT, ["red"], "The battle was broken off in round 1 (limit)."),
    ],
)
def test_the_last_sentence_says_who_has_won(ending, winners, told):
    assert story.ending_text(record(ending=ending), 1, winners, ": no enemy is left") == told


def test_units_have_letters_of_their_own_as_far_as_the_alphabet_goes():
    assert story.letters([0, 1, 0, 2, 1], "A", "@") == ("B", "a", "C", "b", "c")
    many = story.letters([0] * 30, "TX", "@")
    assert many[24:] == ("@",) * 6
    assert len(set(many[:24])) == 24
    assert not {"T", "X"} & set(many)


def test_a_way_leaves_out_stays_and_keeps_the_round_of_each_arrival():
    visits = [(0, (1.0, 1.0)), (1, (1.0, 1.0)), (1, (2.0, 1.0)), (2, (2.0, 1.0)), (2, (1.0, 1.0))]
    assert moves(visits) == ((0, (1.0, 1.0)), (1, (2.0, 1.0)), (2, (1.0, 1.0)))


def test_a_price_is_a_sum_times_its_factors():
    assert Price({"move": 5, "attack": 3}, {"health": 2, "rank": 3}).points == 48


def test_the_document_of_an_army_has_its_counts_by_name():
    total = ArmyTotal("reds", {"ships": 2}, 30, 0.5)
    assert total.document() == {"name": "reds", "ships": 2, "cost_points": 30, "share": 0.5}
    assert ArmyTotal("fleet", {"ships": 2}).document() == {"name": "fleet", "ships": 2}


@pytest.mark.parametrize(("part", "words"), PARTS.items())
def test_a_game_without_a_part_says_which(part, words):
    arguments = {"trajectories": [record()], "scenario": ["x"]}.get(part, [])
    with pytest.raises(InvalidValueError, match=f"^duel {words}$"):
        getattr(Duel(), part)(*arguments)


def test_the_commands_that_show_a_game_end_in_one_line_where_it_lacks_the_part(monkeypatch, capsys):
    from brickphys.cli import main

    entries = [EntryPoint("contest", "tests.rules.contest_game:Contest", registry.GROUP)]
    monkeypatch.setattr(registry, "entry_points", lambda **_: entries)
    monkeypatch.setattr(main, "show_notes", lambda: None)
    for words, fault in (
        (["sheet", "contest"], "contest has no description sheets"),
        (["scenario", "contest"], "contest has no scenarios to show"),
        (["scenario", "contest", "x.toml"], "contest has no scenarios to show"),
        (["play", "contest", next(iter(Contest().setups)), "--plot", "x.png"], "no pictures"),
        (["sheet", "contst"], "unknown game 'contst': did you mean 'contest'?"),
    ):
        monkeypatch.setattr("sys.argv", ["brickphys", *words])
        with pytest.raises(SystemExit) as left:
            main.main()
        printed = capsys.readouterr()
        assert (left.value.code, printed.out, printed.err.count("\n")) == (2, "", 1)
        assert fault in printed.err


def test_the_painter_of_a_game_is_loaded_by_its_name(monkeypatch):
    assert registry.painter(PaintedGame()) == {}
    monkeypatch.setattr(PaintedGame, "pictures", "no_such_package:Painter")
    with pytest.raises(InvalidValueError, match=r"painter of game 'duel' \(no_such_package"):
        registry.painter(PaintedGame())


class PaintedGame(Duel):
    pictures = "builtins:dict"
