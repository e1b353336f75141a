"""Differences: where the rule and the bodies disagree on who is hit, and who falls off the table."""

from collections.abc import Iterator
from dataclasses import dataclass

from brickphys.vehicles.course import MoveResult
from brickphys.vehicles.physics.outcome import Crash
from brickphys.vehicles.scene import ThingType


@dataclass(frozen=True)
class RuleDifference:
    """One thing to which rule and bodies do different things.

    Attributes
    ----------
    id
        Its name.
    rule, bodies
        What happens to it by the rule, and as bodies: ``is hit``, ``is not hit``, ``is hit through`` with the names of
        the figures in between, ``stays on the table``, ``falls off the table``.
    """

    id: str
    rule: str
    bodies: str

    def __str__(self) -> str:
        return f"{self.id} {self.rule} by the rule, but {self.bodies} as bodies"


def differences(move: MoveResult, crash: Crash) -> list[RuleDifference]:
    """Return where the rule of a compulsory move and its bodies differ.

    What is thrown against something else is no difference: the rule has nothing that is thrown.

    Parameters
    ----------
    move
        By the rule.
    crash
        The same move as bodies.
    """
    return [*_hits(move, crash), *_falls(move, crash)]


def _hits(move: MoveResult, crash: Crash) -> Iterator[RuleDifference]:
    through = _through(crash)
    by_rule = {hit.id for hit in move.hits}
    for outcome in crash.outcomes:
        between, ruled = through.get(outcome.id), outcome.id in by_rule
        if ruled and between is None:
            yield RuleDifference(outcome.id, "is hit", "is not hit")
        elif ruled and between:
            yield RuleDifference(outcome.id, "is hit", f"is hit through {' and '.join(between)}")
        elif between == () and not ruled and outcome.id != crash.mover_id:
            yield RuleDifference(outcome.id, "is not hit", "is hit")


def _falls(move: MoveResult, crash: Crash) -> Iterator[RuleDifference]:
    for outcome in crash.outcomes:
        if outcome.fell_off and not (outcome.id == move.vehicle_id and move.leaves_field):
            yield RuleDifference(outcome.id, "stays on the table", "falls off the table")


def _through(crash: Crash) -> dict[str, tuple[str, ...]]:
    """Return for each thing that the mover reaches the figures in between, as few as possible; none if it is hit."""
    figures = {outcome.id for outcome in crash.outcomes if outcome.type is ThingType.UNIT}
    found: dict[str, tuple[str, ...]] = {crash.mover_id: ()}
    to_do = [crash.mover_id]
    for name in to_do:  # it grows
        between = () if name == crash.mover_id else (*found[name], name)
        for impact in crash.impacts:
            if name in (impact.first, impact.second):
                other = impact.second if name == impact.first else impact.first
                if other not in found:
                    found[other] = between
                    to_do += [other] * (other in figures)
    return found
