"""Differences: where rules and simulation disagree on who is hit and who falls off the table."""

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
        return f"by the rule {self.id} {self.rule}; as rigid bodies it {self.bodies}"


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
    """Return the figures between the mover and each thing that it reaches; none if the mover itself hits it.

    Figures pass a hit on, through as few others as possible. If several hit a thing, the one that hits it hardest
    counts: it is squeezed, while others may only be thrown against the thing.
    """
    mover = crash.mover_id
    hardest = sorted(
        crash.impacts,
        key=lambda impact: (mover in (impact.first, impact.second), impact.impulse_mn_s),
        reverse=True,
    )
    pairs = [pair for i in hardest for pair in ((i.first, i.second), (i.second, i.first))]
    figures = {outcome.id for outcome in crash.outcomes if outcome.type is ThingType.UNIT}
    chains: dict[str, tuple[str, ...]] = {mover: ()}
    to_do = [mover]
    for name in to_do:  # it grows
        for one, other in pairs:
            if one == name and other in figures - chains.keys():
                chains[other] = (*chains[name], other)
                to_do.append(other)
    found = {name: chain[:-1] for name, chain in chains.items()}
    for one, other in pairs:
        if one in chains:
            found.setdefault(other, chains[one])
    return found
