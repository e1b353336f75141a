"""Ideas: what a unit on foot or in a seat may do up to the next roll, each with a cheap worth in cost points.

Attacks count by their exact law, with the best use of the actions that are left: another attack, or a walk out of
reach. Places count by `places`; what a walk leads to is tried on the board only where the tables promise something.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from brickphys.bow.actions.attack import AttackEnemy, attack_plan
from brickphys.bow.actions.damage import health_left
from brickphys.bow.actions.movement import ChangeFacing, Walk
from brickphys.bow.actions.targets import weapon_in_use
from brickphys.bow.actions.use_custom import CustomActionRoll, Use
from brickphys.bow.field import Stance, Stud
from brickphys.bow.foot.places import Places, Sides
from brickphys.bow.reach import (
    AHEAD,
    COVERED,
    HIDDEN,
    OPEN,
    blocks,
    members,
    middles,
    sight_between,
)
from brickphys.bow.sheets.library import EffectKind, OpposedAction
from brickphys.bow.sheets.rulebook import COVER_BRICKS, RULER_STUDS
from brickphys.bow.sight import Visibility, sights
from brickphys.bow.state import NOBODY, State
from brickphys.bow.terrain import Board, Reachable, reachable
from brickphys.bow.threat import Shares, unit_ways
from brickphys.grid.grid import nearest_facing
from brickphys.rules.game import Game
from brickphys.rules.words import Action
from brickphys.text import spoken
from brickphys.units import Array, Indices

Actions = tuple[Action[State], ...]
_MOST_TARGETS = 4
_TRIED = 5
"""Places that are tried on the board, for each number of actions that are left there."""
_LOOKED_AT = 16
"""Places from which it is worked out what is really seen, likewise."""
_KEPT_MOVES = 2
_SEEN = {Visibility.HIDDEN: HIDDEN, Visibility.COVERED: COVERED, Visibility.OPEN: OPEN}


@dataclass(frozen=True, slots=True)
class Idea:
    """What a unit may do."""

    points: float
    """The worth of the battle then, up to a constant that is the same for all ideas of a unit, in cost points."""
    purpose: str
    """As in a plan."""
    actions: Actions


@dataclass(frozen=True, eq=False)
class Target:
    """An attack that is legal here."""

    action: AttackEnemy | Use
    law: Array
    """The chance of each damage."""
    health: int
    prize: float

    @property
    def purpose(self) -> str:
        """What the attack is for, with its chance to kill."""
        action, dead = self.action, float(self.law[self.health :].sum())
        how = action.weapon if isinstance(action, AttackEnemy) else action.action
        return f"attacks {spoken(action.target)} with {spoken(how)} (kill {dead:.0%})"


def targets_here(sides: Sides, state: State) -> list[Target]:
    """Return the best attacks of the active unit from where it is, those that gain most first."""
    found = list(_attacks(sides, state))
    found.sort(key=lambda one: -one.prize * _mean_lost(one))
    best = dict[str, Target]()
    for one in found:
        best.setdefault(one.action.target, one)
    return list(best.values())[:_MOST_TARGETS]


def _attacks(sides: Sides, state: State) -> Iterator[Target]:
    shares = sides.worth.shares
    for attack in AttackEnemy.legal(state):
        weapon = weapon_in_use(state, attack.weapon)
        assert weapon is not None
        plan = attack_plan(state, attack.target, weapon)
        law = shares.damage(plan.attack, plan.defence)
        health = health_left(state, attack.target)
        yield Target(attack, law, health, sides.prize(attack.target))
    if state.setting.actions:
        for use in Use.legal(state):
            if does_damage(state, use):
                roll = CustomActionRoll(use.action, use.target).event(state)
                law = shares.damage(roll.attack, roll.defence)
                yield Target(use, law, health_left(state, use.target), sides.prize(use.target))


def does_damage(state: State, use: Use) -> bool:
    """Tell whether a custom action damages an enemy by how much its roll is won (BOW B.3)."""
    action = state.setting.actions[use.action]
    is_enemy = use.target in state.setting.vehicle_numbers or state.are_enemies(
        state.setting.unit_numbers.get(use.target, state.active), state.active
    )
    return (
        isinstance(action, OpposedAction)
        and action.effect.kind is EffectKind.DAMAGE
        and action.actions == 1
        and is_enemy
    )


def _mean_lost(one: Target) -> float:
    chances: list[float] = one.law.tolist()
    return sum(p * Shares.lost(points, one.health) for points, p in enumerate(chances))


def attack_ideas(sides: Sides, state: State, stay: float, away: float) -> Iterator[Idea]:
    """Yield an attack on each of the best targets from here.

    `stay` and `away` are the worth of the place, and of the best one that a last action leads to.
    """
    left = state.actions_left
    targets = targets_here(sides, state) if left else []

    @cache
    def best(left: int, hurt: tuple[int, ...]) -> float:
        value = max(stay, away) if left else stay
        if left:
            open_ = [n for n, target in enumerate(targets) if hurt[n] < target.health]
            value = max([value, *(shot(n, left, hurt) for n in open_)])
        return value

    def shot(number: int, left: int, hurt: tuple[int, ...]) -> float:
        target, total, rest = targets[number], 0.0, 1.0
        health = target.health - hurt[number]
        for points, chance in enumerate(target.law.tolist()):
            last = points >= health
            share = rest if last else chance
            rest -= chance
            if share > 1e-9:
                done = min(points, health)
                lost = Shares.lost(hurt[number] + done, target.health)
                gain = target.prize * (lost - Shares.lost(hurt[number], target.health))
                after = (*hurt[:number], hurt[number] + done, *hurt[number + 1 :])
                total += share * (gain + best(left - 1, after))
            if last:
                break
        return total

    for number, target in enumerate(targets):
        yield Idea(shot(number, left, (0,) * len(targets)), target.purpose, (target.action,))


@dataclass(frozen=True, eq=False)
class Walker:
    """A unit on foot in its turn."""

    game: Game[State, Action[State], State]
    sides: Sides
    state: State

    @property
    def unit(self) -> int:
        """The unit."""
        return self.state.active

    @property
    def start(self) -> Stud:
        """Where it stands."""
        stud = self.state.me.stud
        assert stud is not None
        return stud

    @cached_property
    def move(self) -> int:
        """How far it walks with one action, in studs."""
        return self.state.me.sheet.move

    @cached_property
    def way(self) -> Reachable:
        """Where it can walk in this turn."""
        return reachable(self.state.board, self.start, self.move * self.state.actions_left)

    @cached_property
    def places(self) -> Places:
        """The worth of the studs that it can reach in this turn."""
        return self.places_of(self.state)

    def places_of(self, state: State) -> Places:
        """Return the worth of these studs for the unit as it is in a state."""
        studs = members(state.setting.field, self.way.studs)
        return Places(self.sides, state, self.unit, studs)

    @cached_property
    def walks(self) -> Indices:
        """The actions that it takes to come to each of them; 1 to turn on the spot."""
        steps = self.way.steps
        counts = np.array([steps[stud] for stud in self.places.studs.tolist()])
        found: Indices = np.maximum(1, -(-counts // max(1, self.move)))
        return found

    @cached_property
    def hold(self) -> float:
        """The worth of doing nothing."""
        return self.places.value(self.start)

    def ideas(self) -> list[Idea]:
        """Return what it may do, in no order, holding not among them."""
        if not self.state.actions_left:
            return []
        found = list(self._attacks(self.state, self.start))
        found += self._charges()
        found += self._moves()
        return found

    def _attacks(self, state: State, stud: Stud) -> Iterator[Idea]:
        """Yield the attacks from a stud, in a state in which the unit stands there."""
        return attack_ideas(self.sides, state, self.places.value(stud), self._away(state, stud))

    def _away(self, state: State, stud: Stud) -> float:
        """Return the worth of the best place that one walk leads to."""
        near = reachable(state.board, stud, self.move).studs & self.way.studs
        rows = np.searchsorted(self.places.studs, members(state.setting.field, near))
        return float(self.places.values[rows].max())

    def _charges(self) -> Iterator[Idea]:
        """Yield walks to places from which an attack promises most."""
        places, left = self.places, self.state.actions_left
        for count in range(1, left):
            rows = np.flatnonzero(self.walks == count)
            if not len(rows):
                continue
            for k in self._promising(rows, left - count):
                yield from self._charge(int(places.studs[rows[k]]), count)

    def _promising(self, rows: Indices, attacks: int) -> list[int]:
        """Return which of some places promise most, by the sight between blocks, then by what is really seen."""
        values = self.places.values[rows]
        promise = self._promise(rows, attacks)
        order = np.argsort(-values - promise, kind="stable")
        order = order[promise[order] > 0.0][:_LOOKED_AT]
        if not self._shoots or not len(order):
            return [int(k) for k in order[:_TRIED]]
        promise = self._promise(rows[order], attacks, self._seen(rows[order]))
        best = np.argsort(-values[order] - promise, kind="stable")
        return [int(order[k]) for k in best if promise[k] > 0.0][:_TRIED]

    @cached_property
    def _shoots(self) -> bool:
        return any(row[7] for row in unit_ways(self.state, self.unit))

    def _seen(self, rows: Indices) -> npt.NDArray[np.uint8]:
        """Return how much is seen of each enemy mark from places, shape (rows, enemy marks)."""
        state, marks = self.state, self.sides.outlook.forces.marks
        field, found = state.setting.field, list[list[int]]()
        board = Board(
            state.board.terrain, state.board.units & ~(1 << self.start), state.board.vehicles
        )
        targets, without = list[Stance](), set[str]()
        for k in self._theirs.tolist():
            unit, vehicle = int(marks.unit[k]), int(marks.vehicle[k])
            if unit != NOBODY:
                targets.append(state.stance(unit))
                seat = state.units[unit].seat
                vehicle = NOBODY if seat is None else seat[0]
            else:
                body = state.vehicle_body(vehicle)
                targets.append(Stance(body.x_studs, body.y_studs, body.bottom_plates))
            if vehicle != NOBODY:
                without.add(state.setting.vehicles[vehicle].name)
        for stud in self.places.studs[rows].tolist():
            seen = sights(board, field.stances[stud], targets, without)
            found.append([_SEEN[one] for one in seen])
        return np.array(found, np.uint8)

    @cached_property
    def _theirs(self) -> Indices:
        """The rows of the enemy's marks."""
        return np.flatnonzero(self.sides.outlook.forces.mark_teams != self.sides.team)

    def _charge(self, stud: Stud, count: int) -> Iterator[Idea]:
        end, walk = self.walked(stud, count)
        if end is None:
            return
        for facing in self.facings(stud)[:2]:
            face = ChangeFacing(facing)
            there = self.game.apply(end, face)
            if there.active != self.unit or not there.actions_left:
                continue
            best = max(self._attacks(there, stud), key=lambda idea: idea.points, default=None)
            if best is not None:
                yield Idea(
                    best.points, f"moves up and {best.purpose}", (*walk, face, *best.actions)
                )
                return

    def _promise(
        self, rows: Indices, attacks: int, seen: npt.NDArray[np.uint8] | None = None
    ) -> Array:
        """Return what some attacks from places would take, in cost points.

        `seen` is how much is seen of each enemy mark from each place; the sight between blocks counts, if None.
        """
        sides, state, studs = self.sides, self.state, self.places.studs[rows]
        marks = sides.outlook.forces.marks
        xs, ys = middles(state.setting.field)
        of_stud = blocks(state.board.terrain).of_stud
        theirs, found = self._theirs, np.zeros(len(studs))
        if not len(theirs):
            return found
        dx = xs[studs][:, None] - marks.x[theirs]
        dy = ys[studs][:, None] - marks.y[theirs]
        air = np.hypot(dx, dy)
        straight = np.maximum(abs(dx), abs(dy)) - marks.radius[theirs]
        if seen is None:
            sight = sight_between(state.board.terrain)
            seen = sight[of_stud[studs][:, None], of_stud[marks.stud[theirs]]]
        prizes = self._prizes[theirs]
        for row in unit_ways(state, self.unit):
            bricks, reach, is_shot, bolt = int(row[5]), row[6], bool(row[7]), row[-2]
            if row[-1]:
                continue
            if is_shot:
                lost = np.ceil((air + 0.5) / RULER_STUDS - 1e-9).astype(int) - 1
                defence = marks.defence[theirs] + (seen == COVERED) * COVER_BRICKS
                if bolt:
                    is_near = (air <= bolt) & (marks.vehicle[theirs] < 0)
                    lost, defence = np.where(is_near, 0, bricks), np.zeros_like(defence)
                share = sides.worth.shares.of(
                    np.maximum(bricks - lost, 0), defence, marks.health[theirs], attacks
                ) * (seen > 0)
            else:
                share = sides.worth.shares.of(
                    bricks, marks.defence[theirs], marks.health[theirs], attacks
                ) * (straight <= reach + 0.1)
            found = np.maximum(found, (share * prizes).max(axis=1))
        return found

    @cached_property
    def _prizes(self) -> Array:
        setting, marks = self.state.setting, self.sides.outlook.forces.marks
        units, vehicles = marks.unit.tolist(), marks.vehicle.tolist()
        names = [
            setting.units[unit].name if unit >= 0 else setting.vehicles[vehicle].name
            for unit, vehicle in zip(units, vehicles, strict=True)
        ]
        return np.array([self.sides.prize(name) for name in names])

    def _moves(self) -> Iterator[Idea]:
        """Yield the walks to the best places, if they are better than to stand."""
        places = self.places
        order = np.argsort(-places.values, kind="stable")
        kept = list[Stud]()
        for row in order.tolist():
            stud = int(places.studs[row])
            if len(kept) == _KEPT_MOVES or places.values[row] <= self.hold + 1e-6:
                return
            if any(self._are_near(stud, other) for other in kept):
                continue
            count = int(self.walks[row])
            end, walk = self.walked(stud, count)
            if end is None:
                continue
            kept.append(stud)
            face = ChangeFacing(self.facings(stud)[0])
            yield Idea(float(places.values[row]), self._why(row), (*walk, face))

    def _are_near(self, one: Stud, other: Stud) -> bool:
        xs, ys = middles(self.state.setting.field)
        return bool(max(abs(xs[one] - xs[other]), abs(ys[one] - ys[other])) <= 2.0)

    def _why(self, row: int) -> str:
        """Return what is gained at a place, in words."""
        places, weights = self.places, self.sides.worth.weights
        here, sides = places.index(self.start), self.sides
        nearer = "moves up"
        if not sides.outlook.errands.keys().isdisjoint(sides.enemies):
            nearer = "cuts off the carrier"
        parts = {
            "goes for its aim": weights["aims"] * (places.aims[row] - places.aims[here]),
            "bars the way": weights["aims"] * (places.bars[row] - places.bars[here]),
            "takes cover": weights["next"] * (places.dangers[here] - places.dangers[row]),
            "takes aim": weights["later"] * (places.chances[row] - places.chances[here]),
            nearer: weights["near"] * (places.nearness[row] - places.nearness[here]),
        }
        return max(parts, key=lambda why: parts[why])

    def walked(self, stud: Stud, count: int) -> tuple[State | None, Actions]:
        """Return the state before the facing of the last of some walks to a stud, and the actions up to there."""
        game, field = self.game, self.state.setting.field
        if count == 1:
            walk = Walk(field.xy(stud))
            return game.apply(self.state, walk), (walk,)
        path, state, done = self.way.path(stud), self.state, list[Action[State]]()
        for part in range(1, count + 1):
            at = path[min(part * self.move, len(path) - 1)]
            walk = Walk(field.xy(at))
            if game.problems(state, walk):
                return None, ()
            state = game.apply(state, walk)
            done.append(walk)
            if part < count:
                face = ChangeFacing(self._towards(at, stud))
                state = game.apply(state, face)
                done.append(face)
                if state.active != self.unit:
                    return None, ()
        return state, tuple(done)

    def _towards(self, here: Stud, there: Stud) -> int:
        xs, ys = middles(self.state.setting.field)
        return nearest_facing(
            float(np.degrees(np.arctan2(ys[there] - ys[here], xs[there] - xs[here])))
        )

    def facings(self, stud: Stud) -> list[int]:
        """Return the eight facings at a stud, those first that look at what matters: near enemies count most."""
        sides = self.sides
        xs, ys = middles(self.state.setting.field)
        at = np.array([sides.outlook.forces.places[enemy] for enemy in sides.enemies], dtype=int)
        if not len(at):
            return list(range(8))
        dx, dy = xs[at] - xs[stud], ys[at] - ys[stud]
        studs = np.maximum(1.0, np.hypot(dx, dy))
        ahead = (AHEAD[:, :1] * dx + AHEAD[:, 1:] * dy) / studs
        looks = ((ahead >= -1e-6) + 0.2 * ahead) / studs**1.5
        order: list[int] = np.argsort(-looks.sum(axis=1), kind="stable").tolist()
        return order
