"""Scenario: a setup with a title and a text, and the place in its file of each part of the setup."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from brickphys.errors import ScenarioFileError, raised_as, refuse

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
    """A game before it begins.

    Attributes
    ----------
    title, text
        Description of the battle.
    setup
        The setup for `Game.initial`.
    areas
        Rectangles by the names that the map gives them.
    places
        Where in the file a part of the setup stands, by its key path there, if that is another: ``units[3]`` is
        ``legend.k at 7,12``.
    rectangles
        The rectangles of what is drawn, by its key path in the setup.
    """

    title: str
    text: str
    setup: dict[str, Any]
    areas: Mapping[str, Rectangle]
    places: Mapping[str, str]
    rectangles: Mapping[str, Rectangle]

    def refuse(self, name: str, faults: Collection[str]) -> None:
        """Raise ScenarioFileError with all faults of the setup, if there are any, each with its place in the file.

        A fault that every square of a sign has is told of the first one.

        Parameters
        ----------
        name
            Name of the file, with which the message begins.
        faults
            As ``key.path: what``.
        """
        told = dict[str, str]()
        for fault in map(self._in_file, faults):
            told.setdefault(_SQUARE.sub("", fault), fault)
        with raised_as(ScenarioFileError):
            refuse(name, list(told.values()))

    def _in_file(self, fault: str) -> str:
        return _ENTRY.sub(lambda found: self.places.get(found[0], found[0]), fault)
