"""Shot law: who is hit and knocked over by one shot: the aim law times the impact laws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from brickphys.projectiles.aim.aim_law import PHASES, AimLaw, Bins, aim_law
from brickphys.projectiles.aim.fan import NODES
from brickphys.projectiles.aim.standing import Standing
from brickphys.projectiles.impact.impact_law import ASIDES_MM, HEIGHTS_MM, Chances, ImpactLaw
from brickphys.projectiles.impact.law_file import impact_law
from brickphys.projectiles.weapons import Weapon

IMPACT_BINS = Bins(HEIGHTS_MM, ASIDES_MM)


@dataclass(frozen=True, eq=False)
class ShotLaw:
    """The law of one shot at k targets.

    Attributes
    ----------
    aim
        Who is met, how and where.
    knocked : Chances, shape (k, 3)
        Chance that a target is hit in a phase (`PHASES`) and knocked over; the interval is that of the impact law.
    """

    aim: AimLaw
    knocked: Chances

    def knocked_by(self, number: int) -> Chances:
        """Return the chance that a target is hit in any phase and knocked over; shape ().

        The phases draw on the same counts, so the errors of their shares add up.
        """
        of_target = (self.knocked.share, self.knocked.low, self.knocked.high)
        return Chances(*(np.asarray(ends[number].sum()) for ends in of_target))


def shot_law(
    weapon: Weapon,
    place_mm: tuple[float, float],
    standing: Sequence[Standing],
    aimed: int,
    laws: Mapping[str, ImpactLaw] | None = None,
    nodes: tuple[int, int] = NODES,
) -> ShotLaw:
    """Return the law of a shot; parameters as `brickphys.projectiles.aim.aim_law.aim_law`.

    Parameters
    ----------
    laws
        Impact laws by the name of the body; those that ship for bodies that are not named.

    Raises
    ------
    InvalidValueError
        If the target is out of range, an impact law is of another weapon or body, or none ships.
    """
    aim = aim_law(weapon, place_mm, standing, aimed, IMPACT_BINS, nodes)
    knocked = np.zeros((3, len(standing), len(PHASES)))
    for number, phase in np.argwhere(aim.by_phase > 0).tolist():
        one = standing[number]
        law = (laws or {}).get(one.target.name) or impact_law(weapon.projectile, one.target)
        law.check(weapon, one.target)
        chances = law.chances(
            one.side(*place_mm), aim.speed_m_s[number, phase], aim.fall_deg[number, phase]
        )
        found = chances.mean(aim.shares[number, phase])
        knocked[:, number, phase] = found.share, found.low, found.high
    return ShotLaw(aim, Chances(*knocked))
