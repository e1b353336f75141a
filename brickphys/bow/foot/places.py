"""Places: what every stud that a unit can reach is worth to it, by the parts of the one sum of `worth`.

It is the worth of the battle with the unit there at the end of its turn, up to a constant, and nearly so: each enemy is
taken to strike where it takes most, and who is struck already counts less to the next.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from brickphys.bow.field import Stud
from brickphys.bow.outlook import PARTS, Outlook, aim_points, area_points
from brickphys.bow.reach import middles, steps_from
from brickphys.bow.state import NOBODY, State
from brickphys.bow.threat import Marks, Ways, strike, unit_ways
from brickphys.bow.worth import Worth
from brickphys.grid.grid import each
from brickphys.rules.aims import Hold, Reach
from brickphys.rules.game import Game
from brickphys.rules.record import CHANCE
from brickphys.rules.words import Action
from brickphys.units import Array, Indices

WON = 400.0
"""Points of a place at which an aim is met."""
_MOST_ROLLS = 3
_SHARED = 0.25
"""An enemy that can strike another one as well counts so much for each of both."""


@dataclass(frozen=True, eq=False)
class Sides:
    """What each side threatens in a state, seen by one team; shared by all units that are planned."""

    worth: Worth
    state: State
    team: int

    @cached_property
    def outlook(self) -> Outlook:
        """The values of units and targets."""
        return Outlook.of(self.state)

    @cached_property
    def gains(self) -> tuple[Indices, Array]:
        """The units that can attack, and what each takes from each mark, in cost points."""
        owners, rows = self.worth.rows(self.outlook.forces)
        return owners, rows * self.outlook.mark_values

    @cached_property
    def enemies(self) -> list[int]:
        """The enemy units in play."""
        team = self.state.setting.team
        return [unit for unit, _ in self.state.in_play() if team(unit) != self.team]

    @cached_property
    def next_team(self) -> int:
        """The team that moves after the turn of a unit: that of the next player of another team."""
        teams, player = self.state.setting.teams, self.state.player
        order = (teams[(player + step) % len(teams)] for step in range(1, len(teams) + 1))
        return next((team for team in order if team != self.team), self.team)

    @cached_property
    def now(self) -> float:
        """What the battle is worth as it is, before the turn of the next team, in cost points."""
        return self.points(self.state)

    def points(self, state: State) -> float:
        """Return what a state is worth to the team before the turn of the next one, in cost points."""
        if state.result is not None:
            won = state.result == self.team
            return 0.0 if state.result == NOBODY else WON if won else -WON
        return self.worth.points(state, self.team, self.next_team)

    def gain(
        self, game: Game[State, Action[State], State], state: State, action: Action[State]
    ) -> float:
        """Return what an action gains by its law, in cost points; what it leaves to be answered is open."""
        chances, total = {game.apply(state, action): 1.0}, 0.0
        for _ in range(_MOST_ROLLS):
            after = dict[State, float]()
            for one, chance in chances.items():
                if game.actor(one) != CHANCE:
                    total += chance * self.points(one)
                    continue
                for outcome, share in game.chance(one).expected(self.worth.brick_law).items():
                    then = game.apply(one, outcome)
                    after[then] = after.get(then, 0.0) + chance * float(share)
            chances = after
        total += sum(chance * self.points(one) for one, chance in chances.items())
        return total - self.now

    def likely(self, unit: int) -> float:
        """Return how surely a unit acts before its target does again."""
        return 1.0 if self.state.is_unplayed(unit) else PARTS["played"]

    def most_taken(self, enemy: int, but: int | None = None) -> float:
        """Return the most that an enemy takes from any mark but one unit, in cost points."""
        owners, gains = self.gains
        found = np.flatnonzero(owners == enemy)
        if not len(found):
            return 0.0
        row = gains[found[0]]
        if but is not None:
            row = row[self.outlook.forces.marks.unit != but]
        return float(row.max(initial=0.0))

    def prize(self, name: str) -> float:
        """Return what it is worth to destroy an enemy: itself, and what it would do next, in cost points."""
        setting, marks = self.state.setting, self.outlook.forces.marks
        vehicle = setting.vehicle_numbers.get(name)
        if vehicle is not None:
            row = np.flatnonzero(marks.vehicle == vehicle)
            return float(self.outlook.mark_values[row[0]]) if len(row) else 0.0
        unit = setting.unit_numbers[name]
        row = np.flatnonzero(marks.unit == unit)
        if not len(row):
            return 0.0
        return float(self.outlook.mark_values[row[0]]) + self.threat(unit)

    def threat(self, enemy: int) -> float:
        """Return what an enemy may take in its next turn, as far as it counts, in cost points."""
        return self.worth.weights["next"] * self.likely(enemy) * self.most_taken(enemy)


@dataclass(frozen=True, eq=False)
class Places:
    """The worth of some studs for a unit on foot at the end of its turn.

    Attributes
    ----------
    studs : ndarray of int, shape (n,)
        The studs, in ascending order.
    """

    sides: Sides
    state: State
    """With the unit as it is, such as with what it has just picked up."""
    unit: int
    studs: Indices

    @cached_property
    def values(self) -> Array:
        """The worth of each stud in cost points, shape (n,)."""
        weights = self.sides.worth.weights
        found: Array = (
            weights["later"] * self.chances
            - weights["next"] * self.dangers
            + weights["near"] * self.nearness
            + weights["aims"] * (self.aims + self.bars)
        )
        return found

    def value(self, stud: Stud) -> float:
        """Return the worth of a stud among them."""
        return float(self.values[self.index(stud)])

    def index(self, stud: Stud) -> int:
        """Return the row of a stud among them."""
        return int(np.searchsorted(self.studs, stud))

    @cached_property
    def value_of_unit(self) -> float:
        """What the unit is worth, in cost points."""
        outlook = Outlook.of(self.state)
        return outlook.unit_values[self.unit] + outlook.aim_values.get(self.unit, 0.0)

    @cached_property
    def dangers(self) -> Array:
        """What the enemy takes there next, in cost points, shape (n,)."""
        sides, ways = self.sides, self.sides.outlook.forces.ways
        found = np.zeros(len(self.studs))
        theirs = np.isin(ways.owner, sides.enemies)
        if not theirs.any():
            return found
        rows = Ways._make(column[theirs] for column in ways)
        steps = np.stack([self._steps(int(stud)) for stud in rows.stud])
        shares = strike(sides.worth.shares, self.state, rows, self._as_mark, steps)
        owners, firsts = np.unique(rows.owner, return_index=True)
        hits = np.maximum.reduceat(shares, firsts, axis=0) * self.value_of_unit
        for enemy, hit in zip(owners.tolist(), hits, strict=True):
            other = sides.most_taken(enemy, self.unit)
            extra = np.maximum(0.0, hit - other) + _SHARED * np.minimum(hit, other)
            found += sides.likely(enemy) * extra
        capped: Array = np.minimum(found, self.value_of_unit)
        return capped

    @cached_property
    def chances(self) -> Array:
        """The most that the unit takes from there in its next turn, in cost points, shape (n,)."""
        best: Array = self.reached.max(axis=1, initial=0.0)
        return best * PARTS["played"]

    @cached_property
    def reached(self) -> Array:
        """What the unit takes from each enemy mark in its next turn from each stud, shape (n, marks)."""
        sides, outlook = self.sides, self.sides.outlook
        marks, mine = outlook.forces.marks, outlook.forces.mark_teams == sides.team
        rows = [row for row in unit_ways(self.state, self.unit) if not row[-1]]
        found = np.zeros((len(self.studs), len(marks.unit)))
        if not rows or not len(marks.unit):
            return found
        steps = np.stack([self._steps(int(stud)) for stud in marks.stud], axis=1)
        for row in rows:
            ways = self._moved(row)
            found = np.maximum(found, strike(sides.worth.shares, self.state, ways, marks, steps))
        found *= outlook.mark_values
        found[:, mine] = 0.0
        return found

    def _moved(self, way: tuple[float, ...]) -> Ways:
        """Return a way to attack from each of the studs; after a walk a unit looks where it wants."""
        (xs, ys), studs = middles(self.state.setting.field), self.studs
        nowhere = np.zeros(len(studs))
        ways = Ways._make(np.full(len(studs), value) for value in way)
        return ways._replace(stud=studs, x=xs[studs], y=ys[studs], ahead_x=nowhere, ahead_y=nowhere)

    @cached_property
    def _as_mark(self) -> Marks:
        now, (xs, ys) = self.state.units[self.unit], middles(self.state.setting.field)
        one, studs = np.ones(len(self.studs), np.intp), self.studs
        return Marks(
            unit=one * self.unit,
            vehicle=-one,
            stud=studs,
            x=xs[studs],
            y=ys[studs],
            radius=np.zeros(len(studs)),
            defence=one * (now.sheet.dodge_armor + now.guard),
            health=one * (now.sheet.health - now.damage),
            on_foot=one == 1,
            in_air=one == 0,
        )

    def _steps(self, stud: Stud) -> Array:
        row: Array = steps_from(self.state.board.terrain, 1 << stud)[self.studs].astype(float)
        return row

    @cached_property
    def nearness(self) -> Array:
        """What it is worth to be so near to an enemy, shape (n,)."""
        outlook = self.sides.outlook
        if self.unit in Outlook.of(self.state).errands:
            return np.zeros(len(self.studs))
        ways = outlook.way_to_prey(self.sides.team)[self.studs]
        return outlook.near_points(self.unit, ways, on_foot=True)

    @cached_property
    def aims(self) -> Array:
        """What it is worth to be so near to the area of an aim, shape (n,)."""
        outlook = Outlook.of(self.state)
        sheet = self.state.units[self.unit].sheet
        pace = max(1, sheet.move * sheet.action_budget)
        found = np.zeros(len(self.studs))
        area = outlook.errands.get(self.unit)
        if area is not None:
            steps = outlook.way_to(area)[self.studs]
            table = aim_points(np.arange(1000) / pace)
            found += table[np.minimum(steps, 999).astype(int)] + WON * (steps == 0)
        team = self.sides.team
        for aim in self.state.setting.aims:
            if isinstance(aim, Hold) or (
                isinstance(aim, Reach) and not aim.units and aim.team == team
            ):
                steps = outlook.way_to(aim.area)[self.studs]
                count = aim.count if isinstance(aim, Reach) else 1
                last = outlook.least_rounds(aim.area, team, self.unit, count)
                found += area_points(np.minimum(steps / pace, last), count)
                # one more in it keeps it when another falls
                found += 0.02 * PARTS["aim"] * np.exp(-steps / pace / 3.0)
        return found

    @cached_property
    def bars(self) -> Array:
        """What enemies on foot lose by who stands in a pass on their way to an aim, shape (n,)."""
        outlook, here = Outlook.of(self.sides.state), self.sides.outlook.forces.places[self.unit]
        found, ours = np.zeros(len(self.studs)), set(self.studs.tolist())
        for runner in outlook.runners(self.sides.team):
            enemies = outlook.in_the_way[outlook.state.setting.team(runner.unit)]
            others = enemies & ~(1 << here)
            before = outlook.run_points(runner, others)
            bars = np.zeros(len(self.studs))
            for one in outlook.passes_of(runner):
                rows = [stud for stud in each(one.studs & ~others) if stud in ours]
                if rows:
                    after = outlook.run_points(runner, others | 1 << rows[0])
                    k = np.searchsorted(self.studs, rows)
                    bars[k] = np.maximum(bars[k], before - after)
            found += bars
        return found
