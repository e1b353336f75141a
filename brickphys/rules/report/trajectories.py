"""Trajectories: a game that was played as ways over its field; lengths are in the unit of the field."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Generic

from brickphys.rules.record import State
from brickphys.rules.report.scenario import NamedArea

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point


@dataclass(frozen=True)
class Track:
    """The way of a unit or a vehicle.

    Attributes
    ----------
    name, player
        Its name, and the index of its player.
    is_vehicle
        Whether it is a vehicle.
    places
        Round and place, in order: the first in round 0.
    end
        ``"dies"``, ``"is destroyed"``, ``"leaves"``; empty if it is still in play at the end.
    end_round
        The round of that.
    begins_here
        Whether it stood at its first place when the game began; not if it got off a vehicle there.
    outlines
        Its outlines at some of its places, such as those of a hull at the end of each round.
    """

    name: str
    player: int
    is_vehicle: bool
    places: "tuple[tuple[int, Point], ...]"
    end: str = ""
    end_round: int = 0
    begins_here: bool = True
    outlines: "tuple[tuple[Point, ...], ...]" = ()


@dataclass(frozen=True)
class Kill:
    """The loss of a unit or a vehicle: its name, its player, and where it was."""

    name: str
    player: int
    at: "Point"


@dataclass(frozen=True)
class Frame(Generic[State]):
    """One picture of a film: the field after a turn, or after one action of it.

    Attributes
    ----------
    state
        After the turn.
    heading, text
        The round, and the turn as a sentence.
    player
        The player of the unit that acted; None before the first turn, and where none has moved.
    path
        Where that unit was, from place to place.
    attacks
        From where units attacked, and what: pairs of places.
    impacts
        Where shots fell, each with whether it hit.
    kills
        The units and vehicles lost in the turn.
    """

    state: State
    heading: str
    text: str
    player: int | None = None
    path: "tuple[Point, ...]" = ()
    attacks: "tuple[tuple[Point, Point], ...]" = ()
    impacts: "tuple[tuple[Point, bool], ...]" = ()
    kills: tuple[Kill, ...] = ()


@dataclass(frozen=True)
class Trajectories(Generic[State]):
    """A game that was played, as pictures show it.

    Attributes
    ----------
    names, played_by
        The players, and the bot or person that played each.
    ending
        How the game ended, as a sentence.
    final
        Its last state.
    tracks
        The way of every unit and vehicle.
    frames
        The field after each turn or action; the heading of the last one says how the game ended.
    areas
        Rectangles that have a name, or that an aim is about.
    time
        What the numbers of places count.
    """

    names: tuple[str, ...]
    played_by: tuple[str, ...]
    ending: str
    final: State
    tracks: tuple[Track, ...]
    frames: tuple[Frame[State], ...]
    areas: tuple[NamedArea, ...] = ()
    time: str = "round"


def moves(places: "Iterable[tuple[int, Point]]") -> "tuple[tuple[int, Point], ...]":
    """Return rounds and places, each place once for a stay."""
    return tuple(next(stays) for _, stays in groupby(places, key=lambda visit: visit[1]))
