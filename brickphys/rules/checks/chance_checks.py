"""Chance checks: checks that the laws of events, chains of rolls and forecasts are valid and agree."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from brickphys.rules.checks.position import Check, Finding, Position
from brickphys.rules.events.bricks import BrickRoll, OpposedRoll
from brickphys.rules.events.event import ChanceEvent
from brickphys.rules.record import CHANCE

_FOLLOWED = 200
"""The most states through which a chain of rolls is followed."""


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


CHECKS: tuple[Check, ...] = (chance_check, chain_check, forecast_check)
