"""Hidden-information checks: that no player learns what the rules hide, from views, lists, questions or news."""

from collections.abc import Iterator
from typing import Any

from brickphys.rules.checks.position import Check, Finding, Position
from brickphys.rules.game import listed_moves
from brickphys.rules.moves import format_move
from brickphys.rules.record import CHANCE, OVER, Step

_MOST_MOVES = 100
"""In a state with more moves, news are not compared."""


def secrecy_check(position: Position) -> Iterator[Finding]:
    """Two states that differ only in what a player may not know look the same and allow the player the same."""
    game, state = position.game, position.state
    for player in range(game.players(state)):
        other = game.alternative(state, player, position.rng)
        if game.observe(other, player) != game.observe(state, player):
            case = f"player {player} sees that it is not {_text(position, other)}"
            yield Finding("something hidden leaks", case)
        yield from _same_for(player, position, other, "alternative")
        yield from _same_news(player, position, other)
        if not game.hidden(state) and other != state:
            yield Finding("a state without secrets has alternatives", _text(position, other))


def imagination_check(position: Position) -> Iterator[Finding]:
    """Whatever a bot imagines from a view has that very view."""
    game, state = position.game, position.state
    if position.actor == OVER:
        return
    for player, view in enumerate(position.views):
        world = game.imagine(view, position.rng)
        if game.observe(world, player) != view:
            case = f"for player {player}: {_text(position, world)}"
            yield Finding("imagine makes a state of another view", case)
        yield from _same_for(player, position, world, "imagine")
        if not game.hidden(state) and world != state:
            yield Finding("imagine changes a state without secrets", _text(position, world))


def varies(position: Position) -> bool:
    """Whether anything is hidden from anybody in this state."""
    game, state = position.game, position.state
    players = range(game.players(state))
    return any(game.alternative(state, player, position.rng) != state for player in players)


def _same_for(player: int, position: Position, other: Any, hook: str) -> Iterator[Finding]:
    """Yield where a state that looks the same to a player has another actor, other actions or another question."""
    game, state = position.game, position.state
    if game.actor(other) != position.actor:
        yield Finding(f"{hook} makes a state of another actor", _text(position, other))
        return
    if game.hidden(other) != game.hidden(state):
        case = f"player {player} can tell by `hidden` that it is not {_text(position, other)}"
        yield Finding("whether something is hidden leaks", case)
    if position.actor == player and list(game.actions(other)) != list(game.actions(state)):
        case = f"player {player} could not do the same in {_text(position, other)}"
        yield Finding("the list of actions leaks", case)
    if position.actor == CHANCE:
        asked, others = (_asked(position, s, player) for s in (state, other))
        for one, another in zip(asked, others, strict=True):
            if one != another:
                case = (
                    f"player {player} hears {one!r}, not {another!r} as in {_text(position, other)}"
                )
                yield Finding("the question of a chance event leaks", case)


def _asked(position: Position, state: Any, player: int) -> tuple[str, ...]:
    """Return what a player hears when chance is asked."""
    game, event = position.game, position.game.chance(state)
    return game.question(state, player), game.question(state), event.question, event.wanted


def _same_news(player: int, position: Position, other: Any) -> Iterator[Finding]:
    """Yield where `tell` lets a player distinguish moves after which everything looks the same."""
    game, state = position.game, position.state
    if not game.hidden(state) or game.actor(other) != position.actor or position.actor == player:
        return
    told: dict[Any, dict[Any, set[str]]] = {}
    for before in {state, other}:
        moves = listed_moves(game, before)
        for move in moves if len(moves) <= _MOST_MOVES else ():
            after = game.apply(before, move)
            step = Step(position.actor, move, format_move(game, before, move), after)
            lines = told.setdefault(game.observe(after, player), {}).setdefault(after, set())
            lines.add(game.tell(before, step, player))
    for states in told.values():
        first, *rest = states.values()
        if any(lines != first for lines in rest):
            case = f"player {player} is told {sorted(set().union(*states.values()))}"
            yield Finding("tell leaks", case)


def _text(position: Position, state: Any) -> str:
    return repr(position.game.format_state(state))


CHECKS: tuple[Check, ...] = (secrecy_check, imagination_check)
