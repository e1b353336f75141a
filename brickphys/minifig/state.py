"""State: a battle at one moment, which is also what a player sees: Minifig battles hide nothing.

Figures, things, items, walls and players have numbers: indices of the tuples of the state and of its setting. Of figure
`n`:

- Turn: the player is ``state.player``, the figure ``state.active`` (None while it is being chosen).
- Name: ``state.setting.figures[n].name``; its number by name is ``state.setting.figure_numbers[name]``.
- Side: ``state.setting.figures[n].player``; ``state.enemies(n)`` yields its living enemies.
- Health: ``state.figures[n].is_alive``; the first hit that counts kills. ``state.alive`` lists the living.
- Place: ``state.figures[n].place_in``, x and y in inches. ``math.dist`` of two places is the distance of their middles.
- Weapons: ``state.arms(n)``, worn and held. ``state.move_in(n)`` is how far it moves.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from brickphys.geometry.polygon import Point
from brickphys.minifig.setting import THICK_IN, FigureNumber, Setting, ThingNumber
from brickphys.minifig.sheets import BASE_RADIUS_IN, RIDER, TOUCH_IN, Arm, charts
from brickphys.rules.turn_state import Count, PlayerNumber, Replaceable, TurnState
from brickphys.units import Array, Indices

PLACE_DECIMALS = 4
"""Places and facings are rounded to this many decimals."""


class Deed(Enum):
    """What a figure has done in this round (MF Rules)."""

    NOTHING = "nothing"
    MOVED = "moved"
    """It moved or stayed: it attacks who it touches."""
    ATTACKED = "attacked"
    OTHER = "other"
    """It did another pair of actions, and cannot attack."""


@dataclass(frozen=True)
class Placed(Replaceable):
    """Something on a round base."""

    x_in: float
    """Where the middle of its base is, along x; of a figure that rides, its horse's."""
    y_in: float
    """The same along y."""

    @property
    def place_in(self) -> Point:
        """The middle of its base."""
        return self.x_in, self.y_in


@dataclass(frozen=True)
class FigureState(Placed):
    """A figure at one moment."""

    facing_deg: float
    """Where it looks, counter-clockwise from +x."""
    horse: ThingNumber | None = None
    """The number of the horse that it rides; None on foot."""
    is_alive: bool = True
    """Whether it is in the battle: a figure has no other health."""
    deed: Deed = Deed.NOTHING
    """What it has done in this round."""

    def __hash__(self) -> int:
        """Return the hash, worked out once: states that bots look at share most figures."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        own = (self.x_in, self.y_in, self.facing_deg, self.horse, self.is_alive, self.deed)
        return hash(own)

    def at(self, place_in: Point, facing_deg: float) -> "FigureState":
        """Return the figure at another place, rounded."""
        x, y = rounded(place_in)
        return self.replaced(
            {"x_in": x, "y_in": y, "facing_deg": round(facing_deg % 360.0, PLACE_DECIMALS) % 360.0}
        )


@dataclass(frozen=True)
class ThingState(Placed):
    """A thing at one moment; a horse that is ridden is where its rider is."""

    facing_deg: float = 0.0
    """Where it points, counter-clockwise from +x."""
    is_loaded: bool = True
    """Whether a catapult can shoot (MF Reloading)."""
    worked_round: Count = 0
    """The last round in which it shot or was reloaded; of a horse, in which a rider left it or fell; 0 for none."""


@dataclass(frozen=True)
class ItemState(Replaceable):
    """An item at one moment: a figure holds it, or it lies somewhere."""

    holder: FigureNumber | None
    """The number of the figure that holds it; None if it lies."""
    at_in: tuple[float, float] | None = None
    """Where it lies; None while it is held."""
    is_loaded: bool = True
    """Whether a crossbow can shoot (MF Reloading)."""


def rounded(place_in: Point) -> Point:
    """Return a place on the table as states hold it."""
    return round(place_in[0], PLACE_DECIMALS) + 0.0, round(place_in[1], PLACE_DECIMALS) + 0.0


NEAR_IN = 2 * BASE_RADIUS_IN + THICK_IN + 2 * TOUCH_IN + 1e-6
"""Largest distance between the middles of two figures that fight, even over a wall."""
_RESTS_ON = {
    "alive": {"is_alive"},
    "strength": {"is_alive"},
    "riders": {"horse"},
    "gears": {"is_alive", "horse"},
    "foes": {"is_alive", "x_in", "y_in"},
    "near": {"is_alive", "x_in", "y_in"},
}
"""Cached properties -> the attributes of figures, of all that they have, on which they rest."""


class Phase(Enum):
    """The part of a player's turn (MF Rules, MF Resolving Combat)."""

    MOVEMENT = "movement"
    COMBAT = "combat"


class FigureStep(Enum):
    """How far the active figure has come in its round (MF Rules)."""

    CHOSEN = "chosen"
    MOUNTED = "mounted"
    """It has mounted, and may move."""
    MOVED = "moved"
    """It may pick something up, or dismount."""
    DISMOUNTED = "dismounted"
    """After a move: it may pick something up."""
    ON_FOOT = "on_foot"
    """A rider who has stayed and dismounted: it may pick something up and mount again."""
    PICKED_UP = "picked_up"
    """The same after it has picked something up: it may mount again."""


@dataclass(frozen=True, kw_only=True)
class State(TurnState):
    """A battle at one moment."""

    kept: ClassVar = {
        "alive": frozenset({"figures"}),
        "riders": frozenset({"figures"}),
        "held": frozenset({"items"}),
        "gears": frozenset({"figures", "items"}),
        "bases": frozenset({"figures", "things"}),
        "foes": frozenset({"figures"}),
        "near": frozenset({"figures"}),
        "strength": frozenset({"figures"}),
    }

    setting: Setting
    figures: Annotated[tuple[FigureState, ...], "figures"]
    """All figures, in the order of the setting."""
    things: Annotated[tuple[ThingState, ...], "things"] = ()
    """All horses, wagons and catapults, in the order of the setting."""
    items: Annotated[tuple[ItemState, ...], "items"] = ()
    """All weapons and shields, in the order of the setting."""
    walls: Annotated[tuple[tuple[Count, ...], ...], "walls"] = ()
    """For each wall the numbers of the bricks that are out, in increasing order."""
    round: Count = 0
    """The number of the round; 0 before the first."""
    order: tuple[PlayerNumber, ...] = ()
    """The players in the order of this round."""
    turn: Count = 0
    """How many players are done in this round."""
    phase: Phase = Phase.MOVEMENT
    """The part of the player's turn."""
    active: FigureNumber | None = None
    """The figure that acts; None between figures."""
    step: FigureStep = FigureStep.CHOSEN
    """How far it has come."""
    menu: str = ""
    """The kind of action that it does next; empty where none is chosen."""
    holding: Annotated[tuple[Count, ...], "aims"] = ()
    """For how many rounds in a row each aim has been held."""
    winners: tuple[Count, ...] | None = None
    """The teams that have won, none in a draw; None while the battle goes on."""

    def __hash__(self) -> int:
        """Return the hash of what mostly differs, worked out once."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        own = (self.round, self.turn, self.phase, self.active, self.step, self.menu, self.pending)
        return hash((self.setting, self.figures, *own))

    @property
    def player(self) -> int:
        """The player whose turn it is."""
        return self.order[self.turn]

    @cached_property
    def alive(self) -> tuple[int, ...]:
        """The numbers of the living figures."""
        return tuple(number for number, one in enumerate(self.figures) if one.is_alive)

    @cached_property
    def riders(self) -> dict[int, int]:
        """The number of the rider of each horse that is ridden."""
        return {one.horse: n for n, one in enumerate(self.figures) if one.horse is not None}

    @cached_property
    def held(self) -> dict[int, tuple[int, ...]]:
        """The numbers of the items that each figure holds; figures without any are left out."""
        found: dict[int, list[int]] = {}
        for number, item in enumerate(self.items):
            if item.holder is not None:
                found.setdefault(item.holder, []).append(number)
        return {figure: tuple(items) for figure, items in found.items()}

    @cached_property
    def gears(self) -> tuple[tuple[int, tuple[int, ...], bool], ...]:
        """Each living figure with the items that it holds, and whether it rides."""
        held, figures = self.held, self.figures
        return tuple((one, held.get(one, ()), figures[one].horse is not None) for one in self.alive)

    @cached_property
    def bases(self) -> Array:
        """The round bases, x, y and radius in inches, shape (n, 3): of `alive`, then of `standing_things`."""
        things = (
            (self.things[number], self.setting.things[number].kind.radius_in)
            for number in self.standing_things()
        )
        rows = [(*self.figures[number].place_in, BASE_RADIUS_IN) for number in self.alive]
        rows += [(*thing.place_in, radius) for thing, radius in things]
        return np.array(rows).reshape(-1, 3)

    @cached_property
    def foes(self) -> tuple[Array, Indices]:
        """How far the nearest enemy of each of `alive` is, in inches, and which of them may be in touch, in pairs."""
        from brickphys.geometry.clearance_kernel import nearest_others  # loads Numba

        alive = np.array(self.alive, dtype=np.intp)
        return nearest_others(self.bases[: len(alive), :2], self.setting.sides[alive], NEAR_IN)

    @cached_property
    def near(self) -> dict[int, tuple[int, ...]]:
        """The enemies with whom each living figure may be in touch, over a wall too; who has none is left out."""
        alive, (_, pairs) = self.alive, self.foes
        found: dict[int, list[int]] = {}
        for one, other in pairs.tolist():
            found.setdefault(alive[one], []).append(alive[other])
        return {figure: tuple(enemies) for figure, enemies in found.items()}

    @cached_property
    def strength(self) -> tuple[int, ...]:
        """How many living figures each player has."""
        count = [0] * len(self.setting.players)
        for number in self.alive:
            count[self.setting.figures[number].player] += 1
        return tuple(count)

    def team(self, figure: int) -> int:
        """Return the team of a figure."""
        return self.setting.figure_teams[figure]

    def are_enemies(self, one: int, other: int) -> bool:
        """Whether two figures are of different teams."""
        return self.team(one) != self.team(other)

    def enemies(self, figure: int) -> Iterator[int]:
        """Yield the numbers of the living figures of other teams."""
        teams = self.setting.figure_teams
        return (other for other in self.alive if teams[other] != teams[figure])

    def arms(self, figure: int) -> tuple[Arm, ...]:
        """Return what a figure wears, and what it holds."""
        held = (self.setting.items[item].arm for item in self.held.get(figure, ()))
        return (*self.setting.figures[figure].worn, *held)

    def ready(self, player: int) -> Iterator[int]:
        """Yield the numbers of the living figures of a player that have done nothing in this round."""
        figures = self.setting.figures
        return (
            number
            for number in self.alive
            if figures[number].player == player and self.figures[number].deed is Deed.NOTHING
        )

    def body(self, figure: int) -> str:
        """Return what missiles meet: the name of a target of `brickphys.projectiles`."""
        if self.figures[figure].horse is not None:
            return RIDER
        return self.setting.figures[figure].kind.body

    def standing_things(self) -> Iterator[int]:
        """Yield the numbers of the things with a base of their own on the table: all but horses that are ridden."""
        return (number for number in range(len(self.things)) if number not in self.riders)

    def change_figure(self, number: int, **changes: Any) -> "State":
        """Return the state with some attributes of a figure changed."""
        return self.with_figure(number, self.figures[number].replaced(changes))

    def with_figure(self, number: int, figure: FigureState) -> "State":
        """Return the state with another state of a figure."""
        state, before = self.with_entry("figures", number, figure), vars(self.figures[number])
        now = vars(figure)
        changed = {name for name, value in before.items() if value != now.get(name)}
        for name, attributes in _RESTS_ON.items():
            if name in vars(self) and attributes.isdisjoint(changed):
                vars(state)[name] = vars(self)[name]
        if "bases" in vars(self) and figure.is_alive and changed.isdisjoint({"is_alive", "horse"}):
            bases = vars(state)["bases"] = self.bases.copy()
            bases[self.alive.index(number), :2] = figure.place_in
        return state

    def change_thing(self, number: int, **changes: Any) -> "State":
        """Return the state with some attributes of a thing changed."""
        return self.with_entry("things", number, self.things[number].replaced(changes))

    def change_item(self, number: int, **changes: Any) -> "State":
        """Return the state with some attributes of an item changed."""
        return self.with_entry("items", number, self.items[number].replaced(changes))

    def without_brick(self, wall: int, brick: int) -> "State":
        """Return the state in which a brick is out of a wall (MF Projectiles)."""
        return self.with_entry("walls", wall, tuple(sorted({*self.walls[wall], brick})))

    def eliminated(self, number: int) -> "State":
        """Return the state without a figure: what it held lies where it fell, its horse stands there (ours)."""
        figure = self.figures[number]
        state = self.change_figure(number, is_alive=False, horse=None, deed=Deed.NOTHING)
        for item in self.held.get(number, ()):
            state = state.change_item(item, holder=None, at_in=figure.place_in)
        if figure.horse is not None:
            state = state.with_horse_left(figure)
        return state

    def with_horse_left(self, rider: FigureState) -> "State":
        """Return the state in which a horse stands where its rider was; in this round it takes no other (ours)."""
        assert rider.horse is not None
        x, y = rider.place_in
        place = {"x_in": x, "y_in": y, "facing_deg": rider.facing_deg}
        return self.change_thing(rider.horse, **place, worked_round=self.round)

    def move_in(self, figure: int) -> float:
        """Return how far a figure moves in this round without a wagon, in inches (MF Movement)."""
        rows = charts().move_in
        if self.figures[figure].horse is None:
            return rows[self.setting.figures[figure].kind.move]
        mounted = self.step is FigureStep.MOUNTED and self.active == figure
        return rows["cavalry"] - (rows["mounting"] if mounted else 0.0)
