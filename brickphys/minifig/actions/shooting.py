"""Shooting: bows, crossbows, spears and catapults at figures, big catapults at walls, and reloading (MF Projectiles).

A shot is a pair of actions of its own: who shoots neither moves nor attacks, nor who reloads (MF Rules, MF Reloading).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import dist
from typing import ClassVar, NamedTuple, Self

from brickphys.errors import unknown
from brickphys.minifig.actions.missile_rolls import ShotRoll
from brickphys.minifig.actions.missile_targets import Goal, aim_fault, contact_fault
from brickphys.minifig.actions.taking import finished
from brickphys.minifig.actions.words import FigureAction
from brickphys.minifig.field.contact import things_touched
from brickphys.minifig.field.sight import seen, sees, sees_brick
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.pieces import Deed
from brickphys.minifig.state.state import State
from brickphys.rules.words import NAME, without_problems


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
            if thing.kind.missile:
                besieges = charts().missiles[thing.kind.missile].besieges
                words = ("launch", "besiege") if besieges else ("launch",)
                yield Launcher(
                    words,
                    thing.name,
                    None,
                    number,
                    thing.kind.reloads,
                    now.is_loaded,
                    now.worked_round == state.round,
                )


@dataclass(frozen=True, slots=True)
class _Shot(FigureAction):
    """A shot of the active figure, at an enemy.

    Attributes
    ----------
    lacks
        What a figure lacks that cannot make it, for messages.
    """

    arguments = (NAME,)
    lacks: ClassVar[str]
    target: str

    @classmethod
    def launcher(cls, state: State, figure: int) -> Launcher | None:
        """Return what a figure shoots; None if nothing is loaded."""
        able = (one for one in launchers(state, figure) if one.is_loaded and not one.is_worked)
        return next((one for one in able if cls.word in one.words), None)

    @staticmethod
    def numbers(state: State) -> Mapping[str, int]:
        """Return the numbers of all targets by name."""
        return state.setting.figure_numbers

    @staticmethod
    def roll(figure: int, launcher: Launcher, target: int) -> ShotRoll:
        """Return the shot at a target."""
        return ShotRoll(figure, launcher.item, launcher.thing, target, None)

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield all legal shots."""
        launcher = cls.launcher(state, figure)
        if launcher is None or contact_fault(state, figure):
            return
        shot, figures = cls.roll(figure, launcher, figure), state.setting.figures
        aims = shot.missile(state), shot.from_in(state)
        enemies = [
            one
            for one in state.enemies(figure)
            if not (contact_fault(state, one) or aim_fault(state, *aims, Goal(one)))
        ]
        able = seen(state, figure, enemies, over_walls=_over_walls(state, shot))
        for enemy, is_able in zip(enemies, able, strict=True):
            if is_able:
                yield cls(figures[enemy].name)

    @classmethod
    def is_possible(cls, state: State) -> bool:
        """Whether the figure can shoot at anyone: mostly at the nearest enemy."""
        figure = state.active
        if figure is None or state.step not in cls.steps or cls.launcher(state, figure) is None:
            return False
        here, there = state.figures[figure].place_in, state.figures
        nearest = min(
            state.enemies(figure), key=lambda one: dist(here, there[one].place_in), default=figure
        )
        at_nearest = cls(state.setting.figures[nearest].name)
        return not any(at_nearest.faults(state, figure)) or any(cls.legal(state))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why it cannot shoot there."""
        numbers, name = self.numbers(state), state.setting.figures[figure].name
        launcher = self.launcher(state, figure)
        if self.target not in numbers:
            yield f"{unknown('target', self.target, numbers)} (MF Projectiles)"
        elif launcher is None:
            yield f"{name} has {self.lacks} (MF Projectiles, MF Reloading)"
        else:
            roll = self.roll(figure, launcher, numbers[self.target])
            fault = self.target_fault(state, roll) or roll.fault(state)
            if fault is None and not self.is_seen(state, roll):
                fault = f"{name} cannot see {self.target}"
                if roll.target is not None and _over_walls(state, roll):
                    fault += ": a hill is in the way"
            if fault is not None:
                yield f"{fault} (MF Projectiles)"

    def target_fault(self, state: State, roll: ShotRoll) -> str | None:
        """Return why nobody shoots at the target; None if it is one."""
        assert roll.target is not None
        if not state.figures[roll.target].is_alive:
            return f"{self.target} is eliminated"
        if not state.are_enemies(roll.shooter, roll.target):
            return f"{self.target} is not an enemy"
        return None

    def is_seen(self, state: State, roll: ShotRoll) -> bool:
        """Whether the figure sees some of the target, or can throw over the walls that hide it."""
        assert roll.target is not None
        return sees(state, roll.shooter, roll.target, over_walls=_over_walls(state, roll))

    def act(self, state: State, figure: int) -> State:
        """Shoot: what reloads is empty now, and the figure is done for this round."""
        launcher = self.launcher(state, figure)
        assert launcher is not None
        roll = self.roll(figure, launcher, self.numbers(state)[self.target])
        state = launcher.loaded(state, is_loaded=False)
        return finished(state, Deed.OTHER).push_pending(roll)


def _over_walls(state: State, roll: ShotRoll) -> bool:
    """Whether a weapon throws at figures that walls hide, with more scatter (ours)."""
    return charts().missiles[roll.missile(state)].indirect is not None


class Shoot(_Shot):
    """Shoot a bow or a crossbow at an enemy (MF Projectiles)."""

    __slots__ = ()
    word = "shoot"
    lacks = "no loaded bow or crossbow in hand"


class Throw(_Shot):
    """Throw a spear at an enemy; it lies where it hits, or where it was aimed at (MF Projectiles)."""

    __slots__ = ()
    word = "throw"
    lacks = "no spear in hand"


class Launch(_Shot):
    """Shoot a catapult that the figure touches at an enemy (MF Projectiles)."""

    __slots__ = ()
    word = "launch"
    lacks = "no free loaded catapult that it touches"


class Besiege(_Shot):
    """Shoot a big catapult that the figure touches at a wall, at the nearest brick that stands (MF Projectiles)."""

    __slots__ = ()
    word = "besiege"
    lacks = "no free loaded big catapult that it touches"

    @classmethod
    def is_possible(cls, state: State) -> bool:
        """Whether the figure can shoot at any wall."""
        return any(cls.legal(state))

    @staticmethod
    def numbers(state: State) -> Mapping[str, int]:
        """Return the numbers of the walls by name."""
        return state.setting.wall_numbers

    @staticmethod
    def roll(figure: int, launcher: Launcher, target: int) -> ShotRoll:
        """Return the shot at a wall."""
        return ShotRoll(figure, launcher.item, launcher.thing, None, target)

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield all legal shots."""
        if cls.launcher(state, figure) is None or contact_fault(state, figure):
            return iter(())
        return without_problems(state, map(cls, cls.numbers(state)))

    def target_fault(self, state: State, roll: ShotRoll) -> str | None:
        """Return why nobody shoots at the wall; None if some of it stands."""
        return f"nothing of {self.target} is left" if roll.goal(state).brick is None else None

    def is_seen(self, state: State, roll: ShotRoll) -> bool:
        """Whether the figure sees some of the brick that is aimed at."""
        goal = roll.goal(state)
        assert goal.wall is not None
        assert goal.brick is not None
        return sees_brick(state, roll.shooter, goal.wall, goal.brick)


@dataclass(frozen=True, slots=True)
class Reload(FigureAction):
    """Reload a crossbow in the hand, or a catapult that the figure touches: its whole round (MF Reloading)."""

    word = "reload"
    arguments = (NAME,)
    weapon: str

    @classmethod
    def listed(cls, state: State, figure: int) -> Iterator[Self]:
        """Yield what the figure has that is empty."""
        found = launchers(state, figure)
        return (cls(one.name) for one in found if not (one.is_loaded or one.is_worked))

    def faults(self, state: State, figure: int) -> Iterator[str]:
        """Yield why it cannot be reloaded."""
        weapons = {one.name: one for one in launchers(state, figure) if one.reloads}
        if self.weapon not in weapons:
            yield f"{unknown('weapon', self.weapon, weapons)} (MF Reloading)"
        elif weapons[self.weapon].is_loaded:
            yield f"{self.weapon} is already loaded (MF Reloading)"
        elif weapons[self.weapon].is_worked:
            yield f"{self.weapon} has shot in this round (MF Reloading)"

    def act(self, state: State, figure: int) -> State:
        """Load it."""
        weapons = {one.name: one for one in launchers(state, figure)}
        return finished(weapons[self.weapon].loaded(state, is_loaded=True), Deed.OTHER)
