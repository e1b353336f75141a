"""Shooting: bows, crossbows, spears and catapults at figures, big catapults at walls, and reloading (MF Projectiles).

A shot is a pair of actions of its own: who shoots neither moves nor attacks, nor who reloads (MF Rules, MF Reloading).
After it come the bricks for its hits on figures, and those for a hit on a wall.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import compress
from math import dist
from typing import Annotated, ClassVar, NamedTuple, Self

from brickphys.geometry.polygon import Point
from brickphys.minifig import missiles
from brickphys.minifig.actions import FigureMove, finished
from brickphys.minifig.ground import seen, sees, sees_brick, things_touched
from brickphys.minifig.setting import (
    FigureNumber,
    ItemNumber,
    ItemSpec,
    ThingNumber,
    ThingSpec,
    WallNumber,
)
from brickphys.minifig.sheets import MissileRow, charts
from brickphys.minifig.state import Deed, State
from brickphys.projectiles.shot import PHASES
from brickphys.rules.events import Draw, Outcome, Shot
from brickphys.rules.moves import Among
from brickphys.rules.rolls import BrickRoll
from brickphys.rules.turn_state import Count, PendingRoll, number_problems
from brickphys.rules.words import ActionTypes
from brickphys.text import spoken


@dataclass(frozen=True, slots=True)
class ShotRoll(PendingRoll[State]):
    """A shot of a figure, with an item that it held or a catapult that it works, at a figure or a wall."""

    shooter: FigureNumber
    item: ItemNumber | None
    thing: ThingNumber | None
    target: FigureNumber | None
    wall: WallNumber | None

    def weapon(self, state: State) -> ItemSpec | ThingSpec:
        """Return the item or the catapult."""
        if self.thing is not None:
            return state.setting.things[self.thing]
        assert self.item is not None
        return state.setting.items[self.item]

    def missile(self, state: State) -> str:
        """Return its row of the chart of missiles; empty if it has none."""
        weapon = self.weapon(state)
        return (weapon.kind if isinstance(weapon, ThingSpec) else weapon.arm).missile or ""

    def aimed_at(self, state: State) -> str:
        """Return the name of its target."""
        setting = state.setting
        if self.target is not None:
            return setting.figures[self.target].name
        return setting.walls[self.wall or 0].name

    def from_in(self, state: State) -> Point:
        """Return the place that the missile flies from."""
        if self.thing is not None:
            return state.things[self.thing].place_in
        return state.figures[self.shooter].place_in

    def goal(self, state: State) -> missiles.Goal:
        """Return what it is aimed at."""
        if self.target is not None:
            row = charts().missiles[self.missile(state)]
            throws_over = row.indirect is not None and self.target != self.shooter
            is_hidden = throws_over and not sees(state, self.shooter, self.target)
            return missiles.Goal(self.target, is_hidden=is_hidden)
        assert self.wall is not None
        return missiles.Goal(
            None, self.wall, missiles.aimed_brick(state, self.wall, self.from_in(state))
        )

    def problems(self, state: State) -> list[str]:
        if (self.item is None) == (self.thing is None) or not self.missile(state):
            return ["pending: a shot needs a weapon or a catapult, not both"]
        if self.item is not None and state.items[self.item].holder != self.shooter:
            return ["pending: the shooter does not hold the weapon of the shot"]
        if (self.target is None) == (self.wall is None):
            return ["pending: a shot needs a figure or a wall as its target, not both"]
        goal = self.goal(state)
        if goal.brick is None and goal.figure in (None, self.shooter):
            return ["pending: the shot has no possible target"]
        if goal.figure is not None and not state.figures[goal.figure].is_alive:
            return ["pending: a shot at a dead figure"]
        fault = self.fault(state)
        return [] if fault is None else [f"pending: {fault}"]

    def target_fault(self, state: State) -> str | None:
        """Return why nobody shoots at its target; None if it is one."""
        name = self.aimed_at(state)
        if self.target is None:
            return f"nothing of {name} is left" if self.goal(state).brick is None else None
        if not state.figures[self.target].is_alive:
            return f"{name} is eliminated"
        is_enemy = state.are_enemies(self.shooter, self.target)
        return None if is_enemy else f"{name} is not an enemy"

    def fault(self, state: State) -> str | None:
        """Return why a shot at something that stands cannot be tried, besides sight; None if it can."""
        for figure in (self.shooter, self.target):
            if figure is not None and (fault := missiles.contact_fault(state, figure)):
                return fault
        return missiles.aim_fault(state, self.missile(state), self.from_in(state), self.goal(state))

    def event(self, state: State) -> Shot:
        missile, goal, setting = self.missile(state), self.goal(state), state.setting
        weights = missiles.shot_weights(state, missile, self.shooter, self.thing, goal)
        name, aimed = spoken(setting.figures[self.shooter].name), spoken(self.aimed_at(state))
        hidden = ", whom a wall hides," if goal.is_hidden else ""
        reason = f"{name} shoots at {aimed}{hidden} with a {spoken(missile)}"
        return Shot(weights, reason, situation=(missile, self.from_in(state), goal))

    def settle(self, state: State, outcome: Outcome) -> State:
        """Eliminate who is knocked over, ask for the bricks of other hits, and lay a spear where it ends."""
        missile, numbers = self.missile(state), state.setting.figure_numbers
        rolls: list[PendingRoll[State]] = []
        fallen, end = None, self.target
        for name, how in hits(outcome):
            if how.startswith(missiles.BRICK):
                brick = int(how.split(" ")[1])
                rolls.append(BreachRoll(state.setting.wall_numbers[name], brick, missile))
                continue
            end = numbers[name]
            figures = missiles.may_be_struck(state, end)
            if len(figures) > 1:
                rolls.append(MeleeHitRoll(figures, missile, how))
            elif how == missiles.KNOCKED_OVER:
                fallen = end
            else:
                rolls.append(HitRoll(end, missile, _phase(how)))
        if self.item is not None and state.setting.items[self.item].arm.leaves_hand:
            assert end is not None
            state = state.change_item(self.item, holder=None, at_in=state.figures[end].place_in)
        if fallen is not None:
            state = state.eliminated(fallen)
        return state.push_pending(*rolls)


def hits(outcome: Outcome) -> list[tuple[str, str]]:
    """Return the names of what a shot has hit, each with how, as `shot_weights` writes them."""
    if outcome == missiles.MISS:
        return []
    pairs = (hit.partition(" ") for hit in str(outcome).split(", "))
    return [(name, how) for name, _, how in pairs]


def _has_bricks(row: MissileRow, phase: str) -> bool:
    """Whether bricks are thrown after a hit that came so; not if there is no such phase."""
    return phase in PHASES and row.bricks_after(phase) > 0


def _phase(how: str) -> str:
    """Return how a missile hit a figure that it did not knock over, as a phase."""
    return PHASES[0] if how == missiles.HIT else how


@dataclass(frozen=True, slots=True)
class MeleeHitRoll(PendingRoll[State]):
    """Which figure of a melee a missile strikes that came to one of them: any is as likely (ours)."""

    figures: tuple[FigureNumber, ...]
    missile: str
    how: str
    """What it does to the figure that it strikes, as `shot_weights` writes it."""

    def problems(self, state: State) -> list[str]:
        row, how = charts().missiles.get(self.missile), _phase(self.how)
        if row is None or not (
            row.knocks_over if how == missiles.KNOCKED_OVER else _has_bricks(row, how)
        ):
            return [f"pending: {self.missile!r} strikes nobody as {self.how!r}"]
        if list(self.figures) != sorted({*self.figures}) or self.lapses(state):
            return [
                "pending: the figures of a melee are not in the order of their numbers, or none lives"
            ]
        return []

    def lapses(self, state: State) -> bool:
        return not any(state.figures[number].is_alive for number in self.figures)

    def event(self, state: State) -> Draw:
        figures = (number for number in self.figures if state.figures[number].is_alive)
        names = (state.setting.figures[number].name for number in figures)
        reason = f"who of the melee is struck by a {spoken(self.missile)}"
        return Draw.uniform(*names, reason=reason)

    def settle(self, state: State, outcome: Outcome) -> State:
        figure = state.setting.figure_numbers[str(outcome)]
        if self.how == missiles.KNOCKED_OVER:
            return state.eliminated(figure)
        return state.push_pending(HitRoll(figure, self.missile, _phase(self.how)))


@dataclass(frozen=True, slots=True)
class HitRoll(PendingRoll[State]):
    """The unopposed bricks for a figure that was hit, by a missile that was ``direct`` or ``bounced``."""

    figure: FigureNumber
    missile: str
    phase: str

    def problems(self, state: State) -> list[str]:
        row = charts().missiles.get(self.missile)
        if row is None or not _has_bricks(row, self.phase):
            return [f"pending: no bricks after a {self.phase} hit by {self.missile!r}"]
        alive = state.figures[self.figure].is_alive
        return [] if alive else ["pending: a hit on a dead figure"]

    def event(self, state: State) -> BrickRoll:
        name = spoken(state.setting.figures[self.figure].name)
        bounced = " after a bounce" if self.phase == "bounced" else ""
        bricks = charts().missiles[self.missile].bricks_after(self.phase)
        return BrickRoll(bricks, f"{name} is hit by a {spoken(self.missile)}{bounced}")

    def settle(self, state: State, outcome: Outcome) -> State:
        return state.eliminated(self.figure) if outcome else state


@dataclass(frozen=True, slots=True)
class BreachRoll(PendingRoll[State]):
    """The unopposed bricks after a direct hit on a brick of a wall."""

    wall: WallNumber
    brick: Count
    missile: str

    def problems(self, state: State) -> list[str]:
        row, spec = charts().missiles.get(self.missile), state.setting.walls[self.wall]
        if row is None or not row.besieges:
            return [f"pending: {self.missile!r} cannot besiege a wall"]
        if self.brick in state.walls[self.wall]:
            return [f"pending: brick {self.brick} of {spec.name} is out"]
        return number_problems("brick", self.brick, len(spec.spans))

    def event(self, state: State) -> BrickRoll:
        name = spoken(state.setting.walls[self.wall].name)
        bricks = charts().missiles[self.missile].bricks
        return BrickRoll(bricks, f"{name} is hit by a {spoken(self.missile)}")

    def settle(self, state: State, outcome: Outcome) -> State:
        return state.without_brick(self.wall, self.brick) if outcome else state


class Launcher(NamedTuple):
    """What a figure can shoot with."""

    words: tuple[str, ...]  # of the actions that shoot it
    name: str
    item: int | None
    thing: int | None
    reloads: bool
    is_loaded: bool
    is_worked: bool  # in this round, by another figure of the crew

    def loaded(self, state: State, *, is_loaded: bool) -> State:
        """Return the state in which it is loaded, or empty if it reloads."""
        if not self.reloads:
            return state
        if self.item is not None:
            return state.change_item(self.item, is_loaded=is_loaded)
        assert self.thing is not None
        return state.change_thing(self.thing, is_loaded=is_loaded, worked_round=state.round)


def launchers(state: State, figure: int) -> Iterator[Launcher]:
    """Yield the weapons that a figure holds, then the catapults that it works: on foot, in touch with them (ours)."""
    setting = state.setting
    for number in state.held.get(figure, ()):
        item, is_loaded = setting.items[number], state.items[number].is_loaded
        if item.arm.missile:
            word = "throw" if item.arm.leaves_hand else "shoot"
            yield Launcher((word,), item.name, number, None, item.arm.reloads, is_loaded, False)
    is_crew = setting.figures[figure].kind.hands and state.figures[figure].horse is None
    if is_crew and setting.has_catapults:
        for number in things_touched(state, figure):
            thing, now = setting.things[number], state.things[number]
            if (kind := thing.kind).missile:
                besieges = charts().missiles[kind.missile].besieges
                words = ("launch", *["besiege"] * besieges)
                state_now = now.is_loaded, now.worked_round == state.round
                yield Launcher(words, thing.name, None, number, kind.reloads, *state_now)


class _Shot(FigureMove):
    """A shot of the active figure."""

    __slots__ = ()

    section = "MF Projectiles"
    lacks: ClassVar[str]
    """What a figure lacks that cannot make it, for messages."""

    @classmethod
    def launcher(cls, state: State, figure: int) -> Launcher | None:
        """Return what a figure shoots; None if nothing is loaded."""
        able = (one for one in launchers(state, figure) if one.is_loaded and not one.is_worked)
        return next((one for one in able if cls.word in one.words), None)

    @staticmethod
    def roll(figure: int, launcher: Launcher, target: int) -> ShotRoll:
        """Return the shot at a target."""
        return ShotRoll(figure, launcher.item, launcher.thing, target, None)

    def refusals(self, state: State, figure: int, target: int) -> Iterator[str]:
        launcher = self.launcher(state, figure)
        if launcher is None:
            name = state.setting.figures[figure].name
            yield f"{name} has {self.lacks} (MF Projectiles, MF Reloading)"
        elif fault := _fault(state, self.roll(figure, launcher, target)):
            yield fault

    def result(self, state: State, figure: int, target: int) -> State:
        """Shoot: what reloads is empty now, and the figure is done for this round."""
        launcher = self.launcher(state, figure)
        assert launcher is not None
        state = launcher.loaded(state, is_loaded=False)
        return finished(state, Deed.OTHER).push_pending(self.roll(figure, launcher, target))


def _fault(state: State, roll: ShotRoll) -> str | None:
    """Return why a shot cannot be tried; None if it can."""
    if fault := roll.target_fault(state) or roll.fault(state):
        return fault
    how = ""
    if roll.target is not None:
        over_walls = _over_walls(state, roll)
        is_seen = sees(state, roll.shooter, roll.target, over_walls=over_walls)
        how = ": a hill is in the way" * over_walls
    else:
        goal = roll.goal(state)
        assert goal.wall is not None
        assert goal.brick is not None
        is_seen = sees_brick(state, roll.shooter, goal.wall, goal.brick)
    name = state.setting.figures[roll.shooter].name
    return None if is_seen else f"{name} cannot see {roll.aimed_at(state)}{how}"


def _over_walls(state: State, roll: ShotRoll) -> bool:
    """Whether a weapon throws at figures that walls hide, with more scatter (ours)."""
    return charts().missiles[roll.missile(state)].indirect is not None


@dataclass(frozen=True, slots=True)
class _ShotAtEnemy(_Shot):
    target: Annotated[str, Among("target", lambda state, _: state.setting.figure_numbers)]

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        launcher = cls.launcher(state, figure)
        if launcher is None or missiles.contact_fault(state, figure):
            return
        shot, figures = cls.roll(figure, launcher, figure), state.setting.figures
        aims = shot.missile(state), shot.from_in(state)
        enemies = [
            one
            for one in state.enemies(figure)
            if not (
                missiles.contact_fault(state, one)
                or missiles.aim_fault(state, *aims, missiles.Goal(one))
            )
        ]
        able = seen(state, figure, enemies, over_walls=_over_walls(state, shot))
        yield from (cls(figures[enemy].name) for enemy in compress(enemies, able))

    @classmethod
    def is_possible(cls, state: State) -> bool:
        """Whether the figure can shoot at anyone: mostly at the nearest enemy."""
        figure = state.active
        if figure is None or state.step not in cls.steps:
            return False
        launcher, there = cls.launcher(state, figure), state.figures
        if launcher is None:
            return False
        apart_in = partial(dist, there[figure].place_in)
        nearest = min(
            state.enemies(figure), key=lambda one: apart_in(there[one].place_in), default=figure
        )
        return _fault(state, cls.roll(figure, launcher, nearest)) is None or any(cls.legal(state))


class ShootBow(_ShotAtEnemy):
    """Shoot a bow or a crossbow at an enemy (MF Projectiles)."""

    __slots__ = ()
    word = "shoot"
    lacks = "no loaded bow or crossbow in hand"


class ThrowSpear(_ShotAtEnemy):
    """Throw a spear at an enemy; it lies where it hits, or where it was aimed at (MF Projectiles)."""

    __slots__ = ()
    word = "throw"
    lacks = "no spear in hand"


class Launch(_ShotAtEnemy):
    """Shoot a catapult that the figure touches at an enemy (MF Projectiles)."""

    __slots__ = ()
    word = "launch"
    lacks = "no free loaded catapult that it touches"


@dataclass(frozen=True, slots=True)
class Besiege(_Shot):
    """Shoot a big catapult that the figure touches at a wall, at the nearest brick that stands (MF Projectiles)."""

    word = "besiege"
    lacks = "no free loaded big catapult that it touches"
    target: Annotated[str, Among("target", lambda state, _: state.setting.wall_numbers)]

    @staticmethod
    def roll(figure: int, launcher: Launcher, target: int) -> ShotRoll:
        return ShotRoll(figure, launcher.item, launcher.thing, None, target)

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        if cls.launcher(state, figure) is None or missiles.contact_fault(state, figure):
            return iter(())
        return super(Besiege, cls).listed(state, figure)


def _to_reload(state: State, figure: int) -> dict[str, Launcher]:
    return {one.name: one for one in launchers(state, figure) if one.reloads}


@dataclass(frozen=True, slots=True)
class ReloadWeapon(FigureMove):
    """Reload a crossbow in the hand, or a catapult that the figure touches: its whole round (MF Reloading)."""

    word = "reload"
    section = "MF Reloading"
    weapon: Annotated[str, Among("weapon", _to_reload)]

    def refusals(self, state: State, figure: int, weapon: Launcher) -> Iterator[str]:
        if weapon.is_loaded:
            yield f"{weapon.name} is already loaded"
        elif weapon.is_worked:
            yield f"{weapon.name} has shot in this round"

    def result(self, state: State, figure: int, weapon: Launcher) -> State:
        return finished(weapon.loaded(state, is_loaded=True), Deed.OTHER)


SHOTS: ActionTypes = (ShootBow, ThrowSpear, Launch, Besiege, ReloadWeapon)
ROLLS: tuple[type[PendingRoll[State]], ...] = (ShotRoll, MeleeHitRoll, HitRoll, BreachRoll)
"""What shots and their hits are rolled for."""
