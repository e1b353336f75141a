"""State checks: properties of any state of any game; each check yields its findings.

Some checks are on chance: the laws of events, chains of rolls and forecasts are valid and agree. Others are on text:
everything a game shows is text for every player, and within its limits.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.events import ChanceEvent
from brickphys.rules.game import AnyGame
from brickphys.rules.record import CHANCE, OVER, Record
from brickphys.rules.rolls import BrickRoll, OpposedRoll
from brickphys.rules.turn_game import TurnGame

if TYPE_CHECKING:
    import numpy as np

_TRIED, _TYPED, _FOLLOWED = 12, 3, 200
"""How many actions, outcomes and misprints are tried in one state; how many are typed; and how many states at most a
chain of rolls is followed through."""
_SLIPS = " 0179-/,.:aZ?é"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check: its kind, which is reported once, and this case of it."""

    kind: str
    case: str


@dataclass(frozen=True)
class Position:
    """One state to be checked, with the other values that checks need."""

    game: AnyGame
    state: Any
    initial: Any
    """The first state of its game."""
    brick_law: RollLaw
    foreign: Sequence[Any]
    """Actions that were legal in other states."""
    rng: "np.random.Generator"
    """The generator that draws the cases."""

    @property
    def actor(self) -> int:
        """The player who is to act, `CHANCE` or `OVER`."""
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

    @cached_property
    def copy(self) -> Any:
        """A copy of the state, made before anything could have changed it."""
        return deepcopy(self.state)

    @property
    def views(self) -> list[Any]:
        """The view of each player."""
        return [self.game.observe(self.state, p) for p in range(self.game.players(self.state))]


Check: TypeAlias = Callable[[Position], Iterator[Finding]]


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
        if isinstance(game, TurnGame):
            code = game.code(state, action)
            if game.format_action(game.decoded(state, code)) != game.format_action(action):
                yield Finding("the code of an action is that of another", f"{action!r}: {code}")
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


def chance_check(position: Position) -> Iterator[Finding]:
    """Every law sums to exactly 1, and every outcome is possible and reads back as itself."""
    if position.actor != CHANCE:
        return
    event = position.game.chance(position.state)
    if event != position.game.chance(position.state):
        yield Finding("the chance event changes", f"asked twice, it differs from {event!r}")
    if isinstance(event, BrickRoll | OpposedRoll) and not position.game.rolls_bricks:
        yield Finding("bricks are rolled, though rolls_bricks is False", repr(event))
    if not event.exact:
        return
    law = event.law(position.brick_law)
    yield from _law_findings("law", repr(event), law.values())
    for outcome in position.some(list(law)):
        yield from _outcome_findings(event, outcome)


def _outcome_findings(event: ChanceEvent, outcome: Any) -> Iterator[Finding]:
    if reasons := event.problems(outcome):
        yield Finding("an outcome of the law is impossible", f"{outcome!r}: {reasons}")
    text = event.format(outcome)
    if "\n" in text or event.parse(text) != outcome:
        yield Finding("an outcome does not read back", f"{outcome!r} from {text!r}")


def chain_check(position: Position) -> Iterator[Finding]:
    """Laws of chains sum to 1; where no player chooses within a chain, its law is that of its rolls."""
    if position.actor != CHANCE:
        return
    law = position.game.chain_law(position.state, position.brick_law)
    if law is None:
        return
    yield from _law_findings("chain law", repr(position.game.chance(position.state)), law.values())
    followed = _followed(position, law)
    if followed is not None and followed != law:
        case = f"{len(followed)} states by the rolls, {len(law)} by the law, or other probabilities"
        yield Finding("the law of a chain is not that of its rolls", case)


def _followed(position: Position, ends: Mapping[Any, Fraction]) -> Mapping[Any, Fraction] | None:
    """Return the law of the ends by all rolls that lead there; None if a player chooses, or too many states come."""
    game, found = position.game, dict[Any, Fraction]()
    rolling = {position.state: Fraction(1)}
    for _ in range(_FOLLOWED):
        before = next(iter(rolling))
        mass = rolling.pop(before)
        event = game.chance(before) if game.actor(before) == CHANCE else None
        if event is None or not event.exact:
            return None
        for outcome, chance in event.law(position.brick_law).items():
            after = game.apply(before, outcome)
            into = found if after in ends else rolling
            into[after] = into.get(after, Fraction(0)) + mass * chance
        if not rolling:
            return found
    return None


def forecast_check(position: Position) -> Iterator[Finding]:
    """Forecasts of the game are probabilities, and sum to 1."""
    game, state = position.game, position.state
    for action in position.some(game.actions(state)):
        for forecast in game.forecasts(state, action, position.brick_law) or ():
            if forecast.outcomes:
                yield from _law_findings("forecast", forecast.text, forecast.outcomes.values())
            if not all(0 <= chance <= 1 for chance in forecast.losses.values()):
                yield Finding("a forecast has an impossible loss", f"{dict(forecast.losses)}")


def _law_findings(what: str, of: str, chances: Iterable[Any]) -> Iterator[Finding]:
    """Yield whether probabilities are none, or do not sum to exactly 1."""
    chances = list(chances)
    if not all(isinstance(p, Fraction) and p > 0 for p in chances):
        yield Finding(f"a probability of a {what} is not a positive Fraction", f"{of}: {chances!r}")
    elif (total := sum(chances, Fraction(0))) != 1:
        yield Finding(f"a {what} does not sum to 1", f"{of} sums to {total}")


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
    for action in game.actions(state)[:_TYPED] if position.actor >= 0 else ():
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


CHECKS: tuple[Check, ...] = (
    *(actor_check, value_check, action_check, only_action_check, foreign_action_check),
    *(purity_check, notation_check, chance_check, chain_check, forecast_check),
    *(view_check, bound_check, question_check, typing_check),
)
