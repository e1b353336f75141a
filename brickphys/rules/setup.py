"""Setup: the players, names, aims and named things of a setup whose form is sound, and their faults of meaning.

Named things, such as sheets, are read table by table over those that are known already (`TableReader`). Random armies
are two armies drawn by the prices of their units, for studies of many games. An army is drawn unit by unit: each unit
that its points still pay for is as likely as any other, until they pay for none. The armies take sides at random, so
that neither a seat nor a side of the field favours one.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from brickphys.errors import InvalidValueError, unknown
from brickphys.rules.aims import Aim, Carry, Circle, Hold, Positions, Reach, RoundLimit
from brickphys.rules.record import colour_faults
from brickphys.text import counted

if TYPE_CHECKING:
    import numpy as np

    from brickphys.rules.schema import AimDocument, PlayerDocument

T = TypeVar("T")


def lookup(kind: str, name: str, known: Mapping[str, T]) -> T:
    """Return the thing of a name; InvalidValueError if there is none of that name; the message has the nearest one."""
    if name not in known:
        raise unknown(kind, name, known)
    return known[name]


class TableReader:
    """Reads the tables of a file whose form is sound, and notes every fault of meaning.

    A game's reader has a method for each kind of table. The `faults` are as ``key.path: what``.
    """

    def __init__(self) -> None:
        self.faults: list[str] = []

    def attempt(self, place: str, make: Callable[..., T], *values: object) -> T | None:
        """Return the result of a call; None if it raises InvalidValueError, which is noted as a fault of the place."""
        try:
            return make(*values)
        except InvalidValueError as error:
            self.faults.append(f"{place}: {error}")
            return None

    def find(self, place: str, kind: str, name: str | None, known: Mapping[str, T]) -> T | None:
        """Return the thing of a name in the file; None without a name, or for an unknown one, which is a fault."""
        return None if name is None else self.attempt(place, lookup, kind, name, known)

    def add(
        self,
        place: str,
        name: str,
        value: T,
        faults: Iterable[str],
        own: dict[str, T],
        *others: Mapping[str, object],
    ) -> None:
        """Add a thing to its kind.

        Each of its faults has the key in its table. It is added to its `own` kind even with a fault, so that tables
        that name it have none for that; it must not have the name of `others`.
        """
        self.faults += [f"{place}.{fault}" for fault in faults]
        if any(name in taken for taken in (own, *others)):
            self.faults.append(f"{place}.name: {name!r} is already taken")
        own.setdefault(name, value)

    def require(self, place: str, document: object, keys: Iterable[str], reason: str = "") -> bool:
        """Tell whether a table has some keys; each that it lacks is a fault.

        `reason` is why these may not be left out, such as ``"there is no base"``.
        """
        missing = [key for key in keys if getattr(document, key) is None]
        why = f", and {reason}" if reason else ""
        self.faults += [f"{place}.{key}: missing{why}" for key in missing]
        return not missing


def given(document: Iterable[tuple[str, Any]], *without: str) -> dict[str, Any]:
    """Return the keys of a table that are written, with their values, except for some."""
    return {key: value for key, value in document if value is not None and key not in without}


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

    The teams of players, and of units in the order of their numbers, are by name.
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

        `start` is where all units begin, if that is known already.
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


class CircleAimReader(AimReader[Any, Circle]):
    """Reads aims whose form is sound, each with ``area``: the middle of a circle, x and y, and its radius.

    `things` are the names of all things that a unit may have.
    """

    def __init__(
        self,
        teams: Mapping[str, int],
        units: Mapping[str, int | None],
        things: Collection[str] = (),
    ) -> None:
        super().__init__(teams, units)
        self._things = things

    def area(self, place: str, entry: Any) -> Circle:
        x, y, radius = entry.area
        return Circle((x, y), radius)

    def room(self, area: Circle) -> int:
        """Return 0: no circle is too small for units, whose middles count."""
        return 0

    def items(self) -> Collection[str]:
        return self._things


class SetupReader(TableReader):
    """Reads what all setups have; a game adds its field and its units.

    Each player has a team of its own, unless the setup says another; colours are None where it gives none.
    """

    def __init__(self, players: "Sequence[PlayerDocument]") -> None:
        super().__init__()
        self.players = {player.name: index for index, player in enumerate(players)}
        self.teams = tuple(
            index if player.team is None else player.team for index, player in enumerate(players)
        )
        self.colours = tuple(player.colour for player in players)
        self.faults += colour_faults(tuple(self.players), self.colours)

    @property
    def team_of(self) -> dict[str, int]:
        """The team of each player by name."""
        return {name: self.teams[index] for name, index in self.players.items()}

    def check_names(self, kinds: Mapping[str, Iterable[str]]) -> None:
        """Note the names that several things of one kind have, by the kinds of things."""
        self.faults += [
            f"{kind}: {count} have the name {name!r}"
            for kind, names in kinds.items()
            for name, count in Counter(names).items()
            if count > 1
        ]

    def check_teams(self) -> None:
        """Note that no player has an opponent."""
        if len(set(self.teams)) < 2:
            self.faults.append("players: there must be at least two teams")

    def aims(
        self,
        reader: AimReader[Any, A],
        documents: Sequence[Any],
        start: Positions[A] | None = None,
    ) -> tuple[Aim[A], ...]:
        """Return the aims that a reader reads, and note its faults; see `AimReader.aims`."""
        found = reader.aims(documents, start)
        self.faults += reader.faults
        return found


DRAW_TABLE = "draw"
"""Table of a study that contains the options."""


def draw_armies(
    prices: Mapping[str, int],
    points: int,
    ratios: tuple[float, float],
    rng: "np.random.Generator",
) -> list[list[str]]:
    """Return two armies by the names of their units, in the order of their sides.

    InvalidValueError if the points of an army may pay for no unit. `ratios` are the ends between which the points of
    the other army lie, in those of the first; drawn log-uniformly.
    """
    low, high = ratios
    _check_points(prices, points * min(1.0, low))
    ratio = exp(rng.uniform(log(low), log(high)))
    armies = [_draw_army(prices, points * times, rng) for times in (1.0, ratio)]
    if rng.integers(2):
        armies.reverse()
    return armies


def army_label(army: Sequence[str]) -> str:
    """Write an army as a line: ``knight+trooper*2``."""
    counts = sorted(Counter(army).items())
    return "+".join(name if count == 1 else f"{name}*{count}" for name, count in counts)


def _check_points(prices: Mapping[str, int], points: float) -> None:
    if points < min(prices.values()):
        cheapest = min(prices, key=lambda name: prices[name])
        raise InvalidValueError(
            f"{DRAW_TABLE}: points: {points:g} are not enough: the cheapest unit ({cheapest}) costs {prices[cheapest]}"
        )


def _draw_army(prices: Mapping[str, int], points: float, rng: "np.random.Generator") -> list[str]:
    army: list[str] = []
    while affordable := [name for name, price in prices.items() if price <= points]:
        army.append(affordable[int(rng.integers(len(affordable)))])
        points -= prices[army[-1]]
    rng.shuffle(army)
    return army
