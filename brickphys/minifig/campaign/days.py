"""Days: weather and card at dawn, two half-days of marching or camp, six watches with misadventures (MF Campaign).

In half a day, the party marches from square to square, and finds what is in those that nobody knew.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from brickphys.minifig.campaign import effects
from brickphys.minifig.campaign.effects import CardQuestion, begin_trial, rest
from brickphys.minifig.campaign.state import (
    TENTHS,
    WATCHES,
    Bend,
    Direction,
    Place,
    River,
    Square,
    SquareGround,
    State,
    Watch,
    after_card,
    card_draw,
    season,
    tables,
)
from brickphys.minifig.campaign.trials import trials
from brickphys.minifig.sheets import charts
from brickphys.rules.events import Draw, Outcome
from brickphys.rules.moves import Among, Move
from brickphys.rules.rolls import DiceRoll
from brickphys.rules.turn_state import Count, DieRoll, FollowUp, Pending, PendingRoll
from brickphys.rules.words import Unconditional, one_of


def dawn(state: State) -> State:
    """Return the state in which a day begins; the first one is fine, without a check of the weather."""
    checks = (WeatherCheck(),) if state.day > 1 else ()
    return state.push_pending(*checks, Dawn(), CardDraw())


def following(state: State) -> State | None:
    """Return the state after what comes by itself where nothing is pending; None if the party has a choice."""
    if not state.watch.is_day:
        return state.push_pending(MisadventureRoll())
    if state.delay:
        return Camp().apply(state.replaced({"delay": state.delay - 1}))
    return None


@dataclass(frozen=True, slots=True)
class WeatherCheck(DieRoll[State]):
    """Whether the weather changes: even no, odd yes (MF Campaign, Weather)."""

    what = "weather check"

    def rolled(self, state: State, face: int) -> State:
        return state.push_pending(WeatherRoll()) if face % 2 else state


@dataclass(frozen=True, slots=True)
class WeatherRoll(DieRoll[State]):
    """The new weather, by the season of the year (MF Campaign, Weather)."""

    def reason(self, state: State) -> str:
        return f"weather in {season(state.day).value}"

    def rolled(self, state: State, face: int) -> State:
        return state.replaced({"weather": tables().weather[season(state.day)][face - 1]})


@dataclass(frozen=True, slots=True)
class Dawn(FollowUp[State]):
    """What the weather does to the party at dawn (ours)."""

    def happen(self, state: State) -> State:
        has_trial = state.weather.value in trials().keyed
        return begin_trial(state, state.weather.value) if has_trial else state


@dataclass(frozen=True, slots=True)
class CardDraw(PendingRoll[State]):
    """The card of the day (MF Campaign, Tarot of the Day)."""

    def event(self, state: State) -> Draw:
        return card_draw(state.drawn, state.arcanum)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Ask what is done about a lower arcanum; the journey that an upper one begins is not in the book."""
        card = str(outcome)
        drawn, arcanum = after_card(state.drawn, state.arcanum, card)
        state = state.replaced({"drawn": drawn, "arcanum": arcanum, "card": card})
        if card not in trials().prompts:
            return state
        answers = trials().prompts[card].answers
        if len(answers) > 1:
            return state.push_pending(CardQuestion())
        (answer,) = answers
        return begin_trial(state, f"{card}: {answer.value}")


@dataclass(frozen=True, slots=True)
class MisadventureRoll(PendingRoll[State]):
    """Two dice with ten faces: a double is a misadventure (MF Campaign, Misadventures)."""

    def event(self, state: State) -> DiceRoll:
        return DiceRoll(2, 10, f"misadventure in the {state.watch.spoken}")

    def settle(self, state: State, outcome: Outcome) -> State:
        face = doubled(outcome)
        if not face:
            return end_of_watch(state)
        return begin_trial(state.push_pending(EndOfWatch()), misadventure_key(state.watch, face))


def doubled(outcome: Any) -> int:
    """Return the face of a double; 0 if two dice do not show the same."""
    one, other = map(int, outcome)
    return one if one == other else 0


def misadventure_key(watch: Watch, face: int) -> str:
    """Return the key of the trial of a double of a face."""
    return f"{'day' if watch.is_day else 'night'}: {face}"


def end_of_watch(state: State) -> State:
    """Return the state in which the next watch or day begins; who is alive after the last day has survived."""
    number = WATCHES.index(state.watch) + 1
    if number < len(WATCHES):
        return state.replaced({"watch": WATCHES[number]})
    if state.day == state.setting.days:
        return state.replaced({"result": 1})
    return dawn(state.replaced({"day": state.day + 1, "watch": Watch.MORNING, "card": ""}))


@dataclass(frozen=True, slots=True)
class EndOfWatch(FollowUp[State]):
    """The end of a watch, after a misadventure."""

    def happen(self, state: State) -> State:
        return end_of_watch(state)


@dataclass(frozen=True, slots=True)
class Camp(Unconditional[State]):
    """The party stays for half a day: one wound heals, in a village all (ours)."""

    word = "camp"

    def apply(self, state: State) -> State:
        in_village = state.chart.squares[state.place].ground is SquareGround.VILLAGE
        return rest(state, None if in_village else 1).push_pending(MisadventureRoll())


_SIDES = Among(
    "side", lambda _: {side: side for side in Direction}, one_of("side such as north", Direction)
)


@dataclass(frozen=True, slots=True)
class March(Move[State]):
    """The party marches for half a day towards a side of its square (MF Campaign, Movement)."""

    word = "march"
    section = "MF Campaign, Terrain"
    side: Annotated[Direction, _SIDES]

    def refusals(self, state: State, side: Direction) -> Iterator[str]:
        if not state.chart.is_open(side.from_place(state.place)):
            yield f"a lake lies to the {side.value}"

    def result(self, state: State, side: Direction) -> State:
        """Turn that way; miles that were gone another way are lost (ours)."""
        if side is not state.heading:
            state = state.replaced({"heading": side, "gone_tenths": 0})
        return state.push_pending(SpeedRoll(), MisadventureRoll())


@dataclass(frozen=True, slots=True)
class SpeedRoll(DieRoll[State]):
    """How fast the party is in half a day; all must ride to go at the speed of riders (MF Campaign, Movement)."""

    def reason(self, state: State) -> str:
        return f"speed in the {state.watch.value}"

    def rolled(self, state: State, face: int) -> State:
        """March; the weather slows the party (ours)."""
        return state.push_pending(RestOfMarch(march_tenths(state, face)))


def march_tenths(state: State, face: int) -> int:
    """Return how far the party marches in half a day, in tenths of a mile, given the face of the die of its speed."""
    ride = all(one.horse or charts().kinds[one.kind].move == "dog" for one in state.party)
    row = tables().mounted if ride else tables().on_foot
    return row[face - 1] * trials().percent[state.weather] // 100


@dataclass(frozen=True, slots=True)
class RestOfMarch(FollowUp[State]):
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
        state = state.replaced({"place": there, "gone_tenths": 0}).push_pending(RestOfMarch(left))
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
    if square.ground is SquareGround.WOODS:
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
        name = tables().square[face - 1]
        if name == "water":
            return state.push_pending(WaterRoll())
        return found(state, Square(SquareGround(name)))


@dataclass(frozen=True, slots=True)
class WaterRoll(FindRoll):
    """Which water a square has (MF Campaign, Terrain)."""

    what = "water"

    def rolled(self, state: State, face: int) -> State:
        name = tables().water[face - 1]
        if name == "lake":
            return state.push_pending(LakeSizeRoll())
        if name == "river":
            return state.push_pending(RiverSideRoll())
        return found(state, Square(SquareGround(name)))


@dataclass(frozen=True, slots=True)
class RiverSideRoll(FindRoll):
    """On which side of the party a river lies that it comes upon: odd left, even right (MF Campaign, Terrain)."""

    what = "side of the river"

    def rolled(self, state: State, face: int) -> State:
        """Note it; the river goes straight through this square."""
        assert state.heading is not None
        side = Bend.LEFT if face % 2 else Bend.RIGHT
        return found(state, Square(SquareGround.RIVER, River(state.heading, side)))


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
        return found(state, Square(SquareGround.RIVER, river))


@dataclass(frozen=True, slots=True)
class LakeSizeRoll(FindRoll):
    """How many squares a lake has (MF Campaign, Terrain)."""

    what = "squares of the lake"

    def rolled(self, state: State, face: int) -> State:
        size = tables().lake_squares[face - 1]
        lake = LakeRoll(size, (state.place,), 0)
        return found(state, Square(SquareGround.SHORE)).push_pending(lake)


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
        lake = (SquareGround.SHORE, SquareGround.LAKE)
        known = (state.chart.squares.get(place) for place in self.squares)
        is_lake = all(square is not None and square.ground in lake for square in known)
        return [] if is_lake and self.squares else ["LakeRoll: not a lake of the chart"]

    def lapses(self, state: State) -> bool:
        return len(self.squares) >= self.size or self._next(state) is None

    def reason(self, state: State) -> str:
        number = self._next(state)
        assert number is not None
        x, y = self._sides[number]
        return f"is the lake at {x},{y}"

    def rolled(self, state: State, face: int) -> State:
        number = self._next(state)
        assert number is not None
        place, squares = self._sides[number], self.squares
        if face % 2 == 0:
            squares = (*squares, place)
            chart = state.chart.with_square(place, Square(SquareGround.LAKE))
            state = state.replaced({"chart": chart})
        return state.push_pending(LakeRoll(self.size, squares, number + 1))


PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    WeatherCheck, WeatherRoll, Dawn, CardDraw, MisadventureRoll, EndOfWatch, SpeedRoll, RestOfMarch,
    TerrainRoll, WaterRoll, RiverSideRoll, BendRoll, LakeSizeRoll, LakeRoll, *effects.PENDING_TYPES,
)  # fmt: skip
"""Everything that can be pending."""
