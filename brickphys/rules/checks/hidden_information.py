"""Hidden-information checks: that no player learns what the rules hide, from anything that the game shows or tells.

Forecasts are not compared: the player is told their mean over imagined states, not what holds in the true one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from brickphys.rules.checks.state_checks import Check, Finding, Position
from brickphys.rules.game import AnyGame, format_move, listed_moves
from brickphys.rules.record import CHANCE, OVER, Ending, Record, Step

if TYPE_CHECKING:
    import numpy as np

_MOST_MOVES = 100
"""In a state with more moves, news and stories are not compared."""
_SECTIONS = 12
"""The number of sections in which a game is compared."""
_SECTION_STEPS = 8


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
    """States that a bot imagines from a view have that view."""
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
    """Yield differences that a player is shown in a state that should look the same."""
    game, state = position.game, position.state
    if other == state:
        return
    if game.actor(other) != position.actor:
        yield Finding(f"{hook} makes a state of another actor", _text(position, other))
        return
    if game.hidden(other) != game.hidden(state):
        case = f"player {player} can tell by `hidden` that it is not {_text(position, other)}"
        yield Finding("whether something is hidden leaks", case)
    for what, differs in (
        ("the name of a player", _names(game, state) != _names(game, other)),
        ("the number of rounds", game.rounds(state) != game.rounds(other)),
        ("whether a choice is settled", game.settled(state) != game.settled(other)),
        ("the names of things", game.names(state) != game.names(other)),
    ):
        if differs:
            case = f"player {player} can tell by it that it is not {_text(position, other)}"
            yield Finding(f"{what} leaks", case)
    if position.actor == player:
        yield from _same_choice(position, other)
    if position.actor == CHANCE:
        asked, others = (_asked(position, s, player) for s in (state, other))
        for one, another in zip(asked, others, strict=True):
            if one != another:
                case = (
                    f"player {player} hears {one!r}, not {another!r} as in {_text(position, other)}"
                )
                yield Finding("the question of a chance event leaks", case)


def _names(game: AnyGame, state: Any) -> list[str]:
    return [game.player_name(state, player) for player in range(game.players(state))]


def _same_choice(position: Position, other: Any) -> Iterator[Finding]:
    """Yield actions and problems that differ in a state that looks the same to the player who is to act."""
    game, state, player = position.game, position.state, position.actor
    if list(game.actions(other)) != list(game.actions(state)):
        case = f"player {player} could not do the same in {_text(position, other)}"
        yield Finding("the list of actions leaks", case)
    if game.prompt(other) != game.prompt(state):
        yield Finding(
            "the prompt leaks", f"{game.prompt(state)!r} is not that of {_text(position, other)}"
        )
    if _places(game, other, state) != _places(game, state, state):
        case = f"player {player} sees other places of actions than in {_text(position, other)}"
        yield Finding("the places of actions leak", case)
    for action in position.some(position.foreign):
        reasons, others = game.problems(state, action), game.problems(other, action)
        if reasons != others:
            case = f"player {player} is told {reasons}, not {others} as in {_text(position, other)}"
            yield Finding("the problems of an action leak", case)


def _places(game: AnyGame, state: Any, like: Any) -> list[Any]:
    """Return where the acting unit is, and where the first actions of another state lead."""
    actions = game.actions(like)[:_MOST_MOVES]
    return [game.here(state), *(game.place_of(state, action) for action in actions)]


def _asked(position: Position, state: Any, player: int) -> tuple[str, ...]:
    """Return the texts that a player hears when chance is asked."""
    game, event = position.game, position.game.chance(state)
    return game.question(state, player), game.question(state), event.question, event.wanted


def _same_news(player: int, position: Position, other: Any) -> Iterator[Finding]:
    """Yield where `tell` lets a player distinguish moves after which everything looks the same.

    The player's own moves are not compared with one another, only each with itself in the other state.
    """
    game, state = position.game, position.state
    own = position.actor == player
    if not game.hidden(state) or game.actor(other) != position.actor or (own and other == state):
        return
    stories: dict[Any, dict[Any, set[str]]] = {}
    for before in {state, other}:
        moves = listed_moves(game, before)
        for move in moves if len(moves) <= _MOST_MOVES else ():
            after = game.apply(before, move)
            step = Step(position.actor, move, format_move(game, before, move), after)
            seen = (game.observe(after, player), move if own else None)
            lines = stories.setdefault(seen, {}).setdefault(after, set())
            lines.add(game.tell(before, step, player))
    for states in stories.values():
        first, *rest = states.values()
        if any(lines != first for lines in rest):
            case = f"player {player} is told {sorted(set().union(*states.values()))}"
            yield Finding("tell leaks", case)


def section_findings(
    game: AnyGame, record: Record[Any, Any], rng: "np.random.Generator"
) -> Iterator[Finding]:
    """Yield where `story` lets a player distinguish two games in which everything looked the same.

    Sections of the game are compared with what may have happened instead, from an alternative of their first state.
    """
    states = record.states
    if not any(map(game.hidden, states)):
        return
    for start in range(0, len(record.steps), max(1, len(record.steps) // _SECTIONS)):
        steps = record.steps[start : start + _SECTION_STEPS]
        for player in range(game.players(record.initial)):
            first = game.alternative(states[start], player, rng)
            others = _other_steps(game, first, steps, player, rng)
            story, other_story = (
                list(game.story(_section(record, initial, section), player))
                for initial, section in ((states[start], steps[: len(others)]), (first, others))
            )
            if story != other_story:
                case = f"player {player} is told {story}, not {other_story} of what looked the same"
                yield Finding("the story leaks", case)


def _section(record: Record[Any, Any], initial: Any, steps: Sequence[Any]) -> Record[Any, Any]:
    ending = Ending.INTERRUPTED
    return replace(record, initial=initial, steps=tuple(steps), ending=ending, returns=None)


def _other_steps(
    game: AnyGame,
    state: Any,
    steps: Sequence[Step[Any, Any]],
    player: int,
    rng: "np.random.Generator",
) -> list[Step[Any, Any]]:
    """Return steps from a state that look to a player like the steps given, as many as are found.

    A move is another one only where it leads elsewhere: what leads to the same state is not hidden, such as a roll.
    """
    others = list[Step[Any, Any]]()
    for step in steps:
        if game.actor(state) != step.actor:
            break
        own = step.actor == player
        moves = [step.move] if own else listed_moves(game, state)
        if len(moves) > _MOST_MOVES or (own and game.problems(state, step.move)):
            break
        seen = game.observe(step.after, player)
        afters = {move: game.apply(state, move) for move in moves}
        alike = [move for move in moves if game.observe(afters[move], player) == seen]
        if not alike:
            break
        same = afters[step.move] if step.move in alike else None
        choices = [move for move in alike if afters[move] != same] or [step.move]
        move = choices[int(rng.integers(len(choices)))]
        after = afters[move]
        others.append(Step(step.actor, move, format_move(game, state, move), after))
        state = after
    return others


def _text(position: Position, state: Any) -> str:
    return repr(position.game.format_state(state))


CHECKS: tuple[Check, ...] = (secrecy_check, imagination_check)
