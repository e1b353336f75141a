"""Trajectories: a played game as paths over its field, in the unit of the field."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Generic

from brickphys.errors import InvalidValueError, unknown
from brickphys.rules.record import Record, State, player_colours
from brickphys.rules.scenario import NamedArea

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point


@dataclass(frozen=True)
class Track:
    """The way of a unit or a vehicle."""

    name: str
    player: int
    is_vehicle: bool
    places: "tuple[tuple[int, Point], ...]"
    """Round and place, in order: the first in round 0."""
    end: str = ""
    """``"dies"``, ``"is destroyed"``, ``"leaves"``; empty if it is still in play at the end."""
    end_round: int = 0
    """The round of that."""
    begins_here: bool = True
    """Whether it stood at its first place when the game began; not if it got off a vehicle there."""
    outlines: "tuple[tuple[int, tuple[Point, ...]], ...]" = ()
    """Round and outline at some of its places, such as those of a hull at the end of each round."""

    def during(self, first: int, last: int) -> "Track":
        """Return its way in the rounds from the first to the last, from where it was before; empty if it was gone."""
        if self.end and self.end_round < first:
            return replace(self, places=(), outlines=(), end="")
        before = [place for place in self.places if place[0] < first]
        within = [place for place in self.places if first <= place[0] <= last]
        return replace(
            self,
            places=(*before[-1:], *within),
            end=self.end if self.end_round <= last else "",
            begins_here=self.begins_here or bool(before),
            outlines=tuple(one for one in self.outlines if first <= one[0] <= last),
        )


@dataclass(frozen=True)
class Kill:
    """The loss of a unit or a vehicle: its name, its player, and where it was."""

    name: str
    player: int
    at: "Point"


@dataclass(frozen=True)
class Frame(Generic[State]):
    """One picture of a film: the field after a turn, or after one action of it."""

    state: State
    """After the turn."""
    heading: str
    text: str
    player: int | None = None
    """The player of the unit that acted; None before the first turn, and where none did."""
    path: "tuple[Point, ...]" = ()
    """Where that unit was, from place to place."""
    attacks: "tuple[tuple[Point, Point], ...]" = ()
    """From where units attacked, and what: pairs of places."""
    impacts: "tuple[tuple[Point, bool], ...]" = ()
    """Where shots fell, each with whether it hit."""
    kills: tuple[Kill, ...] = ()
    """The units and vehicles lost in the turn."""
    round: int = 0
    """The round (turn, day) that it belongs to; 0 before the first."""
    rolled: bool = False
    """Whether anything was rolled, with or without an effect."""

    @property
    def is_still(self) -> bool:
        """Whether nobody went, attacked, shot or was lost, and nothing was rolled."""
        happened = self.attacks or self.impacts or self.kills or self.rolled
        return len(self.path) < 2 and not happened


@dataclass(frozen=True)
class Trajectories(Generic[State]):
    """A game that was played, as pictures show it.

    `names` are the players, `played_by` the bot or person that played each.
    """

    names: tuple[str, ...]
    played_by: tuple[str, ...]
    ending: str
    """How the game ended, as a sentence."""
    final: State
    tracks: tuple[Track, ...]
    """The way of every unit and vehicle."""
    frames: tuple[Frame[State], ...]
    """The field after each turn or action; the heading of the last one says how the game ended."""
    areas: tuple[NamedArea, ...] = ()
    """Rectangles that have a name, or that an aim is about."""
    time: str = "round"
    """What the numbers of places count."""
    shown_player: int | None = None
    """The player whose units alone have names and ways, and whose turns alone are filmed; None for all."""
    colours: tuple[str, ...] = ()
    """The colour of each player; those of `player_colours` if not given."""

    def __post_init__(self) -> None:
        if not self.colours:
            object.__setattr__(self, "colours", player_colours(self.names))

    @property
    def last_round(self) -> int:
        """The number of the last round (turn, day); 0 if nobody has acted."""
        return max((frame.round for frame in self.frames), default=0)

    @property
    def rounds_told(self) -> str:
        """Which rounds (turns, days) there are, in words."""
        first = min((frame.round for frame in self.frames if frame.round), default=0)
        if not first:
            return f"no {self.time}s"
        if first == self.last_round:
            return f"{self.time} {first} alone"
        return f"{self.time}s {first} to {self.last_round}"

    def during(self, first: int, last: int) -> "Trajectories[State]":
        """Return what happened in the rounds (turns, days) from the first to the last, both included.

        InvalidValueError if nothing happened in them.
        """
        frames = tuple(frame for frame in self.frames if first <= frame.round <= last)
        span = f"{self.time} {first}" if first == last else f"{self.time}s {first} to {last}"
        if not frames:
            raise InvalidValueError(f"the game does not have {span}: it has {self.rounds_told}")
        return replace(
            self,
            ending=self.ending if frames[-1] is self.frames[-1] else f"After {span}.",
            final=frames[-1].state,
            tracks=tuple(track.during(first, last) for track in self.tracks),
            frames=frames,
        )

    def side(self, name: str) -> "Trajectories[State]":
        """Return the ways of one player alone; InvalidValueError if no player has this name."""
        if name not in self.names:
            raise unknown("player", name, self.names)
        player = self.names.index(name)
        tracks = tuple(track for track in self.tracks if track.player == player)
        return replace(self, tracks=tracks, shown_player=player)


def in_rounds(
    record: Record[State, Any], round_of: Callable[[State], int]
) -> Iterator[tuple[int, State]]:
    """Yield the states of a game, each with the round of the step that led to it, even if that ends the round."""
    before = record.initial
    yield round_of(before), before
    for step in record.steps:
        yield round_of(before), step.after
        before = step.after


def steps_of(record: Record[State, Any], frames: Iterable[Frame[State]]) -> Iterator[int]:
    """Yield how many steps of a game are done in each of its frames; one of another state adds none to the last."""
    numbers = {id(step.after): number for number, step in enumerate(record.steps, start=1)}
    done = 0
    for frame in frames:
        done = max(done, numbers.get(id(frame.state), done))
        yield done


def moves(places: "Iterable[tuple[int, Point]]") -> "tuple[tuple[int, Point], ...]":
    """Return rounds and places, each place once for a stay."""
    return tuple(next(stays) for _, stays in groupby(places, key=lambda visit: visit[1]))
