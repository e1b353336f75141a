"""Scenario: the start of a game with a title and a text.

A `Scenario` has the place in its file of each part of its setup. Shipped scenarios are each read when they are first
asked for. A `ScenarioReport` is what the command `scenario` and its picture show: map, armies, aims and named areas.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self

from brickphys.errors import ScenarioFileError, raised_as, refuse, unknown
from brickphys.files import is_shipped, is_there
from brickphys.reading import MOST_SETUP_BYTES, read_text, shipped_text
from brickphys.rules.record import Setup, State
from brickphys.rules.report.sheets import ArmyTotal

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point

_ENTRY = re.compile(r"(?<![.\w])[\w.]+\[\d+\]")
"""The key path of an entry of a list."""
_SQUARE = re.compile(r"(?<=^legend\..) at [\w,]+")
"""Place on the map of the sign that has a fault."""


class Rectangle(NamedTuple):
    """A rectangle in the unit of a setup: its lower left corner and its size."""

    x: int
    y: int
    width: int
    length: int


@dataclass(frozen=True)
class Scenario:
    """A game before it begins."""

    title: str
    text: str
    setup: dict[str, Any]
    """The setup for `Game.initial`."""
    areas: Mapping[str, Rectangle]
    """Rectangles by the names that the map gives them."""
    places: Mapping[str, str]
    """Where in the file a part of the setup stands, by its key path there, if that is another: ``units[3]`` is
    ``legend.k at 7,12``."""
    rectangles: Mapping[str, Rectangle]
    """The rectangles of what is drawn, by its key path in the setup."""

    def refuse(self, name: str, faults: Collection[str]) -> None:
        """Raise ScenarioFileError with all faults of the setup, if there are any, each with its place in the file.

        A fault that every square of a sign has is told of the first one. `faults` are as ``key.path: what``.
        """
        told = dict[str, str]()
        for fault in faults:
            there = _ENTRY.sub(lambda found: self.places.get(found[0], found[0]), fault)
            told.setdefault(_SQUARE.sub("", there), there)
        with raised_as(ScenarioFileError):
            refuse(name, list(told.values()))


_SUFFIX = ".toml"


class ShippedScenarios(Mapping[str, Setup]):
    """The setups of the scenarios that ship with a game, by name.

    `package` is that of the game; the files are in its folder ``scenarios``.
    """

    def __init__(self, package: str, parse: Callable[[str, str], Scenario]) -> None:
        self._folder = files(package) / "scenarios"
        self.parse = parse
        """Reads the text of a file; the name of that begins the message of an error."""
        self._read = dict[str, Scenario]()

    @cached_property
    def _names(self) -> tuple[str, ...]:
        found = (entry.name for entry in self._folder.iterdir() if entry.name.endswith(_SUFFIX))
        return tuple(sorted(name.removesuffix(_SUFFIX) for name in found))

    def scenario(self, name: str) -> Scenario:
        """Return a scenario; InvalidValueError if there is none of that name."""
        if name not in self._names:
            raise unknown("scenario", name, self._names)
        if name not in self._read:
            text = shipped_text(self._folder / f"{name}{_SUFFIX}")
            self._read[name] = self.parse(text, f"{name}{_SUFFIX}")
        return self._read[name]

    def titles(self) -> dict[str, str]:
        """Return the titles of all, by name."""
        return {name: self.scenario(name).title for name in self}

    def read(self, path: Path | str) -> Scenario:
        """Return the scenario in a file of the game; ScenarioFileError tells every fault of form."""
        with raised_as(ScenarioFileError):
            return self.parse(read_text(path, MOST_SETUP_BYTES), str(path))

    def find(self, source: str) -> Scenario:
        """Return a scenario that ships, by name, or one in a file; see `read`."""
        is_file = source.endswith(_SUFFIX) or (is_there(source) and Path(source).is_file())
        return (
            self.read(source) if is_file and not is_shipped(source, self) else self.scenario(source)
        )

    def __getitem__(self, name: str) -> Setup:
        if name not in self._names:
            raise KeyError(name)
        return self.scenario(name).setup

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True)
class NamedArea:
    """A part of the field: the lower left corner and the size of the rectangle around it, in its unit, and its text."""

    name: str
    x: float
    y: float
    width: float
    length: float
    outline: "tuple[Point, ...]" = field(default=(), kw_only=True)
    """Its corners, if it is no rectangle."""


@dataclass(frozen=True)
class ScenarioReport(Generic[State]):
    """A game before it begins."""

    title: str
    text: str
    map: str
    """The field in characters, with its legend."""
    armies: tuple[ArmyTotal, ...]
    """The totals of each player's army."""
    aims: tuple[str, ...]
    """How the game is won, a sentence each."""
    areas: tuple[NamedArea, ...]
    """Rectangles that have a name, or that an aim is about."""
    setup: Setup
    state: State
    limit_points: int | None = None
    """The most cost points of each army; None if there is no limit."""

    @classmethod
    def of(
        cls,
        scenario: Scenario,
        state: State,
        *,
        map_text: str,
        armies: Iterable[ArmyTotal],
        aims: Iterable[str],
        areas: Iterable[NamedArea],
    ) -> Self:
        """Return the report of a scenario, with its first state and what the game says of that."""
        return cls(
            title=scenario.title,
            text=scenario.text.strip(),
            map=map_text,
            armies=tuple(armies),
            aims=tuple(aims),
            areas=tuple(areas),
            setup=scenario.setup,
            state=state,
            limit_points=scenario.setup.get("limit_points"),
        )
