"""Marches: where each unit of a formation moves, one after the other, by gain less a share of the risk.

A place is good where a unit comes nearer to its goal, looks at the enemy and can strike him next, and bad where he can
strike it, from behind most. No unit disrupts another one or ends in a friend's square.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from brickphys.blade_and_bow import ground
from brickphys.blade_and_bow.bot import LOOKS, NEAR, nearest_of, raid
from brickphys.blade_and_bow.command.actions import bonus
from brickphys.blade_and_bow.command.movement import GoToSquare, Unshield
from brickphys.blade_and_bow.deck import EffectVerb
from brickphys.blade_and_bow.sheets import charts
from brickphys.blade_and_bow.state import State
from brickphys.blade_and_bow.tactics.fights import fighter, vector, volley_cost
from brickphys.blade_and_bow.tactics.prospects import blow_at, exposed, loss_share
from brickphys.blade_and_bow.tactics.reach import Reach, reaches
from brickphys.blade_and_bow.ways import End, Ways, open_ground, ways
from brickphys.blade_and_bow.worth import guard
from brickphys.grid.grid import FACINGS, Square, Squares, each
from brickphys.rules.words import Action

REACH = 3
"""Distance in points at which a unit without missiles has reached an enemy."""
DISRUPTS = 0.3
"""Losses that a unit counts as that a way disrupts."""
LEAST = 0.0015
"""A move must be better by this than to stay, in shares of a rout level."""
GUARDS = 1.3
"""What it counts that the enemy comes first to a camp that decides the battle, in shares of a rout level."""
BESIDE = 0.0006
"""Worth of a friend beside a unit who looks the same way."""
_HALF = FACINGS // 2
_AT_ONCE = 0.6
"""The share of what a unit could strike that counts if it can do so before the enemy moves is above this."""
_CAUGHT = 0.35
"""Which share of its volleys a unit keeps that the enemy can strike before."""


@dataclass(frozen=True)
class Style:
    """How an army moves: what of the risk counts, and how much it wants to come near."""

    name: str
    risk: float
    drive: float = 1.0


STYLES = (Style("holds the line", 1.0, 0.5), Style("presses", 0.4, 1.0), Style("storms", 0.1, 1.5))
"""The styles of a march."""
HOLDING = STYLES[0]
WITHDRAWS = Style("withdraws", 2.0, -0.5)
WISHES = (*STYLES[1:], WITHDRAWS)
"""How a person may want a unit to move."""


@dataclass(frozen=True)
class Step:
    """A move of a unit to an end."""

    unit: int
    end: End
    gain: float
    """How much better it is there than where it stands."""


def bare(state: State, unit: int) -> State:
    """Return the state in which a unit has given up its shield wall, if it has one (BB 13.3)."""
    return state.change_unit(unit, wall=False) if state.units[unit].wall else state


def ways_of(state: State, unit: int) -> Ways:
    """Return the ways of a unit that begins to move; it gives up a shield wall first (BB 7.0, 13.3)."""
    more = bonus(state, EffectVerb.MOVEMENT, state.player_of(unit), unit)
    points = state.side(unit).movement + more
    if state.units[unit].wall:
        return ways(bare(state, unit), unit, points - charts().points["drop_wall"])
    return ways(state, unit, points)


class Marcher:
    """Finds the best ends of a player's units in a state.

    `soon` is the share that counts of what a unit could strike from its end: more if an action is left in the impulse.
    """

    def __init__(self, state: State, player: int, style: Style, soon: float) -> None:
        self.player, self.style, self.soon = player, style, soon
        self.enemies: Sequence[Reach] = reaches(state, 1 - player)
        self.ground = open_ground(state, player)
        self.raiders = raid(state, player)
        self.raid_worth = 0.0
        if self.raiders.squares:
            self.raid_worth = self.raiders.worth
        self.share = loss_share(state, player)
        self.guard = guard(state, player)
        awaits = state.setting.special.minor_to == player
        self.drive = 0.0 if awaits else style.drive

    @cached_property
    def endangered(self) -> Squares:
        """The squares that some enemy can hit."""
        found = 0
        for one in self.enemies:
            found |= one.every
        return found

    def best(self, state: State, unit: int) -> Step | None:
        """Return the best move of a unit as the others stand; None if it should stay."""
        here = state.square_of(unit), state.units[unit].facing
        now = self.score(state, unit, here)
        found: tuple[float, End] | None = None
        ranked: list[tuple[float, End]] = []
        state, table = bare(state, unit), ways_of(state, unit)
        own = state.occupied[self.player]
        for end in table:
            if own >> end[0] & 1 and end[0] != here[0]:
                continue
            ranked.append((self._cheap(state, unit, end), end))
        ranked.sort(key=lambda one: (-one[0], one[1]))
        for cheap, end in ranked:
            if found is not None and cheap <= found[0]:
                break
            value = cheap - self.style.risk * self._risk(state, unit, end)
            if found is not None and value <= found[0]:
                continue
            value -= DISRUPTS * self.share * len(table[end].disrupted)
            if found is None or value > found[0]:
                found = value, end
        if found is None or found[0] < now + LEAST:
            return None
        return Step(unit, found[1], found[0] - now)

    def score(self, state: State, unit: int, end: End) -> float:
        """Return the worth of a unit in a place, in shares of rout levels."""
        return self._cheap(state, unit, end) - self.style.risk * self._risk(state, unit, end)

    def _cheap(self, state: State, unit: int, end: End) -> float:
        square, facing = end
        grid = state.setting.grid
        side = state.side(unit)
        enemies = state.occupied[1 - self.player]
        far, nearest = nearest_of(state.setting, self.ground, square, enemies)
        value = -NEAR * self.drive * max(far - max(side.missile_range - 1, REACH), 0)
        if nearest is not None and ground.arc(grid, square, facing) >> nearest & 1:
            value += LOOKS
        if state.square_of(unit) in self.raiders.squares:
            value -= self.raid_worth * self.raiders.far[square]
        if self.guard is not None and self.guard.unit == unit:
            value -= GUARDS * self.guard.want(self.guard.far[square])
        if not state.units[unit].disrupted:
            value += self.soon * max(
                self._strikes(state, unit, square, facing),
                self._shoots(state, unit, square, facing) if side.missile_dice else 0.0,
            )
        value += BESIDE * self._friends(state, unit, square, facing)
        return value

    def _friends(self, state: State, unit: int, square: Square, facing: int) -> int:
        around, start = ground.neighbours(state.setting.grid)[square], state.square_of(unit)
        count = 0
        for off in (2, -2):
            other = around[(facing + off) % FACINGS]
            if other is not None and other != start:
                friend = state.at.get(other)
                if friend is not None and state.player_of(friend) == self.player:
                    count += state.units[friend].facing == facing
        return count

    def _strikes(self, state: State, unit: int, square: Square, facing: int) -> float:
        """Return what the best attack of a unit brings from a place."""
        around = ground.neighbours(state.setting.grid)[square]
        enemies = state.occupied[1 - self.player]
        ahead = around[facing]
        offs: Iterable[int] = ground.AHEAD
        if ahead is not None and enemies >> ahead & 1:
            offs = (0,)
        best = 0.0
        for off in offs:
            towards = (facing + off) % FACINGS
            other = around[towards]
            if other is None or not enemies >> other & 1:
                continue
            target = state.at[other]
            side = vector((towards + _HALF) % FACINGS, state.units[target].facing)
            struck = fighter(state, target)
            best = max(best, blow_at(state, self.player, unit, struck, square, side, other))
        return best

    def _shoots(self, state: State, unit: int, square: Square, facing: int) -> float:
        """Return what a volley brings that a unit can shoot from a place, with a comrade's dice."""
        if ground.zones(state, 1 - self.player).all >> square & 1:
            return 0.0
        grid, side = state.setting.grid, state.side(unit)
        field = ground.arc(grid, square, facing) & ground.within(grid, square, side.missile_range)
        best = 0.0
        for place in each(field & state.occupied[1 - self.player]):
            if ground.sees(state, square, place):
                struck = fighter(state, state.at[place])
                cover = state.setting.terrain[place].cover
                cost = volley_cost(2 * side.missile_dice, struck, cover)
                best = max(best, 0.5 * loss_share(state, 1 - self.player) * cost)
        is_caught = self.soon < _AT_ONCE and self.endangered >> square & 1
        return best * (_CAUGHT if is_caught else 1.0)

    def _risk(self, state: State, unit: int, end: End) -> float:
        square, facing = end
        if not self.endangered >> square & 1:
            return 0.0
        return exposed(state, self.player, unit, square, facing, self.enemies)

    def steps(self, state: State, units: Sequence[int]) -> tuple[list[Step], State]:
        """Return the moves of some units in their order, and the state after them; those without gain stay."""
        left = sorted(units, key=lambda unit: self._order(state, unit))
        found: list[Step] = []
        for _ in range(2):  # a second time for those who were in the way of one another
            stayed = []
            for unit in left:
                step = self.best(state, unit)
                if step is None:
                    stayed.append(unit)
                    continue
                found.append(step)
                state = self.placed(state, step)
            if len(stayed) == len(left):
                break
            left = stayed
        return found, state

    def placed(self, state: State, step: Step) -> State:
        """Return the state after a move, without what becomes of leaders in its way."""
        way = ways_of(state, step.unit)[step.end]
        state = bare(state, step.unit)
        for harmed in way.disrupted:
            state = state.change_unit(harmed, disrupted=True, wall=False)
        return state.placed(step.unit, *step.end)

    def _order(self, state: State, unit: int) -> tuple[int, int]:
        square = state.square_of(unit)
        far, _ = nearest_of(state.setting, self.ground, square, state.occupied[1 - self.player])
        return far, unit


def going(state: State, step: Step) -> Iterator[Action[State]]:
    """Yield the actions with which a unit goes that is taken."""
    square, facing = step.end
    if state.units[step.unit].wall:
        yield Unshield()
    yield GoToSquare(state.setting.squares[square], facing)
