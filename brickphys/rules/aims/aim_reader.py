"""Aim reader: the aims of a setup, and why one could never be met."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from brickphys.rules.aims.aims import Aim, Carry, Hold, Positions, Reach, RoundLimit
from brickphys.rules.catalogue import TableReader
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.rules.aims.aims_schema import AimDocument

A = TypeVar("A")
D = TypeVar("D", bound="AimDocument")

_NEEDS = {
    "reach": ("player", "area"),
    "carry": ("player", "area", "item"),
    "hold": ("player", "area", "rounds"),
    "rounds": ("rounds",),
}
_MAY_HAVE = {"reach": ("units", "count")}
"""Optional keys of an aim, by its kind."""


class AimReader(TableReader, ABC, Generic[D, A]):
    """Reads aims whose form is sound; a game reads their areas.

    Parameters
    ----------
    teams
        The team of each player by name.
    units
        The team of each unit by name, in the order of their numbers.
    """

    def __init__(self, teams: Mapping[str, int], units: Mapping[str, int | None]) -> None:
        super().__init__()
        self._teams, self._units = teams, units
        self._numbers = {name: number for number, name in enumerate(units)}

    @abstractmethod
    def area(self, place: str, entry: D) -> A:
        """Return the area of an aim; its faults are noted with their place."""

    @abstractmethod
    def room(self, area: A) -> int:
        """Return how many units can be in an area at once."""

    @abstractmethod
    def items(self) -> Collection[str]:
        """Return the names of all things that a unit may have at any time."""

    def aims(self, documents: Sequence[D], start: Positions[A] | None = None) -> tuple[Aim[A], ...]:
        """Return the aims of a setup, except for those that lack a key or name no known player.

        Parameters
        ----------
        documents
            The aims as they are written.
        start
            Where all units begin, if that is known already.
        """
        entries = [(f"aims[{index}]", entry) for index, entry in enumerate(documents)]
        found = [self._aim(place, entry) for place, entry in entries]
        self.faults += _conflicts(documents)
        if start is not None:
            self.faults += met_at_start(found, start)
        return tuple(aim for aim in found if aim)

    def _aim(self, place: str, entry: D) -> Aim[A] | None:
        self._check_keys(place, entry)
        if not self.require(place, entry, _NEEDS[entry.kind]):
            return None
        if entry.kind == "rounds":
            return RoundLimit(entry.rounds or 1)
        team = self.find(f"{place}.player", "player", entry.player, self._teams)
        area = self.area(f"{place}.area", entry)
        if team is None:
            return None
        if team not in self._units.values():
            self.faults.append(f"{place}.player: the team of {entry.player} has no units")
            return None
        if entry.kind == "hold":
            return Hold(team, area, entry.rounds or 1)
        if entry.kind == "carry":
            if entry.item not in self.items():
                self.faults.append(f"{place}.item: there is no {entry.item!r} in this battle")
            return Carry(team, area, entry.item or "")
        self._check_reach(place, entry, team, area)
        units = tuple(self._numbers[name] for name in entry.units if name in self._numbers)
        return Reach(team, area, units, entry.count)

    def _check_keys(self, place: str, entry: D) -> None:
        """Note the keys that say nothing in an aim of its kind."""
        known = {"kind", *_NEEDS[entry.kind], *_MAY_HAVE.get(entry.kind, ())}
        for key, value in entry:
            default = type(entry).model_fields[key].get_default(call_default_factory=True)
            if key not in known and value != default:
                self.faults.append(f"{place}.{key}: not a key of the aim {entry.kind!r}")

    def _check_reach(self, place: str, entry: D, team: int, area: A) -> None:
        for index, name in enumerate(entry.units):
            here = f"{place}.units[{index}]"
            its = self.find(here, "unit", name, self._units)
            if its not in (None, team):
                self.faults.append(f"{here}: {name} is of another team")
            if name in entry.units[:index]:
                self.faults.append(f"{here}: {name} is listed twice")
        if entry.units and entry.count > 1:
            self.faults.append(f"{place}.count: leave it out, since all named units must be there")
        own = sum(its == team for its in self._units.values())
        wanted, room = len(entry.units) or entry.count, self.room(area)
        if 0 < room < wanted:
            self.faults.append(f"{place}: {wanted} units, but the area has room for only {room}")
        elif wanted > own and not entry.units:
            self.faults.append(f"{place}: {counted(wanted, 'unit')}, but the team has only {own}")


def met_at_start(aims: Iterable[Aim[A] | None], start: Positions[A]) -> Iterator[str]:
    """Yield the aims of a setup that are met before a unit has moved."""
    for index, aim in enumerate(aims):
        if isinstance(aim, Reach | Carry) and aim.is_met(start):
            yield f"aims[{index}]: already met at the start of the battle"


def _conflicts(documents: Sequence[D]) -> Iterator[str]:
    """Yield aims that are written twice, and those that the end by rounds comes before."""
    ends = [index for index, entry in enumerate(documents) if entry.kind == "rounds"]
    yield from (f"aims[{index}]: aims[{ends[0]}] already limits the rounds" for index in ends[1:])
    last = documents[ends[0]].rounds if ends else None
    for index, entry in enumerate(documents):
        if entry.kind == "hold" and last and entry.rounds and entry.rounds > last:
            yield f"aims[{index}]: {entry.rounds} rounds to hold, but the game ends after round {last}"
        if entry.kind != "rounds" and entry in documents[:index]:
            yield f"aims[{index}]: the same as aims[{documents.index(entry)}]"
