"""Lessons: each is played by what it asks for, with any dice; its sections are those that its game cites."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import brickphys
from brickphys.battles.lesson import Lesson, LessonPage, fits, lesson, lesson_of, lesson_start
from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.errors import InvalidValueError
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.registry import game
from tests.command_line import assert_refused, run

IDEAS = {
    "bow": {"attack * gun", "walk *", "advance", "board jeep driver"},
    "pirate_wars": {"turn *", "fire swift gun0 ball scorpion", "board falcon scorpion"},
    "minifig": {"shoot *", "go * - *rear of *", "reload *"},
    "blade_and_bow": {"no_card", "aim *", "all", "attack *"},
}
"""The main ideas of each book, as expected actions."""
NAMES = tuple(IDEAS)


def begun(taught: Lesson, seed: int) -> OngoingGame:
    start = replace(taught.start, root=seed)
    return OngoingGame(taught.game, start, start.players, find_law(DEFAULT), DEFAULT)


def page(taught: Lesson, table: OngoingGame) -> LessonPage | None:
    record = table.record
    return taught.page(table.state, list(zip(record.states, record.steps, strict=False)))


def asked(taught: Lesson, seed: int) -> set[str]:
    """Play a lesson by its expected actions; return the headings of its pages, up to its end or that of the game."""
    table, headings = begun(taught, seed), list[str]()
    for _ in range(500):
        if table.waits is Waits.PROGRAM:
            table.go_on()
            continue
        if table.waits is Waits.END or (told := page(taught, table)) is None:
            break
        headings.append(told.heading)
        if told.heading == "The lesson is over":
            break
        legal = taught.legal(table.state)
        texts = [text for text in legal if not told.parts or fits(text, told.parts[0])]
        assert not taught.game.problems(table.state, legal[texts[0]])
        table.choose(legal[texts[0]])
    return set(headings)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [1, 2, 1001])
def test_every_step_is_asked_whatever_the_dice(name, seed):
    taught = lesson(game(name))
    headings = asked(taught, seed)
    for number, step in enumerate(taught.steps, start=1):
        heading = (
            f"Lesson, step {number} of {len(taught.steps)} ({taught.told['book']} {step.section})"
        )
        assert step.optional or heading in headings
    if seed == taught.start.root:
        assert "The lesson is over" in headings


@pytest.mark.parametrize("name", NAMES)
def test_the_sections_of_a_lesson_are_cited_by_its_game(name):
    taught = lesson(game(name))
    folder = Path(brickphys.__file__).parent / name
    text = "\n".join(file.read_text() for file in folder.rglob("*.py"))
    for step in taught.steps:
        assert re.search(rf"\b{taught.told['book']} {re.escape(step.section)}\b", text), (
            step.section
        )


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_shows_the_main_ideas_and_hints(name):
    taught = lesson(game(name))
    last = {part for one in taught.steps for each in one.actions for part in each}
    assert IDEAS[name] <= last
    assert any("hint" in step.text for step in taught.steps)


def test_something_else_is_told_kindly_and_can_be_taken_back():
    taught = lesson(game("bow"))
    table = begun(taught, taught.start.root)
    while table.waits is Waits.PROGRAM:
        table.go_on()
    first = page(taught, table)
    table.choose(table.asked.typed.action("unit red_trooper"))
    told = page(taught, table)
    assert told.lines[0].startswith("You chose unit red trooper, which is legal, too")
    assert "undo takes it back" in told.lines[0]
    assert "First answer as you like" in told.lines[1]
    table.undo()
    assert page(taught, table) == first


def test_a_lesson_is_known_by_its_start():
    taught = lesson(game("minifig"))
    assert lesson_of(taught.game, taught.start) == taught
    assert lesson_of(taught.game, replace(taught.start, root=5)) is None
    assert lesson_of(taught.game, replace(taught.start, players="person,hard")) is None
    with pytest.raises(InvalidValueError, match="campaign has no lesson; there are those of b"):
        lesson_start(game("campaign"))


def test_the_lesson_speaks_at_the_keyboard_and_in_a_game_that_goes_on(tmp_path):
    saved = tmp_path / "saved.jsonl"
    typed = f"odds\nred driver\nsave {saved}\nquit\n"
    told = run("play", "bow", "--lesson", typed=typed).stdout
    assert told.count("Lesson, step 1 of 11 (BOW 2.2)") == 2
    assert told.count("Choose the driver for this turn") == 1
    again = run("play", "--resume", saved, typed="quit\n").stdout
    assert "Lesson, step 2 of 11 (BOW 3.1)" in again


def test_a_lesson_is_given_nothing_that_it_has():
    refused = run("play", "bow", "duel", "--lesson", "--seed", "3", fails=2)
    assert_refused(refused, "leave out SCENARIO, --resume")
