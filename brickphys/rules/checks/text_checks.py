"""Text checks: checks that everything a game shows is text for every player, and within its limits."""

from collections.abc import Iterator
from typing import Any

from brickphys.rules.checks.position import Check, Finding, Position
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE, Record


def view_check(position: Position) -> Iterator[Finding]:
    """Every view is a text of several lines for people, and one line within the bound for programs."""
    game = position.game
    most = game.most_text(position.initial)
    for player, view in enumerate(position.views):
        line, lines = game.format_view(view), game.describe(view)
        if not _is_line(line):
            yield Finding("the text of a view is not one line", f"for player {player}: {line!r}")
        elif len(line.encode()) > most:
            case = f"{len(line.encode())} bytes for player {player}, most_text is {most}"
            yield Finding("the text of a view is longer than its bound", case)
        if not isinstance(lines, str) or not lines:
            yield Finding("describe does not return text", f"for player {player}: {lines!r}")


def bound_check(position: Position) -> Iterator[Finding]:
    """No more actions are listed than the game says there can be."""
    count = len(position.game.actions(position.state))
    if count > (most := position.game.most_actions(position.initial)):
        yield Finding("more actions than their bound", f"{count} actions, most_actions is {most}")


def question_check(position: Position) -> Iterator[Finding]:
    """Questions to chance are one line, for the table and for each player."""
    game, state = position.game, position.state
    if position.actor != CHANCE:
        return
    event = game.chance(state)
    asked = [game.question(state, viewer) for viewer in (None, *range(game.players(state)))]
    for line in (event.question, event.wanted, event.help, *asked):
        if not _is_line(line) or not line:
            yield Finding("a question is not a line of text", repr(line))


def typing_check(position: Position) -> Iterator[Finding]:
    """Yield listed actions that cannot be typed as they stand in the list, and places that are no numbers."""
    game, state = position.game, position.state
    for action in game.actions(state)[:_TRIED] if position.actor >= 0 else ():
        text, place = game.format_action(action), game.place_of(state, action)
        if text not in game.readings(state, text).meant:
            yield Finding("a listed action is read as another one", repr(text))
        if place is not None and not all(isinstance(side, int | float) for side in place):
            yield Finding("a place is not two numbers", f"{place!r} of {text!r}")


def hints_findings(game: AnyGame) -> Iterator[Finding]:
    """Yield which hint is no line."""
    for line in game.hints():
        if not _is_line(line):
            yield Finding("a hint is not a line of text", repr(line))


def story_findings(game: AnyGame, record: Record[Any, Any]) -> Iterator[Finding]:
    """Yield the stories and news, for any viewer, that are not lines of text."""
    viewers = (None, *range(game.players(record.initial)))
    for viewer in viewers:
        for line in game.story(record, viewer):
            if not _is_line(line):
                yield Finding("a story is not lines of text", f"for {viewer}: {line!r}")
    for before, step in zip(record.states, record.steps, strict=False):
        for viewer in viewers:
            told = game.tell(before, step, viewer)
            if not (isinstance(told, str) and all(told.split("\n") if told else ())):
                yield Finding("tell does not return lines of text", f"for {viewer}: {told!r}")


def _is_line(text: object) -> bool:
    return isinstance(text, str) and "\n" not in text


_TRIED = 3
CHECKS: tuple[Check, ...] = (view_check, bound_check, question_check, typing_check)
