"""State: the campaign at one moment, which is also what the player sees, and what never changes in it.

- The party: ``state.party``, the leader first; ``member.is_wounded`` is all that is known of health.
- Place: ``state.place``, column and row; ``state.chart.squares`` has the squares that are known.
- A battle that goes on: ``state.battle``, a state of Minifig battles; else None. Then a bot is asked for actions of
  that game.

The book's tables for dice and cards, the calendar, the deck and the chart of the known land are here, too
(MF Campaign). The quest begins on 15 April; squares are counted to the east and north from its start. The card of the
day is one of those left of the lower arcana and one upper one (MF Campaign, Tarot).
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from functools import cached_property, lru_cache
from typing import Annotated, Any

from brickphys.errors import InvalidValueError
from brickphys.files import shipped_tables
from brickphys.minifig.sheets import charts, frozen
from brickphys.minifig.state import State as Battle
from brickphys.rules.events import Draw
from brickphys.rules.record import GameSetting
from brickphys.rules.turn_state import Count, Replaceable, TurnState


class Weather(Enum):
    """The weather of a day (MF Campaign, Weather)."""

    DRY = "dry"
    WET = "wet"
    HOT = "hot"
    SNOW = "snow"
    FREEZING_SNOW = "freezing snow"


class Season(Enum):
    """A season of the year: three whole months (ours), spring from March on."""

    SPRING = "spring"
    SUMMER = "summer"
    AUTUMN = "autumn"
    WINTER = "winter"


class Watch(Enum):
    """A part of a day: two half-days and four watches of the night (MF Campaign, Misadventures)."""

    MORNING = "morning"
    AFTERNOON = "afternoon"
    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"

    @property
    def is_day(self) -> bool:
        """Whether the party can march in it."""
        return self in (Watch.MORNING, Watch.AFTERNOON)

    @property
    def spoken(self) -> str:
        """Its name in a sentence."""
        return self.value if self.is_day else f"{self.value} watch"


class Bend(Enum):
    """A way to turn: where a river bends, and on which side of the party it lies."""

    LEFT = "left"
    STRAIGHT = "straight"
    RIGHT = "right"


WATCHES = tuple(Watch)
MILE = 10
"""Distances are whole tenths of a mile, so that no mile is lost."""


@dataclass(frozen=True)
class Tables:
    """All of them. Rows list what the faces of a die say, from 1 on."""

    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    arcana: tuple[str, ...]  # the upper ones, in the order in which they come into the deck
    weather: Mapping[Season, tuple[Weather, ...]]
    square: tuple[str, ...]  # of the terrain of a square: a name of `SquareGround`, or water
    water: tuple[str, ...]
    lake_squares: tuple[int, ...]
    bend: tuple[Bend, ...]
    on_foot: tuple[int, ...]  # tenths of a mile in half a day
    mounted: tuple[int, ...]
    watches: Mapping[str, str]  # from when to when each is

    @property
    def lower(self) -> tuple[str, ...]:
        """The names of the lower arcana, suit by suit."""
        return tuple(f"{rank} of {suit}" for suit in self.suits for rank in self.ranks)


def data(name: str) -> dict[str, Any]:
    """Return a data file of the campaign, by its name without ending."""
    return shipped_tables("brickphys.minifig.campaign", name)


@lru_cache
def tables() -> Tables:
    """Return the tables of the book."""
    found = data("book")
    march, terrain = found["march"], frozen(found["terrain"])
    return Tables(
        **frozen(found["deck"]),
        watches=found["watches"],
        **terrain | {"bend": tuple(map(Bend, terrain["bend"]))},
        weather={Season(name): tuple(map(Weather, row)) for name, row in found["weather"].items()},
        **{
            how: tuple(round(mph * march["hours"] * MILE) for mph in march[how])
            for how in ("on_foot", "mounted")
        },
    )


_FIRST_DAY = date(2001, 4, 15)
_YEAR_DAYS = 365
"""The book names no year: no February has 29 days."""
_MONTHS = "January February March April May June July August September October November December"
_SPRING_MONTH = 3


@lru_cache(maxsize=_YEAR_DAYS)
def _date(day: int) -> date:
    return _FIRST_DAY + timedelta(days=(day - 1) % _YEAR_DAYS)


def season(day: int) -> Season:
    """Return the season of the year of a day of the campaign, counted from 1."""
    return tuple(Season)[(_date(day).month - _SPRING_MONTH) % 12 // 3]


def date_text(day: int) -> str:
    """Return the date of a day of the campaign, counted from 1: ``15 April``."""
    found = _date(day)
    return f"{found.day} {_MONTHS.split()[found.month - 1]}"


LAST_ARCANUM = 22
"""The number of the upper arcanum that is in the deck when all have been drawn: none."""


def card_draw(drawn: frozenset[str], arcanum: int) -> Draw:
    """Return the draw of the card of the day.

    `drawn` are the lower arcana since the deck was last whole, `arcanum` is the number of the upper one in it: 0 for
    the Fool, `LAST_ARCANUM` for none.
    """
    left = [card for card in tables().lower if card not in drawn]
    return Draw.uniform(*left, *tables().arcana[arcanum : arcanum + 1], reason="card of the day")


def after_card(drawn: Collection[str], arcanum: int, card: str) -> tuple[frozenset[str], int]:
    """Return the lower arcana that are out of the deck after a card was drawn, and the upper arcanum in it.

    An upper arcanum leaves for good, the lower ones return, and the next upper one is shuffled in. When all upper ones
    have left, the lower ones return as soon as none is left (ours).
    """
    if card in tables().arcana:
        return frozenset(), arcanum + 1
    out = frozenset({*drawn, card})
    return (
        frozenset() if arcanum == LAST_ARCANUM and len(out) == len(tables().lower) else out
    ), arcanum


Place = tuple[int, int]
"""Column and row of a square; the party starts at 0, 0, in the middle of the first grid (ours)."""
START: Place = (0, 0)
GRID = 9
"""Squares along a side of a grid (MF Campaign)."""


class Direction(Enum):
    """A side of a square, clockwise from the north."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"

    def turned(self, bend: Bend) -> "Direction":
        """Return the direction after a turn."""
        return _DIRECTIONS[(_DIRECTIONS.index(self) + _QUARTER_TURNS[bend]) % len(_DIRECTIONS)]

    def from_place(self, place: Place) -> Place:
        """Return the next square in this direction."""
        east, north = self.step
        return place[0] + east, place[1] + north

    @property
    def step(self) -> Place:
        """How many squares to the east and to the north it leads."""
        return _STEPS[self]

    @property
    def is_north_south(self) -> bool:
        """Whether it leads along the length of squares, not along their width."""
        return self in (Direction.NORTH, Direction.SOUTH)


_DIRECTIONS = tuple(Direction)
_STEPS = dict(zip(_DIRECTIONS, ((0, 1), (1, 0), (0, -1), (-1, 0)), strict=True))
_QUARTER_TURNS = {Bend.LEFT: -1, Bend.STRAIGHT: 0, Bend.RIGHT: 1}


class SquareGround(Enum):
    """What a square is (MF Campaign, Terrain)."""

    OPEN = "open"
    WOODS = "woods"
    VILLAGE = "village"
    POND = "pond"
    SHORE = "shore"
    """The square in which the party came upon a lake: it stands at the edge of the water."""
    LAKE = "lake"
    """Another square of a lake: nobody enters it (ours)."""
    RIVER = "river"


@dataclass(frozen=True, slots=True)
class River:
    """The course of a river through a square, as the party that came upon it sees it."""

    along: Direction
    """Where the party went."""
    side: Bend
    """The hand of the party on which it lies."""
    bend: Bend = Bend.STRAIGHT
    """Where it bends in this square."""

    @property
    def flow(self) -> Direction:
        """The side of the square through which it leaves."""
        return self.along.turned(self.bend)

    def is_crossed(self, heading: Direction) -> bool:
        """Whether who goes on that way must cross it (ours): to its side, or straight on where it bends across."""
        if heading is self.flow:
            return False
        across = self.bend not in (Bend.STRAIGHT, self.side)
        return heading is self.along.turned(self.side) or (across and heading is self.along)


@dataclass(frozen=True, slots=True)
class Square:
    """A square that is known."""

    ground: SquareGround
    """What it is."""
    river: River | None = None
    """The course of its river; None without one."""

    @property
    def text(self) -> str:
        """Its first letters: ``o``; of a river ``rnls``: it goes north, lies to the left, and goes straight on."""
        course = (self.river.along, self.river.side, self.river.bend) if self.river else ()
        return "".join(part.value[0] for part in (self.ground, *course))


_SQUARES = {square.text: square for square in map(Square, SquareGround)} | {
    square.text: square
    for along in Direction
    for side in (Bend.LEFT, Bend.RIGHT)
    for bend in Bend
    for square in [Square(SquareGround.RIVER, River(along, side, bend))]
}
del _SQUARES[Square(SquareGround.RIVER).text]
_SQUARE_TEXT = re.compile(r"(-?\d{1,6}),(-?\d{1,6})([a-z]+)", re.ASCII)


@dataclass(frozen=True, eq=False)
class Chart:
    """All squares that are known; nobody changes the mapping."""

    squares: Mapping[Place, Square]
    """The known squares by column and row."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chart) and self.squares == other.squares

    def __hash__(self) -> int:
        return hash(
            len(self.squares)
        )  # cheap: charts of one game differ in it wherever they differ

    def with_square(self, place: Place, square: Square) -> "Chart":
        """Return the chart with one more square."""
        return Chart({**self.squares, place: square})

    def is_open(self, place: Place) -> bool:
        """Whether the party may enter a square: all but those of a known lake."""
        square = self.squares.get(place)
        return square is None or square.ground is not SquareGround.LAKE

    @property
    def grids(self) -> tuple[Place, Place]:
        """The lower left and the upper right square of the whole grids of 9 x 9 that hold all known squares."""
        half = GRID // 2
        lows, highs = zip(
            *((min(row) + half, max(row) + half) for row in zip(*self.squares, strict=True)),
            strict=True,
        )
        low, high = (tuple(end // GRID * GRID - half for end in ends) for ends in (lows, highs))
        return (low[0], low[1]), (high[0] + GRID - 1, high[1] + GRID - 1)

    @cached_property
    def text(self) -> str:
        """All squares, from west to east and south to north: ``0,0o 0,1rnls``."""
        return " ".join(f"{x},{y}{square.text}" for (x, y), square in sorted(self.squares.items()))


def parse_chart(text: str) -> Chart:
    """Read a chart; InvalidValueError if the text is none."""
    squares = {}
    for word in text.split(" "):
        found = _SQUARE_TEXT.fullmatch(word)
        if found is None or found[3] not in _SQUARES:
            raise InvalidValueError(f"chart: {word!r} is not a square such as 0,1w")
        squares[int(found[1]), int(found[2])] = _SQUARES[found[3]]
    return Chart(squares)


TENTHS = 100_000
"""The longest side of a square, and the farthest march, in tenths of a mile."""


@dataclass(frozen=True)
class Member(Replaceable):
    """A figure of the party."""

    name: str
    """Its name."""
    kind: str
    """Its kind, a row of the chart of figures."""
    arms: tuple[str, ...] = ()
    """The names of its arms."""
    horse: bool = False
    """Whether it has a horse."""
    experience: Annotated[int, range(8)] = 0
    """Its experience, 0 to 7."""
    is_wounded: bool = False
    """Whether it is wounded."""

    def can_use(self, arm: str) -> bool:
        """Whether it can take one more piece of arms: into a free hand, or worn where it wears nothing yet."""
        known, kind = charts().arms, charts().kinds[self.kind]
        own = [known[name] for name in self.arms]
        if not known[arm].is_worn:
            return arm not in self.arms and sum(not one.is_worn for one in own) < kind.hands
        rows = {row for one in own if one.is_worn for row in one.defence}
        return kind.hands > 0 and rows.isdisjoint(known[arm].defence)


@dataclass(frozen=True, eq=False)
class Setting(GameSetting):
    """The constants of a campaign."""

    days: int
    """The days after which the campaign is survived."""
    length_tenths: int
    """Length of a square from north to south, in tenths of a mile."""
    width_tenths: int
    """Width of a square from west to east, in tenths of a mile."""
    party: tuple[Member, ...]
    """The party at the start, the leader first."""

    def side_tenths(self, heading: Direction) -> int:
        """Return how far it is through a square in a direction, in tenths of a mile."""
        return self.length_tenths if heading.is_north_south else self.width_tenths


@dataclass(frozen=True, kw_only=True)
class State(TurnState):
    """A campaign at one moment."""

    setting: Setting
    day: Count = 1
    """The day, from 1."""
    watch: Watch = Watch.MORNING
    """The part of the day."""
    weather: Weather = Weather.DRY
    """The weather of the day."""
    drawn: frozenset[str] = frozenset()
    """The lower arcana that are out of the deck."""
    arcanum: Count = 0
    """The number of the upper arcanum in the deck."""
    card: str = ""
    """The card of the day; empty before it is drawn."""
    chart: Chart
    """The squares that are known."""
    place: Place = (0, 0)
    """The square of the party: column and row."""
    heading: Direction | None = None
    """The side of its square to which the party marches; None before it has marched."""
    gone_tenths: Annotated[int, range(TENTHS)] = 0
    """How far it has come through its square, in tenths of a mile."""
    delay: Count = 0
    """Half-days to be spent in camp."""
    party: tuple[Member, ...]
    """The members who are alive, the leader first."""
    foes: str = ""
    """The foes of the battle that goes on; empty without one."""
    battle: Battle | None = None
    """A battle that goes on: a state of Minifig battles; else None."""
    result: Annotated[int, range(-1, 2)] | None = None
    """1 for a survived campaign, -1 for a lost one; None while it goes on."""

    @property
    def leader_lives(self) -> bool:
        """Whether the leader, the first of the party at the start, is alive."""
        return bool(self.party) and self.party[0].name == self.setting.party[0].name

    @property
    def fighters(self) -> tuple[Member, ...]:
        """Who fights a battle: all without a wound, or the whole party if nobody is without one (ours)."""
        return tuple(one for one in self.party if not one.is_wounded) or self.party

    def change_member(self, number: int, **changes: Any) -> "State":
        """Return the state with some attributes of a figure of the party changed."""
        return self.with_entry("party", number, self.party[number].replaced(changes))

    def without_member(self, number: int) -> "State":
        """Return the state in which a figure has left the party; without its leader the campaign is lost (ours)."""
        state = self.replaced({"party": (*self.party[:number], *self.party[number + 1 :])})
        return state if state.leader_lives else state.replaced({"result": -1})
