"""State checks: what must hold in any single state of any game; each check yields the faults that it finds."""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.events.event import ChanceEvent
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE, OVER

if TYPE_CHECKING:
    import numpy as np

AnyGame: TypeAlias = Game[Any, Any, Any]

_TRIED = 12
"""So many actions, outcomes and slips of the pen are tried in one state."""
_SLIPS = " 0179-/,.:aZ?é"


@dataclass(frozen=True, slots=True)
class Fault:
    """What a check found: the kind, which is reported once, and this case of it."""

    kind: str
    case: str


@dataclass(frozen=True)
class Scene:
    """One state to be checked, with what the checks need besides.

    Attributes
    ----------
    game, state
        What is checked.
    brick_law
        What a roll of bricks scores.
    foreign
        Actions that were legal in other states.
    rng
        Chooses what is tried.
    """

    game: AnyGame
    state: Any
    brick_law: RollLaw
    foreign: Sequence[Any]
    rng: "np.random.Generator"

    @property
    def actor(self) -> int:
        """Who is to act."""
        return self.game.actor(self.state)

    def some(self, things: Sequence[Any]) -> list[Any]:
        """Return at most a dozen of the things, drawn at random."""
        if len(things) <= _TRIED:
            return list(things)
        return [things[int(i)] for i in self.rng.choice(len(things), _TRIED, replace=False)]

    def moves(self) -> list[Any]:
        """Return some of the actions, or of the outcomes where there is a law."""
        if self.actor != CHANCE:
            return self.some(self.game.actions(self.state))
        event = self.game.chance(self.state)
        return self.some(list(event.law(self.brick_law))) if event.exact else []


Check: TypeAlias = Callable[[Scene], Iterator[Fault]]


def actor_check(scene: Scene) -> Iterator[Fault]:
    """Whoever is to act exists; a finished game has returns; estimates are numbers."""
    game, state = scene.game, scene.state
    players = game.players(state)
    if scene.actor not in (CHANCE, OVER, *range(players)):
        yield Fault("actor", f"{scene.actor!r} is no player of {players}, nor CHANCE nor OVER")
    if scene.actor == OVER:
        returns = game.returns(state)
        if len(returns) != players or not all(isinstance(w, int | Fraction) for w in returns):
            yield Fault("returns", f"{returns!r} are not {players} whole numbers or Fractions")
    estimate = game.estimate(state)
    if len(estimate) != players or not all(map(isfinite, estimate)):
        yield Fault("estimate", f"{estimate!r} are not {players} finite numbers")


def value_check(scene: Scene) -> Iterator[Fault]:
    """States, actions and views are values: they can be hashed, and equal ones have equal hashes."""
    game, state = scene.game, scene.state
    views = [game.observe(state, player) for player in range(game.players(state))]
    for what, thing in (("state", state), *(("view", v) for v in views), *_named(scene.moves())):
        try:
            alike = hash(thing) == hash(deepcopy(thing))
        except TypeError as error:
            yield Fault(f"a {what} is no frozen value", str(error))
        else:
            if not alike or deepcopy(thing) != thing:
                yield Fault(f"a {what} is no value", f"a copy of {thing!r} is not equal to it")


def _named(moves: Sequence[Any]) -> list[tuple[str, Any]]:
    return [("move", move) for move in moves]


def action_check(scene: Scene) -> Iterator[Fault]:
    """Every listed action is legal and listed once; no action is where nobody can act."""
    game, state = scene.game, scene.state
    actions = list(game.actions(state))
    if scene.actor >= 0 and not actions:
        yield Fault("nothing to do", f"player {scene.actor} has no legal action")
    if scene.actor < 0 and actions:
        yield Fault("actions without an actor", f"{actions[0]!r} is listed")
    if len(set(actions)) < len(actions):
        yield Fault("an action is listed twice", _repeated(actions))
    if list(game.actions(state)) != actions:
        yield Fault("the list of actions changes", "asked twice, it differs")
    for action in scene.some(actions):
        if reasons := game.problems(state, action):
            yield Fault("a listed action is illegal", f"{game.format_action(action)}: {reasons}")


def _repeated(actions: list[Any]) -> str:
    return repr(next(action for action in actions if actions.count(action) > 1))


def foreign_action_check(scene: Scene) -> Iterator[Fault]:
    """Of an action from elsewhere the game says why it is illegal, or else applies it."""
    game, state = scene.game, scene.state
    actions = game.actions(state)
    for action in scene.some(scene.foreign):
        reasons, text = game.problems(state, action), game.format_action(action)
        if not all(isinstance(why, str) and why and "\n" not in why for why in reasons):
            yield Fault("problems are not lines of text", f"{text}: {reasons!r}")
        if reasons:
            continue
        if scene.actor < 0:
            yield Fault("an action is legal though nobody is to act", text)
        elif game.lists_all_actions and action not in actions:
            yield Fault("a legal action is not listed", text)
        else:
            game.apply(state, action)


def purity_check(scene: Scene) -> Iterator[Fault]:
    """Nothing that a game is asked changes the state, and the same move leads twice to the same state."""
    game, state = scene.game, scene.state
    before, text = deepcopy(state), game.format_state(state)
    for move in scene.moves():
        first, second = game.apply(state, move), game.apply(state, move)
        if first != second or game.format_state(first) != game.format_state(second):
            yield Fault("apply is not pure", f"{move!r} leads to two different states")
        if state != before or game.format_state(state) != text:
            yield Fault("apply changes the state before it", f"by {move!r}")
            return
    for player in range(game.players(state)):
        if game.observe(state, player) != game.observe(state, player):
            yield Fault("observe is not pure", f"player {player} sees two different views")
    if state != before:
        yield Fault("looking changes the state", "after observe, actions or chance")


def chance_check(scene: Scene) -> Iterator[Fault]:
    """Every law sums to exactly 1, and every outcome is possible and reads back as itself."""
    if scene.actor != CHANCE:
        return
    event = scene.game.chance(scene.state)
    if event != scene.game.chance(scene.state):
        yield Fault("the chance event changes", f"asked twice, it differs from {event!r}")
    if not event.exact:
        return
    law = event.law(scene.brick_law)
    if not all(isinstance(p, Fraction) and p > 0 for p in law.values()):
        yield Fault("a probability is no positive Fraction", repr(dict(law)))
    elif (total := sum(law.values(), Fraction(0))) != 1:
        yield Fault("a law does not sum to 1", f"{event!r} sums to {total}")
    for outcome in scene.some(list(law)):
        yield from _outcome_faults(event, outcome)


def _outcome_faults(event: ChanceEvent, outcome: Any) -> Iterator[Fault]:
    if reasons := event.problems(outcome):
        yield Fault("an outcome of the law is impossible", f"{outcome!r}: {reasons}")
    text = event.format(outcome)
    if "\n" in text or event.parse(text) != outcome:
        yield Fault("an outcome does not read back", f"{outcome!r} from {text!r}")


def notation_check(scene: Scene) -> Iterator[Fault]:
    """States and actions are one line of text that reads back; different ones differ; misprints are refused."""
    game, state = scene.game, scene.state
    yield from _text_faults("state", state, game.format_state, game.parse_state, scene)
    actions = scene.some(game.actions(state))
    for action in actions:
        yield from _text_faults("action", action, game.format_action, game.parse_action, scene)
    if len({game.format_action(action) for action in actions}) < len(set(actions)):
        yield Fault(
            "two actions have the same text", repr([game.format_action(a) for a in actions])
        )
    for player in range(game.players(state)):
        if "\n" in game.format_view(game.observe(state, player)):
            yield Fault("the text of a view is not one line", f"for player {player}")


def _text_faults(
    what: str,
    value: Any,
    write: Callable[[Any], str],
    read: Callable[[str], Any],
    scene: Scene,
) -> Iterator[Fault]:
    text = write(value)
    if not text or "\n" in text or text.strip() != text:
        yield Fault(f"the text of {what}s is not one line without blanks at its ends", repr(text))
    try:
        back = read(text)
    except Exception as error:
        yield Fault(f"parse_{what} does not read its own text", f"{text!r}: {error!r}")
        return
    if back != value or hash(back) != hash(value) or write(back) != text:
        yield Fault(f"parse_{what} does not read back", f"{text!r} becomes {write(back)!r}")
    misprint = _misprint(text, scene.rng)
    try:
        accepted = read(misprint)
    except InvalidValueError:
        return
    except Exception as error:
        yield Fault(
            f"parse_{what} fails otherwise than by InvalidValueError", f"{misprint!r}: {error!r}"
        )
        return
    if read(write(accepted)) != accepted:
        yield Fault(f"what parse_{what} accepts does not read back", f"{misprint!r}")


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
    foreign_action_check,
    purity_check,
    chance_check,
    notation_check,
)
