"""Pools: the dice of both sides of a melee or a volley, by reason (BB 8.5, 9.3, 9.4.4)."""

from collections.abc import Mapping
from dataclasses import dataclass

from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.events.dice import Tally
from brickphys.rules.events.event import Outcome

SIDES = 6
CLASSES = ("hits", "blanks", "cancels")


@dataclass(frozen=True)
class DicePool:
    """The dice of a side.

    Attributes
    ----------
    reasons
        Dice by reason, none of 0.
    hits, cancels
        How many faces of a die hit and cancel.
    """

    reasons: Mapping[str, int]
    hits: int
    cancels: int

    @property
    def dice(self) -> int:
        """How many are rolled: at most eight (BB 9.4.4)."""
        return min(sum(self.reasons.values()), charts().dice["most"])

    def event(self, dice: int, reason: str) -> Tally:
        """Return the roll of some of these dice; classes without a face are left out."""
        return Tally(dice, self._classes, reason)

    def counts(self, outcome: Outcome) -> tuple[int, ...]:
        """Return the hits, blanks and cancels of an outcome of `event`."""
        assert isinstance(outcome, tuple)
        found = dict(zip((name for name, _ in self._classes), outcome, strict=True))
        return tuple(int(found.get(name, 0)) for name in CLASSES)

    @property
    def _classes(self) -> tuple[tuple[str, int], ...]:
        faces = self.hits, SIDES - self.hits - self.cancels, self.cancels
        return tuple((name, count) for name, count in zip(CLASSES, faces, strict=True) if count)


def melee_pools(state: State) -> tuple[DicePool, DicePool]:
    """Return the dice of the attacker and of the defender of a melee whose lead is chosen."""
    raise NotImplementedError


def missile_pools(state: State) -> tuple[DicePool, DicePool]:
    """Return the dice of the shooters and of the target of a volley."""
    raise NotImplementedError
