"""Tables: the book's tables for the dice and cards of the campaign (MF Campaign)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from brickphys.files import shipped_tables


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
    square: tuple[str, ...]  # of the terrain of a square: a name of `Ground`, or water
    water: tuple[str, ...]
    lake_squares: tuple[int, ...]
    bend: tuple[Bend, ...]
    on_foot: tuple[int, ...]  # tenths of a mile in half a day
    mounted: tuple[int, ...]
    hours: Mapping[Watch, str]  # from when to when each watch is

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
    deck, terrain, march = found["deck"], found["terrain"], found["march"]
    weather = {Season(name): tuple(map(Weather, row)) for name, row in found["weather"].items()}
    tenths = {
        how: tuple(round(mph * march["hours"] * MILE) for mph in march[how])
        for how in ("on_foot", "mounted")
    }
    return Tables(
        **{name: tuple(row) for name, row in deck.items()},
        weather=weather,
        square=tuple(terrain["square"]),
        water=tuple(terrain["water"]),
        lake_squares=tuple(terrain["lake_squares"]),
        bend=tuple(map(Bend, terrain["bend"])),
        **tenths,
        hours={Watch(name): hours for name, hours in found["watches"].items()},
    )
