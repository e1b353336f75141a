"""Energy: what the blocks of a run are given, and the check that they only lose it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from brickphys.engines.blocks.impact import FirstImpact
from brickphys.errors import DivergenceError

_GAIN_LIMIT = 0.02
"""A run has diverged if it ever regains more than this share of the energy that it was given."""
_TINY_MJ = 2e-2
"""Energy that a vehicle gains when it is put on the floor some hundredths of a millimetre too low or too high."""


@dataclass
class EnergyBudget:
    """The energy of all blocks of a run.

    Attributes
    ----------
    given_mj
        Energy at the start, and all that the drive has added.
    resting_mj
        The part of it that blocks at rest have by their heights.
    step_s
        The step of the run, for messages.
    lost_mj
        The most that has been lost so far.
    braked_mj
        What the drive has taken back, as where it stops the driven block at the end of its way.
    """

    given_mj: float
    resting_mj: float
    step_s: float
    lost_mj: float = 0.0
    braked_mj: float = 0.0

    @property
    def supplied_mj(self) -> float:
        """The kinetic energy that was given, whether or not the drive has taken it back."""
        return self.given_mj + self.braked_mj - self.resting_mj

    @property
    def _room_mj(self) -> float:
        return _GAIN_LIMIT * self.supplied_mj + _TINY_MJ

    def check(self, energy_mj: float, time_s: float) -> None:
        """Check the energy that is left: it only falls, within a share of what was given.

        Raises
        ------
        DivergenceError
            If it rises, or is not finite.
        """
        lost_mj = self.given_mj - energy_mj
        if not lost_mj >= self.lost_mj - self._room_mj:
            raise DivergenceError(
                f"blocks diverged after {time_s:.3f} s: {self.lost_mj - lost_mj:g} mJ more than before, "
                f"of {self.supplied_mj:g} mJ given, at a step of {self.step_s:g} s"
            )
        self.lost_mj = max(self.lost_mj, lost_mj)

    def checked(self, impacts: Iterable[FirstImpact]) -> tuple[FirstImpact, ...]:
        """Return impacts, none with less than no loss of energy.

        Raises
        ------
        DivergenceError
            If one has gained more than a share of what was given.
        """
        found = []
        for impact in impacts:
            if impact.energy_lost_mj < -self._room_mj:
                raise DivergenceError(
                    f"blocks diverged: the impact of blocks {impact.first} and {impact.second} at "
                    f"{impact.time_s:.3f} s gained {-impact.energy_lost_mj:g} mJ, at a step of "
                    f"{self.step_s:g} s"
                )
            found.append(replace(impact, energy_lost_mj=max(0.0, impact.energy_lost_mj)))
        return tuple(found)
