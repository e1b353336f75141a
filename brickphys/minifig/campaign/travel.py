"""Travel: half a day's march from square to square, and what the party finds in those that nobody knew."""

from collections.abc import Iterator
from dataclasses import dataclass

from brickphys.minifig.campaign.chart import Direction, Ground, Place, River, Square
from brickphys.minifig.campaign.day import MisadventureRoll
from brickphys.minifig.campaign.state import TENTHS, State
from brickphys.minifig.campaign.tables import Bend, tables
from brickphys.minifig.campaign.trials import trials
from brickphys.minifig.sheets.charts import charts
from brickphys.rules.pending import DieRoll, FollowUp
from brickphys.rules.turn_state import Count
from brickphys.rules.words import Action, one_of

_EVEN = 2


@dataclass(frozen=True, slots=True)
class March(Action[State]):
    """The party marches for half a day towards a side of its square (MF Campaign, Movement)."""

    word = "march"
    arguments = (one_of("side such as north", Direction),)
    side: Direction

    @classmethod
    def legal(cls, state: State) -> Iterator["March"]:
        """Yield the sides behind which there is no known lake."""
        return (cls(side) for side in Direction if _is_open(state, side))

    def problems(self, state: State) -> Iterator[str]:
        """Yield that a lake lies there."""
        if not _is_open(state, self.side):
            yield f"a lake lies to the {self.side.value} (MF Campaign, Terrain)"

    def apply(self, state: State) -> State:
        """Turn that way; miles that were gone another way are lost (ours)."""
        if self.side is not state.heading:
            state = state.replaced({"heading": self.side, "gone_tenths": 0})
        return state.push_pending(SpeedRoll(), MisadventureRoll())


def _is_open(state: State, side: Direction) -> bool:
    return state.chart.is_open(side.from_place(state.place))


@dataclass(frozen=True, slots=True)
class SpeedRoll(DieRoll[State]):
    """How fast the party is in half a day; all must ride to go at the speed of riders (MF Campaign, Movement)."""

    def reason(self, state: State) -> str:
        """Return its purpose."""
        return f"speed in the {state.watch.value}"

    def rolled(self, state: State, face: int) -> State:
        """March; the weather slows the party (ours)."""
        return state.push_pending(Way(march_tenths(state, face)))


def march_tenths(state: State, face: int) -> int:
    """Return how far the party marches in half a day, in tenths of a mile, given the face of the die of its speed."""
    ride = all(one.horse or charts().kinds[one.kind].move == "dog" for one in state.party)
    row = tables().mounted if ride else tables().on_foot
    return row[face - 1] * trials().percent[state.weather] // 100


@dataclass(frozen=True, slots=True)
class Way(FollowUp[State]):
    """What is left of a march, in tenths of a mile."""

    tenths: Count

    def problems(self, state: State) -> list[str]:
        """Return that the party has no direction, or more to go than anybody marches."""
        wrong = state.heading is None or self.tenths > TENTHS
        return ["Way: there is no such march"] if wrong else []

    def happen(self, state: State) -> State:
        """Go on to the next square, if it is not too far; miles left over are kept for the next march."""
        heading = state.heading
        assert heading is not None
        there = heading.from_place(state.place)
        left = self.tenths - (side_tenths(state) - state.gone_tenths)
        if not state.chart.is_open(there):
            return state.replaced({"gone_tenths": 0})
        if left < 0:
            return state.replaced({"gone_tenths": state.gone_tenths + self.tenths})
        river = state.chart.squares[state.place].river
        state = state.replaced({"place": there, "gone_tenths": 0}).push_pending(Way(left))
        if there in state.chart.squares:
            return state
        if river is not None and river.flow is heading:
            return state.push_pending(BendRoll(river.side))
        return state.push_pending(TerrainRoll())


def side_tenths(state: State) -> int:
    """Return how far it is out of the party's square where it heads, in tenths of a mile; woods and rivers are ours."""
    heading, square = state.heading, state.chart.squares[state.place]
    assert heading is not None
    tenths = state.setting.side_tenths(heading)
    if square.ground is Ground.WOODS:
        tenths *= trials().woods_times
    if square.river is not None and square.river.is_crossed(heading):
        tenths += trials().ford_tenths
    return tenths


def found(state: State, square: Square) -> State:
    """Return the state in which the party knows the square where it is."""
    return state.replaced({"chart": state.chart.with_square(state.place, square)})


class FindRoll(DieRoll[State]):
    """A roll for what the party finds in the square that it has come to."""

    __slots__ = ()

    def problems(self, state: State) -> list[str]:
        """Return that the square is known, or that the party has not marched."""
        is_new = state.place not in state.chart.squares and state.heading is not None
        return [] if is_new else [f"{type(self).__name__}: there is nothing to find"]


@dataclass(frozen=True, slots=True)
class TerrainRoll(FindRoll):
    """What a square is that the party enters for the first time (MF Campaign, Terrain)."""

    what = "terrain"

    def rolled(self, state: State, face: int) -> State:
        """Note it, or ask which water it is."""
        name = tables().square[face - 1]
        if name == "water":
            return state.push_pending(WaterRoll())
        return found(state, Square(Ground(name)))


@dataclass(frozen=True, slots=True)
class WaterRoll(FindRoll):
    """Which water a square has (MF Campaign, Terrain)."""

    what = "water"

    def rolled(self, state: State, face: int) -> State:
        """Note a pond, or ask for more."""
        name = tables().water[face - 1]
        if name == "lake":
            return state.push_pending(LakeSizeRoll())
        if name == "river":
            return state.push_pending(RiverSideRoll())
        return found(state, Square(Ground(name)))


@dataclass(frozen=True, slots=True)
class RiverSideRoll(FindRoll):
    """On which side of the party a river lies that it comes upon: odd left, even right (MF Campaign, Terrain)."""

    what = "side of the river"

    def rolled(self, state: State, face: int) -> State:
        """Note it; the river goes straight through this square."""
        assert state.heading is not None
        side = Bend.LEFT if face % _EVEN else Bend.RIGHT
        return found(state, Square(Ground.RIVER, River(state.heading, side)))


@dataclass(frozen=True, slots=True)
class BendRoll(FindRoll):
    """Where a river flows that the party follows into a square that nobody knew (MF Campaign, Terrain)."""

    sides = 10
    hand: Bend

    what = "bend of the river"

    def rolled(self, state: State, face: int) -> State:
        """Note its course; it lies on the same side of the party as before."""
        assert state.heading is not None
        river = River(state.heading, self.hand, tables().bend[face - 1])
        return found(state, Square(Ground.RIVER, river))


@dataclass(frozen=True, slots=True)
class LakeSizeRoll(FindRoll):
    """How many squares a lake has (MF Campaign, Terrain)."""

    what = "squares of the lake"

    def rolled(self, state: State, face: int) -> State:
        """Ask where they are, round the party's square first."""
        size = tables().lake_squares[face - 1]
        lake = LakeRoll(size, (state.place,), 0)
        return found(state, Square(Ground.SHORE)).push_pending(lake)


@dataclass(frozen=True, slots=True)
class LakeRoll(DieRoll[State]):
    """Is the lake here? odd no, even yes, for a square beside one of the lake's (MF Campaign, Terrain).

    All sides of its first square are asked for before those of its second, and so on. If it then has too few squares,
    the sides that were answered with no are asked for again; it stays smaller where no side is unknown (ours).
    """

    size: Count
    squares: tuple[Place, ...]  # of the lake, in the order in which they were found
    asked: Count  # sides that were asked for since the last round of questions began

    @property
    def _sides(self) -> list[Place]:
        """All squares beside the lake's, each square's clockwise from the north."""
        return [side.from_place(place) for place in self.squares for side in Direction]

    def _next(self, state: State) -> int | None:
        """Return the number of the side that is asked for next; None if none is unknown."""
        sides = self._sides
        done = set(sides[: self.asked])
        free = [number for number, side in enumerate(sides) if side not in state.chart.squares]
        rest = [number for number in free if sides[number] not in done]
        return next(iter(rest or free), None)

    def problems(self, state: State) -> list[str]:
        """Return that squares of the lake are not on the chart."""
        lake = (Ground.SHORE, Ground.LAKE)
        known = (state.chart.squares.get(place) for place in self.squares)
        is_lake = all(square is not None and square.ground in lake for square in known)
        return [] if is_lake and self.squares else ["LakeRoll: not a lake of the chart"]

    def lapses(self, state: State) -> bool:
        """Whether the lake is complete."""
        return len(self.squares) >= self.size or self._next(state) is None

    def reason(self, state: State) -> str:
        """Return its purpose."""
        number = self._next(state)
        assert number is not None
        x, y = self._sides[number]
        return f"is the lake at {x},{y}"

    def rolled(self, state: State, face: int) -> State:
        """Note a square of the lake, and go on."""
        number = self._next(state)
        assert number is not None
        place, squares = self._sides[number], self.squares
        if face % _EVEN == 0:
            squares = (*squares, place)
            chart = state.chart.with_square(place, Square(Ground.LAKE))
            state = state.replaced({"chart": chart})
        return state.push_pending(LakeRoll(self.size, squares, number + 1))
