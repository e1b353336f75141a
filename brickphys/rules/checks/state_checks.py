"""State checks: properties of any state of any game; each check yields its findings."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from brickphys.errors import InvalidValueError
from brickphys.rules.checks.position import Check, Finding, Position
from brickphys.rules.record import CHANCE, OVER

if TYPE_CHECKING:
    import numpy as np

_SLIPS = " 0179-/,.:aZ?é"


def actor_check(position: Position) -> Iterator[Finding]:
    """Actors exist; finished games have returns; estimates are numbers."""
    game, state = position.game, position.state
    players = game.players(state)
    if position.actor not in (CHANCE, OVER, *range(players)):
        yield Finding("actor", f"{position.actor!r} is not a player of {players}, CHANCE or OVER")
    if position.actor == OVER:
        returns = game.returns(state)
        if len(returns) != players or not all(isinstance(w, int | Fraction) for w in returns):
            yield Finding("returns", f"{returns!r} are not {players} whole numbers or Fractions")
    if not isinstance(game.settled(state), bool):
        yield Finding("settled", f"{game.settled(state)!r} should be True or False")
    estimate = game.estimate(state)
    if len(estimate) != players or not all(map(isfinite, estimate)):
        yield Finding("estimate", f"{estimate!r} are not {players} finite numbers")


def value_check(position: Position) -> Iterator[Finding]:
    """States, actions and views are values: they can be hashed, and equal ones have equal hashes."""
    state = position.state
    yield from _value_findings("state", state, position.copy)
    for view in position.views:
        if view is not state:
            yield from _value_findings("view", view, deepcopy(view))
    for move in position.moves():
        yield from _value_findings("move", move, deepcopy(move))


def _value_findings(what: str, thing: Any, copy: Any) -> Iterator[Finding]:
    try:
        alike = hash(thing) == hash(copy)
    except TypeError as error:
        yield Finding(f"a {what} is not a frozen value", str(error))
        return
    if not alike or copy != thing:
        yield Finding(f"a {what} is not a value", f"a copy of {thing!r} is not equal to it")


def action_check(position: Position) -> Iterator[Finding]:
    """Every action that is offered is legal, and is listed once or unlisted; none is if no player is to act."""
    game, state = position.game, position.state
    actions = list(game.actions(state))
    if position.actor >= 0 and not actions:
        yield Finding("nothing to do", f"player {position.actor} has no legal action")
    if position.actor < 0 and actions:
        yield Finding("actions without an actor", f"{actions[0]!r} is listed")
    if len(set(actions)) < len(actions):
        twice = next(action for action in actions if actions.count(action) > 1)
        yield Finding("an action is listed twice", repr(twice))
    if list(game.actions(state)) != actions:
        yield Finding("the list of actions changes", "asked twice, it differs")
    for action in position.some(actions):
        if reasons := game.problems(state, action):
            yield Finding("a listed action is illegal", f"{game.format_action(action)}: {reasons}")
    for action in game.unlisted(state):
        if action in actions or game.problems(state, action):
            yield Finding("an unlisted action is listed or illegal", game.format_action(action))


def only_action_check(position: Position) -> Iterator[Finding]:
    """Games that tell the only legal action list no other."""
    game, state = position.game, position.state
    only = game.only_action(state)
    if only is not None and list(game.actions(state)) != [only]:
        yield Finding("the only action is not the list", repr(only))


def foreign_action_check(position: Position) -> Iterator[Finding]:
    """Actions from other states are illegal with reasons, or can be applied."""
    game, state = position.game, position.state
    actions = game.actions(state)
    for action in position.some(position.foreign):
        reasons, text = game.problems(state, action), game.format_action(action)
        if not all(isinstance(why, str) and why and "\n" not in why for why in reasons):
            yield Finding("problems are not lines of text", f"{text}: {reasons!r}")
        if reasons:
            continue
        if position.actor < 0:
            yield Finding("an action is legal though nobody is to act", text)
        elif game.lists_all_actions and action not in actions:
            yield Finding("a legal action is not listed", text)
        else:
            game.apply(state, action)


def purity_check(position: Position) -> Iterator[Finding]:
    """Nothing that a game is asked changes the state, and the same move leads twice to the same state."""
    game, state = position.game, position.state
    before, text = position.copy, game.format_state(state)
    for move in position.moves():
        first, second = game.apply(state, move), game.apply(state, move)
        if first != second or game.format_state(first) != game.format_state(second):
            yield Finding("apply is not pure", f"{move!r} leads to two different states")
        if state != before or game.format_state(state) != text:
            yield Finding("apply changes the state before it", f"by {move!r}")
            return
    for player in range(game.players(state)):
        if game.observe(state, player) != game.observe(state, player):
            yield Finding("observe is not pure", f"player {player} sees two different views")
    if state != before:
        yield Finding("looking changes the state", "after observe, actions or chance")


def notation_check(position: Position) -> Iterator[Finding]:
    """States and actions are one line of text that reads back; different ones differ; misprints are refused."""
    game, state = position.game, position.state
    yield from _text_findings("state", state, game.format_state, game.parse_state, position)
    actions = position.some(game.actions(state))
    for action in actions:
        yield from _text_findings("action", action, game.format_action, game.parse_action, position)
    if len({game.format_action(action) for action in actions}) < len(set(actions)):
        yield Finding(
            "two actions have the same text", repr([game.format_action(a) for a in actions])
        )


def _text_findings(
    what: str,
    value: Any,
    write: Callable[[Any], str],
    read: Callable[[str], Any],
    position: Position,
) -> Iterator[Finding]:
    text = write(value)
    if not text or "\n" in text or text.strip() != text:
        yield Finding(f"the text of {what}s is not one line without blanks at its ends", repr(text))
    try:
        back = read(text)
    except Exception as error:
        yield Finding(f"parse_{what} does not read its own text", f"{text!r}: {error!r}")
        return
    if back != value or hash(back) != hash(value) or write(back) != text:
        yield Finding(f"parse_{what} does not read back", f"{text!r} becomes {write(back)!r}")
    misprint = _misprint(text, position.rng)
    try:
        accepted = read(misprint)
    except InvalidValueError:
        return
    except Exception as error:
        yield Finding(
            f"parse_{what} fails otherwise than by InvalidValueError", f"{misprint!r}: {error!r}"
        )
        return
    if read(write(accepted)) != accepted:
        yield Finding(f"what parse_{what} accepts cannot be read back", f"{misprint!r}")


def _misprint(text: str, rng: "np.random.Generator") -> str:
    """Return the text with a character lost, doubled or changed."""
    at = int(rng.integers(max(1, len(text))))
    letter = _SLIPS[int(rng.integers(len(_SLIPS)))]
    middle = ("", text[at : at + 1] * 2, letter)[int(rng.integers(3))]
    return text[:at] + middle + text[at + 1 :]


CHECKS: tuple[Check, ...] = (
    actor_check,
    value_check,
    action_check,
    only_action_check,
    foreign_action_check,
    purity_check,
    notation_check,
)
