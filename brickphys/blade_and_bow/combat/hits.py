"""Hits: how the hits of a melee or a volley are applied (BB 9.4.7, 8.5.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from brickphys.blade_and_bow.combat.advance import Aftermath
from brickphys.blade_and_bow.combat.camp import sheltered, struck_camp
from brickphys.blade_and_bow.combat.damage import Damage, damage, shares
from brickphys.blade_and_bow.combat.recoil import Recoil
from brickphys.blade_and_bow.command.casualties import leader_checks, ranks_lost
from brickphys.blade_and_bow.command.rout import rout_checks
from brickphys.blade_and_bow.ground.arcs import direction, sector_of
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.setting import SquareNumber, UnitNumber
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.directions import FACINGS
from brickphys.rules.pending import FollowUp
from brickphys.rules.turn_state import Count
from brickphys.vehicles.sectors import Sector


def apply_hits(state: State) -> State:
    """Apply the hits of a melee, those on the defender first, and let all follow that they cause (BB 9.4.7)."""
    combat = state.fight
    state = state.change_combat(stage=Stage.HITS)
    hits, back = _net(combat.attack, combat.defence), _net(combat.defence, combat.attack)
    pushed, target, both = [], combat.target, False
    if target is None:
        state = struck_camp(state, hits)
    else:
        hits = sheltered(state, target, hits)
        pushed.append(Struck(target, hits, state.square_of(state.lead), False))
        both = _damage(state, target, hits).recoils
    those = receivers(state)
    for unit, count in zip(those, shares(back, len(those)), strict=True):
        pushed.append(Struck(unit, count, combat.square, both))
    return state.push_pending(*(each for each in pushed if each.hits), Aftermath())


def missile_hits(state: State, hits: int) -> State:
    """Apply the hits of a volley, after cancels: rout checks come before the recoil (BB 8.5.3)."""
    unit = state.target
    found = _damage(state, unit, hits, ranged=True)
    state = state.change_combat(stage=Stage.HITS).push_pending(Aftermath())
    if found.recoils:
        away = (state.units[unit].facing + FACINGS // 2) % FACINGS
        recoil = Recoil(unit, away, (state.square_of(unit),), 0, True)
        state = state.change_unit(unit, seen=True).push_pending(recoil)
        state = rout_checks(state, unit, found.checks)
    return _wounded(state, unit, found)


def _net(own: Sequence[int], enemy: Sequence[int]) -> int:
    """Return the hits of one side that the other does not cancel."""
    return max(own[0] - enemy[2], 0)


def _damage(state: State, unit: int, hits: int, ranged: bool = False) -> Damage:
    """Return what hits do to a unit as it is."""
    now = state.units[unit]
    return damage(state.setting.units[unit].counter.density, now.disrupted, now.ranks, hits, ranged)


def receivers(state: State) -> list[int]:
    """Return the attackers who take hits, the lead first: those in front of the defender (BB 9.4.6.2).

    If nobody is there the lead takes all. A camp has no front: all its attackers take hits.
    """
    lead, units = state.lead, state.fight.units
    return [lead, *(unit for unit in units if unit != lead and _faces(state, unit))]


def _faces(state: State, attacker: int) -> bool:
    """Whether an attacker stands in a front square of the defender."""
    target = state.fight.target
    return target is None or sector_of(state, target, state.square_of(attacker)) is Sector.FRONT


def _wounded(state: State, unit: int, found: Damage) -> State:
    """Return the state in which a unit has taken hits, before it falls back; its shield wall still counts (BB 13.3)."""
    if not any(found):
        return state
    if found.disrupts:
        state = state.change_unit(unit, disrupted=True)
    if found.ranks:
        state = ranks_lost(state, unit, found.ranks)
    return leader_checks(state, unit)


@dataclass(frozen=True, slots=True)
class Struck(FollowUp[State]):
    """Hits of a melee on a unit.

    Attributes
    ----------
    source
        The square from which they come.
    both
        Whether the defender must recoil, too: then morale may spare an attacker that (BB 9.4.8).
    """

    unit: UnitNumber
    hits: Count
    source: SquareNumber
    both: bool

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        square = state.units[self.unit].square
        near = square is None or direction(state.setting.grid, self.source, square) is not None
        return [] if near else [f"source: square {self.source} is not beside the unit"]

    def lapses(self, state: State) -> bool:
        """Whether the unit is off the map."""
        return state.units[self.unit].square is None

    def happen(self, state: State) -> State:
        """Disrupt it, take its ranks, and let it fall back."""
        unit, square = self.unit, state.square_of(self.unit)
        found = _damage(state, unit, self.hits)
        if found.recoils:
            away = direction(state.setting.grid, self.source, square)
            assert away is not None
            recoil = Recoil(unit, away, (square,), found.checks, False, self.both)
            state = state.push_pending(recoil)
        return _wounded(state, unit, found)
