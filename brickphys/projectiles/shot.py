"""Shot law: the odds that one shot hits and knocks over: the aim law times the impact laws."""

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
        Chance that a target is hit in a phase (`PHASES`) and knocked over; the interval is that of the impact law. What
        stands fast (`brickphys.projectiles.bodies.obstacle`) is hit, and never knocked over.
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
    by_body: dict[str, list[int]] = {}
    for number in np.flatnonzero(aim.hit).tolist():
        if not standing[number].target.is_fixed:
            by_body.setdefault(standing[number].target.name, []).append(number)
    for body, numbers in by_body.items():
        target = standing[numbers[0]].target
        law = (laws or {}).get(body) or impact_law(weapon.projectile, target)
        law.check(weapon, target)
        sides = [standing[number].side(*place_mm) for number in numbers]
        found = law.chances(sides, aim.speed_m_s[numbers], aim.fall_deg[numbers])
        mean = found.mean(aim.shares[numbers])
        knocked[:, numbers] = mean.share, mean.low, mean.high
    return ShotLaw(aim, Chances(*knocked))
