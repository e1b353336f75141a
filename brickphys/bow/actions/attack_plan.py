"""Attack plan: one attack with its conditions and the bricks of both sides (BOW 2.4.2, 3.1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from brickphys.bow.actions.targets import (
    is_ahead,
    is_reached,
    resistance,
    studs_away,
    target_distance_studs,
    visibility,
)
from brickphys.bow.actions.weapons_in_use import WeaponInUse
from brickphys.bow.field.sight import BAND_STUDS, Visibility, bricks_lost
from brickphys.bow.state.state import State
from brickphys.text import counted

COVER_BRICKS = 1


@dataclass(frozen=True)
class AttackPlan:
    """An attack of the active unit on an enemy; legality, rolls and story read the same one, see `attack_plan`.

    Each condition is worked out when it is first read, and once.

    Attributes
    ----------
    state
        The battle before the attack; nothing is read from it that turns or rolls change.
    target
        The name of the enemy.
    weapon
        The way to attack.
    """

    state: State
    target: str
    weapon: WeaponInUse

    @cached_property
    def distance_studs(self) -> float:
        """Distance of a shot, heights included."""
        return target_distance_studs(self.state, self.target)

    @cached_property
    def bricks_lost(self) -> int:
        """Bricks that the attack loses by distance."""
        return bricks_lost(self.distance_studs) if self.weapon.is_shot else 0

    @cached_property
    def visibility(self) -> Visibility:
        """How much of the target is seen; all, for a weapon that touches it."""
        return visibility(self.state, self.target) if self.weapon.is_shot else Visibility.OPEN

    @cached_property
    def is_covered(self) -> bool:
        """Whether cover helps the target; also one that is hidden, if its firer wins the dispute (ours)."""
        return self.visibility is not Visibility.OPEN

    @property
    def is_disputed(self) -> bool:
        """Whether the firer must first win a dispute: the target is hidden (BOW 2.4.2)."""
        return self.visibility is Visibility.HIDDEN

    @cached_property
    def attack(self) -> int:
        """Bricks of the attack."""
        return self.weapon.bricks - self.bricks_lost

    @cached_property
    def defence(self) -> int:
        """Bricks of the defence."""
        return resistance(self.state, self.target) + self.is_covered * COVER_BRICKS

    def problems(self, *, is_told: bool = False) -> Iterator[str]:
        """Yield every condition that fails, those that are quick to check first; for people, with how far it fails."""
        state, target, weapon = self.state, self.target, self.weapon
        if not is_ahead(state, target, weapon.axis_deg, weapon.arc_deg):
            yield f"{target} is not in front (BOW 2.4.2)"
        if not weapon.is_shot:
            if not is_reached(state, target, weapon.reach_studs):
                far = self._far_text() if is_told else ""
                yield f"{weapon.name} cannot touch {target}{far} (BOW 2.4.2)"
            return
        if self.attack <= 0:
            yield (
                f"{target} is too far away: the distance costs {counted(self.bricks_lost, 'brick')} "
                f"(one per {BAND_STUDS} studs), and {weapon.name} has {weapon.bricks} (BOW 2.4.2)"
            )
        if self.is_disputed and not state.setting.options.dispute:
            yield f"{target} is not visible (BOW 2.4.2)"

    def _far_text(self) -> str:
        """Return how far the target is, if it is farther than the weapon reaches."""
        studs = studs_away(self.state, self.target)
        if studs <= self.weapon.reach_studs:
            return ""
        return f", {counted(studs, 'stud')} away: its reach is {self.weapon.reach_studs}"


def attack_plan(state: State, target: str, weapon: WeaponInUse) -> AttackPlan:
    """Return the attack on an enemy, which is made once for a position.

    The list of legal attacks keeps those that it found in `State.attack_plans`.
    """
    plan = state.attack_plans.get((target, weapon.name))
    if plan is None:
        plan = state.attack_plans[target, weapon.name] = AttackPlan(state, target, weapon)
    return plan
