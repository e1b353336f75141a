"""Hits: what they do to units, and how those fall back, through friends if they must (BB 9.4.7, 9.4.8, 8.5.3)."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from brickphys.blade_and_bow.combat.pursuit import Aftermath, sheltered, struck_camp
from brickphys.blade_and_bow.command.actions import SquareAnswer, SquareQuestion
from brickphys.blade_and_bow.command.morale import (
    MoraleRoll,
    ask_morale,
    disrupted,
    entered,
    leader_checks,
    ranks_lost,
    rout_checks,
    routed,
)
from brickphys.blade_and_bow.ground import (
    direction,
    displaceable,
    displacement_squares,
    enemy_squares,
    neighbours,
    sector_of,
    step_allowed,
    zones,
)
from brickphys.blade_and_bow.pieces import Box, Stage
from brickphys.blade_and_bow.setting import SquareNumber, UnitNumber
from brickphys.blade_and_bow.sheets import Density
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import FACINGS, Square, squares_of
from brickphys.rules.turn_state import Count, FollowUp, Pending
from brickphys.vehicles.sectors import Sector


class UnitDamage(NamedTuple):
    """What hits do to a unit."""

    disrupts: bool = False
    ranks: int = 0
    """Ranks that it loses."""
    recoils: bool = False
    checks: int = 0
    """Dice of its rout checks."""


def damage(
    density: Density, disrupted: bool, ranks: int, hits: int, ranged: bool = False
) -> UnitDamage:
    """Return what hits do to a unit, after cancels (BB 9.4.7).

    Flexible units ignore as many hits of a melee as they have steps, themselves included. The first hit disrupts,
    unless the unit is disrupted already, and each rank besides it takes one. Of those that are left each is a rout
    check: of missiles all (BB 8.5.3), in melee all but the first.
    """
    if density is Density.FLEXIBLE and not ranged:
        hits = max(hits - ranks - 1, 0)
    disrupts = hits > 0 and not disrupted
    hits -= disrupts
    lost = min(hits, ranks)
    hits -= lost
    return UnitDamage(disrupts, lost, hits > 0, hits if ranged else max(hits - 1, 0))


def shares(hits: int, count: int) -> tuple[int, ...]:
    """Return how many hits each of some attackers takes, evenly, the first the first and most (BB 9.4.4.4)."""
    even, odd = divmod(hits, count)
    return tuple(even + (n < odd) for n in range(count))


_TIERS = ((0,), (1, -1), (2, -2, 3, -3, 4))
"""Directions off the facing, best first: ahead, the other front squares, all others."""
_MISSILE_TIERS = ((0, 1, -1),)


@dataclass(frozen=True, slots=True)
class FallingBack(Pending[State]):
    """A unit that falls back."""

    unit: UnitNumber
    facing: Annotated[int, range(FACINGS)]
    """Away from the enemy, or the direction of its last step."""
    path: tuple[SquareNumber, ...]
    """The squares that it has left, its own first: after that, those of friends."""
    checks: Count
    """Rout checks for its hits; it makes them where it comes to stand."""
    ranged: bool
    """Whether missiles drive it back: then it goes one square to its rear and displaces friends, or routs."""

    def lapses(self, state: State) -> bool:
        return state.units[self.unit].square is None

    def problems(self, state: State) -> list[str]:
        start, steps = state.units[self.unit].square, len(self.path)
        if (steps == 1 or (steps and not self.ranged)) and start in (None, self.path[0]):
            return []
        return [f"path: {self.path} is not from where the unit is"]

    def steps(self, state: State) -> tuple[Square, ...] | None:
        """Return the best squares into which it can step; None if it falls back off the map (BB 9.4.8.2)."""
        player = state.player_of(self.unit)
        here = self.path[-1]
        around = neighbours(state.setting.grid)[here]
        if around[self.facing] is None and not self.ranged:
            return None
        shut = zones(state, 1 - player).all | enemy_squares(state, player) | squares_of(self.path)
        if self.ranged:
            shut |= state.occupied[player] & ~displaceable(state, self.unit)
        for tier in _MISSILE_TIERS if self.ranged else _TIERS:
            beyond = (around[(self.facing + off) % FACINGS] for off in tier)
            free = (at for at in beyond if at is not None and not shut >> at & 1)
            if found := tuple(at for at in free if step_allowed(state, player, here, at)):
                return found
        return None if around[self.facing] is None else ()

    def into(self, state: State, square: Square) -> State:
        """Return the state after a step: in a friend's square it goes on (BB 9.4.8.3)."""
        facing = direction(state.setting.grid, self.path[-1], square)
        assert facing is not None
        friend, pushed = state.at.get(square), None
        if friend is not None and not self.ranged:
            return self._through(state, friend, facing)
        if friend is not None:
            pushed = friend, self._push(state, friend)
            state = disrupted(state, friend)
        state = state.placed(self.unit, square, facing, pushed)
        state = rout_checks(state, self.unit, self.checks + len(self.path) - 1)
        return entered(state if friend is None else entered(state, friend), self.unit)

    def _through(self, state: State, friend: int, facing: int) -> State:
        """Go on from the square of a friend, who is disrupted unless either is light (BB 9.4.8.3)."""
        specs = state.setting.units
        if not specs[self.unit].counter.is_light and not specs[friend].counter.is_light:
            state = disrupted(state, friend)
        path = (*self.path, state.square_of(friend))
        return state.push_pending(Recoil(self.unit, facing, path, self.checks, False))

    def _push(self, state: State, friend: int) -> Square:
        """Return where a friend goes who is displaced: the square that is left, if it can be (ours)."""
        (left,) = self.path
        free = displacement_squares(state, friend, 1 << left)
        return left if left in free else free[0]


@dataclass(frozen=True, slots=True)
class Recoil(FallingBack, FollowUp[State]):
    """It steps, or its owner is asked; who cannot fall back is eliminated, or routs before missiles."""

    steady: bool = False
    """Whether a morale roll may spare it this: of an attacker whose defender must recoil, too (BB 9.4.8)."""

    def happen(self, state: State) -> State:
        """Take the only step; else leave the choice, or the unit is lost (BB 9.4.8.1)."""
        if self.steady:
            return ask_morale(state, SteadyRoll(self.unit, 1, self.facing, self.checks))
        found = self.steps(state)
        if found is None:
            if state.combat is not None and state.combat.target == self.unit:
                state = state.change_combat(off_map=True)
            return state.out_of_play(self.unit, Box.ELIMINATED)  # its leaders stay (ours)
        if not found and self.ranged:
            return routed(state, self.unit)
        if not found:
            return state.out_of_play(self.unit, Box.ELIMINATED)
        if len(found) == 1:
            return self.into(state, found[0])
        choice = RecoilChoice(self.unit, self.facing, self.path, self.checks, self.ranged)
        return state.push_pending(choice)


@dataclass(frozen=True, slots=True)
class SteadyRoll(MoraleRoll):
    """The morale roll of an attacker that spares it to recoil; rout checks are left."""

    what = "steadiness"
    facing: Annotated[int, range(FACINGS)] = 0
    checks: Count = 0

    def passed(self, state: State) -> State:
        return rout_checks(state, self.unit, self.checks)

    def failed(self, state: State) -> State:
        path = (state.square_of(self.unit),)
        return state.push_pending(Recoil(self.unit, self.facing, path, self.checks, False))


class FallBack(SquareAnswer):
    """Recoil into a square (BB 9.4.8.2)."""

    __slots__ = ()
    word = "recoil"
    section = "BB 9.4.8.2"


@dataclass(frozen=True, slots=True)
class RecoilChoice(FallingBack, SquareQuestion):
    """Its owner chooses between squares."""

    answers = (FallBack,)
    rule = (
        "a unit recoils to the squares nearest to straight behind it that it can enter, outside enemy zones "
        "(BB 9.4.8.2)"
    )

    def squares(self, state: State) -> tuple[Square, ...]:
        return self.steps(state) or ()

    def chosen(self, state: State, square: Square) -> State:
        return self.into(state, square)

    def player(self, state: State) -> int:
        return state.player_of(self.unit)

    def prompt(self, state: State) -> str:
        return f"where {state.unit_name(self.unit)} recoils to"


def apply_hits(state: State) -> State:
    """Apply the hits of a melee, those on the defender first, and let all follow that they cause (BB 9.4.7)."""
    combat = state.fight
    state = state.change_combat(stage=Stage.HITS)
    (hits, back), pushed, target, both = combat.hits_left, [], combat.target, False
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


def _damage(state: State, unit: int, hits: int, ranged: bool = False) -> UnitDamage:
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


def _wounded(state: State, unit: int, found: UnitDamage) -> State:
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
    """Hits of a melee on a unit."""

    unit: UnitNumber
    hits: Count
    source: SquareNumber
    """The square from which they come."""
    both: bool
    """Whether the defender must recoil, too: then morale may spare an attacker that (BB 9.4.8)."""

    def problems(self, state: State) -> list[str]:
        square = state.units[self.unit].square
        near = square is None or direction(state.setting.grid, self.source, square) is not None
        return [] if near else [f"source: square {self.source} is not beside the unit"]

    def lapses(self, state: State) -> bool:
        return state.units[self.unit].square is None

    def happen(self, state: State) -> State:
        unit, square = self.unit, state.square_of(self.unit)
        found = _damage(state, unit, self.hits)
        if found.recoils:
            away = direction(state.setting.grid, self.source, square)
            assert away is not None
            recoil = Recoil(unit, away, (square,), found.checks, False, self.both)
            state = state.push_pending(recoil)
        return _wounded(state, unit, found)
