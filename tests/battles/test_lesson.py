"""Lessons: each is played by what it asks for, with any dice; its sections are those that its game cites."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import brickphys
from brickphys.battles.lesson import fits, lesson
from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.registry import game
from tests.cases import few
from tests.command_line import assert_refused, run

IDEAS = {
    "bow": {"attack * gun", "walk *", "advance", "board jeep driver"},
    "pirate_wars": {"turn *", "fire swift gun0 ball scorpion", "board falcon scorpion"},
    "minifig": {"shoot *", "go * - *rear of *", "reload *"},
    "blade_and_bow": {"no_card", "aim *", "all", "attack *"},
}  # as expected actions
OVER, FOLDER = "The lesson is over", Path(brickphys.__file__).parent


def pages(taught, seed):
    """Yield the game before each choice, and what the lesson says; then do what it asks, unless the caller acted."""
    start = replace(taught.start, root=seed)
    table = OngoingGame(taught.game, start, start.players, find_law(DEFAULT), DEFAULT)
    while table.waits is not Waits.END:
        if table.waits is Waits.PROGRAM:
            table.go_on()
            continue
        so_far = list(zip(table.record.states, table.record.steps, strict=False))
        page, legal = taught.page(table.state, so_far), taught.legal(table.state)
        yield table, page
        if page.heading == OVER:
            break
        if len(table.session.steps) == len(so_far):
            text = next(one for one in legal if not page.parts or fits(one, page.parts[0]))
            assert taught.game.problems(table.state, legal[text]) == []
            table.choose(legal[text])


@pytest.mark.parametrize("name", IDEAS)
@pytest.mark.parametrize("seed", few([1001, 1, 2], 2))
def test_every_step_is_asked_whatever_the_dice(name, seed):
    taught = lesson(game(name))
    asked = {page.heading for _, page in pages(taught, seed)}
    for number, step in enumerate(taught.steps, start=1):
        heading = f"Lesson, step {number} of {len(taught.steps)} ({taught.told['book']} "
        assert step.optional or f"{heading}{step.section})" in asked
    assert OVER in asked or seed != taught.start.root


@pytest.mark.parametrize("name", IDEAS)
def test_a_lesson_shows_the_main_ideas_of_the_sections_that_its_game_cites(name):
    taught = lesson(game(name))
    assert {part for one in taught.steps for each in one.actions for part in each} >= IDEAS[name]
    assert any("hint" in step.text for step in taught.steps)
    text = "\n".join(file.read_text() for file in (FOLDER / name).rglob("*.py"))
    for step in taught.steps:
        assert re.search(rf"\b{taught.told['book']} {re.escape(step.section)}\b", text)


def test_something_else_is_told_kindly_and_can_be_taken_back():
    told = pages(lesson(game("bow")), 1001)
    table, first = next(told)
    table.choose(table.asked.typed.action("unit red_trooper"))
    _, page = next(told)
    assert page.lines[0].startswith("You chose unit red trooper, which is legal, too (undo takes")
    table.undo()
    assert next(told)[1] == first


def test_the_lesson_speaks_at_the_keyboard_and_in_a_game_that_goes_on(tmp_path):
    saved = tmp_path / "saved.jsonl"
    typed = f"odds\nred driver\nsave {saved}\nquit\n"
    told = run("play", "bow", "--lesson", typed=typed).stdout
    assert told.count("Lesson, step 1 of 11 (BOW 2.2)") == 2
    assert told.count("Choose the driver for this turn") == 1
    again = run("play", "--resume", saved, typed="quit\n").stdout
    assert "Lesson, step 2 of 11 (BOW 3.1)" in again
    for words, says in (
        ("bow duel", "leave out SCENARIO"),
        ("campaign", "there are those of blade"),
    ):
        assert_refused(run("play", *words.split(), "--lesson", fails=2), says)
