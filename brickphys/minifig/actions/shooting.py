"""Shooting: bows, crossbows, spears and catapults at figures, big catapults at walls, and reloading (MF Projectiles).

A shot is a pair of actions of its own: who shoots neither moves nor attacks, nor who reloads (MF Rules, MF Reloading).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from brickphys.errors import unknown
from brickphys.minifig.actions.missile_rolls import ShotRoll
from brickphys.minifig.actions.missile_targets import Goal, aim_fault
from brickphys.minifig.actions.taking import finished
from brickphys.minifig.actions.words import FigureAction
from brickphys.minifig.field.contact import things_touched
from brickphys.minifig.field.sight import seen, sees, sees_brick
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.pieces import Deed
from brickphys.minifig.state.state import State
from brickphys.rules.words import NAME, without_problems

Weapon = tuple[int | None, int | None]
"""The item or the thing that shoots."""


def bow(state: State, figure: int) -> Weapon | None:
    """Return the loaded bow or crossbow that a figure holds; None without one."""
    return _held(state, figure, is_thrown=False)


def spear(state: State, figure: int) -> Weapon | None:
    """Return the spear that a figure holds; None without one."""
    return _held(state, figure, is_thrown=True)


def _held(state: State, figure: int, *, is_thrown: bool) -> Weapon | None:
    for item in state.held.get(figure, ()):
        arm = state.setting.items[item].arm
        if arm.missile and arm.leaves_hand == is_thrown and state.items[item].is_loaded:
            return item, None
    return None


def catapult(state: State, figure: int) -> Weapon | None:
    """Return the loaded catapult that a figure works; None without one."""
    loaded = (thing for thing in _catapults(state, figure) if state.things[thing].is_loaded)
    return next(((None, thing) for thing in loaded), None)


def big_catapult(state: State, figure: int) -> Weapon | None:
    """Return the loaded catapult against walls that a figure works; None without one."""
    for thing in _catapults(state, figure):
        row = charts().missiles[state.setting.things[thing].kind.missile or ""]
        if state.things[thing].is_loaded and row.besieges:
            return None, thing
    return None


def _catapults(state: State, figure: int) -> Iterator[int]:
    """Yield the catapults that a figure on foot, with hands, works: it touches them (ours)."""
    if state.setting.figures[figure].kind.hands and state.figures[figure].horse is None:
        for thing in things_touched(state, figure):
            if state.setting.things[thing].kind.missile:
                yield thing


@dataclass(frozen=True, slots=True)
class _Shot(FigureAction):
    """A shot of the active figure, at an enemy.

    Attributes
    ----------
    weapon
        Returns what a figure shoots.
    lacks
        What a figure lacks that has none, for messages.
    """

    arguments = (NAME,)
    weapon: ClassVar[Callable[[State, int], Weapon | None]]
    lacks: ClassVar[str]
    target: str

    @staticmethod
    def numbers(state: State) -> Mapping[str, int]:
        """Return the numbers of all targets by name."""
        return state.setting.figure_numbers

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield all legal shots."""
        weapon = cls.weapon(state, figure)
        if weapon is None:
            return
        shot, figures = ShotRoll(figure, *weapon, None, None), state.setting.figures
        aims = shot.missile(state), shot.from_in(state)
        enemies = [one for one in state.enemies(figure) if not aim_fault(state, *aims, Goal(one))]
        for enemy, is_seen in zip(enemies, seen(state, figure, enemies), strict=True):
            if is_seen:
                yield cls(figures[enemy].name)

    def roll(self, state: State, figure: int) -> ShotRoll | None:
        """Return the shot; None without a loaded weapon."""
        weapon = type(self).weapon(state, figure)
        target = self.numbers(state)[self.target]
        return None if weapon is None else ShotRoll(figure, *weapon, target, None)

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why it cannot shoot there."""
        if self.target not in self.numbers(state):
            yield f"{unknown('target', self.target, self.numbers(state))} (MF Projectiles)"
        elif (roll := self.roll(state, figure)) is None:
            name = state.setting.figures[figure].name
            yield f"{name} has {self.lacks} (MF Projectiles, MF Reloading)"
        elif (fault := self.fault(state, roll)) is not None:
            yield f"{fault} (MF Projectiles)"

    def fault(self, state: State, roll: ShotRoll) -> str | None:
        """Return why a shot cannot be made; None if it can."""
        assert roll.target is not None
        if not state.figures[roll.target].is_alive:
            return f"{self.target} is eliminated"
        if not state.are_enemies(roll.shooter, roll.target):
            return f"{self.target} is no enemy"
        fault = aim_fault(state, roll.missile(state), roll.from_in(state), roll.goal(state))
        if fault is None and not sees(state, roll.shooter, roll.target):
            return f"{state.setting.figures[roll.shooter].name} sees nothing of {self.target}"
        return fault

    def act(self, state: State, figure: int) -> State:
        """Shoot: what reloads is empty now, and the figure is done for this round."""
        roll, setting = self.roll(state, figure), state.setting
        assert roll is not None
        if roll.item is not None and setting.items[roll.item].arm.reloads:
            state = state.change_item(roll.item, is_loaded=False)
        if roll.thing is not None and setting.things[roll.thing].kind.reloads:
            state = state.change_thing(roll.thing, is_loaded=False)
        return finished(state, Deed.OTHER).push_pending(roll)


class Shoot(_Shot):
    """Shoot a bow or a crossbow at an enemy (MF Projectiles)."""

    __slots__ = ()
    word = "shoot"
    weapon = bow
    lacks = "no loaded bow or crossbow in its hands"


class Throw(_Shot):
    """Throw a spear at an enemy; it lies where it hits, or where it was aimed at (MF Projectiles)."""

    __slots__ = ()
    word = "throw"
    weapon = spear
    lacks = "no spear in its hands"


class Launch(_Shot):
    """Shoot a catapult that the figure touches at an enemy (MF Projectiles)."""

    __slots__ = ()
    word = "launch"
    weapon = catapult
    lacks = "no loaded catapult that it touches"


class Besiege(_Shot):
    """Shoot a big catapult that the figure touches at a wall, at the nearest brick that stands (MF Projectiles)."""

    __slots__ = ()
    word = "besiege"
    weapon = big_catapult
    lacks = "no loaded big catapult that it touches"

    @staticmethod
    def numbers(state: State) -> Mapping[str, int]:
        """Return the numbers of the walls by name."""
        return state.setting.wall_numbers

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield all legal shots."""
        if big_catapult(state, figure) is None:
            return iter(())
        return without_problems(state, map(cls, cls.numbers(state)))

    def roll(self, state: State, figure: int) -> ShotRoll | None:
        """Return the shot; None without a loaded catapult."""
        weapon = big_catapult(state, figure)
        wall = self.numbers(state)[self.target]
        return None if weapon is None else ShotRoll(figure, *weapon, None, wall)

    def fault(self, state: State, roll: ShotRoll) -> str | None:
        """Return why a shot cannot be made; None if it can."""
        _, wall, brick = goal = roll.goal(state)
        if wall is None or brick is None:
            return f"nothing of {self.target} is left"
        fault = aim_fault(state, roll.missile(state), roll.from_in(state), goal)
        if fault is None and not sees_brick(state, roll.shooter, wall, brick):
            return f"{state.setting.figures[roll.shooter].name} sees nothing of {self.target}"
        return fault


@dataclass(frozen=True, slots=True)
class Reload(FigureAction):
    """Reload a crossbow in the hand, or a catapult that the figure touches: its whole round (MF Reloading)."""

    word = "reload"
    arguments = (NAME,)
    weapon: str

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield what the figure has that is empty."""
        return (cls(name) for name, is_loaded in _weapons(state, figure).items() if not is_loaded)

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why it cannot be reloaded."""
        weapons = _weapons(state, figure)
        if self.weapon not in weapons:
            yield f"{unknown('weapon', self.weapon, weapons)} (MF Reloading)"
        elif weapons[self.weapon]:
            yield f"{self.weapon} is loaded (MF Reloading)"

    def act(self, state: State, figure: int) -> State:
        """Load it."""
        setting = state.setting
        if self.weapon in setting.item_numbers:
            state = state.change_item(setting.item_numbers[self.weapon], is_loaded=True)
        else:
            state = state.change_thing(setting.thing_numbers[self.weapon], is_loaded=True)
        return finished(state, Deed.OTHER)


def _weapons(state: State, figure: int) -> dict[str, bool]:
    """Return the weapons that a figure can reload, by name, and whether each is loaded."""
    setting, found = state.setting, {}
    for item in state.held.get(figure, ()):
        if setting.items[item].arm.reloads:
            found[setting.items[item].name] = state.items[item].is_loaded
    for thing in _catapults(state, figure):
        found[setting.things[thing].name] = state.things[thing].is_loaded
    return found
