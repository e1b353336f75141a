"""Setup: the first state of a battle from plain JSON values, its special rules, and every fault of meaning."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from brickphys.blade_and_bow.setting import (
    Entry,
    LeaderSpec,
    Options,
    Setting,
    Special,
    UnitSpec,
    square_names,
)
from brickphys.blade_and_bow.sheets import FACES, Counter, TerrainEffects, charts, counters
from brickphys.blade_and_bow.state import State
from brickphys.errors import refuse
from brickphys.grid.grid import FACING_NAMES, Grid, Square, Squares, squares_of
from brickphys.rules.record import DigestedSetup, colour_faults
from brickphys.rules.scenario import Scenario
from brickphys.rules.setup import TableReader

if TYPE_CHECKING:
    from brickphys.blade_and_bow.documents import ArmyDocument, SetupDocument, UnitDocument


_REMEMBERED = 64
"""Setups that are kept: more than one command needs at a time."""


def first_state(setup: Mapping[str, Any], name: str = "setup") -> State:
    """Return the state in which a battle begins; equal setups are read once.

    InvalidValueError has the name, and every fault of form, or if there is none, of meaning.
    """
    state, faults = _read(DigestedSetup.of(setup), name)
    refuse(name, faults)
    return state


def begin(scenario: Scenario, name: str = "scenario") -> State:
    """Return the first state of a scenario; ScenarioFileError lists every fault with its place in the file."""
    state, faults = _read(DigestedSetup.of(scenario.setup), name)
    scenario.refuse(name, faults)
    return state


@lru_cache(_REMEMBERED)
def _read(given: DigestedSetup, name: str) -> tuple[State, tuple[str, ...]]:
    """Return the first state and the faults of meaning; InvalidValueError has those of form."""
    from brickphys.blade_and_bow.documents import SetupDocument
    from brickphys.schema import validated

    reader = BattleReader(validated(SetupDocument, dict(given.setup), name))
    return reader.first_state(given.digest), tuple(reader.faults)


class BattleReader(TableReader):
    """Reads a setup whose form is sound."""

    def __init__(self, document: "SetupDocument") -> None:
        super().__init__()
        self._document = document
        self._grid = Grid(document.field.width, document.field.length)
        self._names = square_names(self._grid)
        self._numbers = {name: n for n, name in enumerate(self._names)}
        self._terrain = dict.fromkeys(self._numbers, charts().terrain["clear"])
        self._armies: dict[str, ArmyDocument] = {}
        self._units: dict[str, UnitSpec] = {}
        self._has_all = False  # units without a fault: else what rests on them is not checked
        self._leaders: dict[str, LeaderSpec] = {}

    def first_state(self, digest: str) -> State:
        """Return the first state of a setup with a digest; what has a fault, which is noted, may be left out."""
        document = self._document
        for number, army in enumerate(document.players):
            self.add(f"players[{number}]", army.name, army, (), self._armies)
        players = {name: number for number, name in enumerate(self._armies)}
        colours = tuple(army.colour for army in document.players)
        self.faults += colour_faults(tuple(players), colours)
        first = self.find("initiative", "player", document.initiative, players)
        self._read_ground()
        walls = self._walls()
        before = len(self.faults)
        for number, unit in enumerate(document.units):
            self._read_unit(f"units[{number}]", unit, players)
        self._has_all = len(self.faults) == before
        for number, _ in enumerate(document.leaders):
            self._read_leader(number, players)
        camps = tuple(self._camp(number) for number in range(len(document.players)))
        self._check_armies(camps)
        setting = Setting(
            digest=digest,
            players=tuple(players),
            chosen_colours=colours,
            grid=self._grid,
            terrain=tuple(self._terrain.values()),
            walls=walls,
            units=tuple(self._units.values()),
            leaders=tuple(self._leaders.values()),
            camp_places=camps,
            impulses=tuple(army.impulses for army in document.players),
            rout_levels=tuple(army.rout_level for army in document.players),
            tie_breaker=first or 0,
            special=self._special(players),
            options=Options(**document.options.model_dump()),
        )
        return State.printed(setting)

    def _square(self, place: str, name: str) -> Square | None:
        """Return the square of a name; None if it is not on the map, which is a fault."""
        if name not in self._numbers:
            width, length = self._grid.width, self._grid.length
            self.faults.append(f"{place}: {name} is off the map of {width} x {length} squares")
        return self._numbers.get(name)

    def _open(self, place: str, names: Collection[str]) -> list[Square]:
        """Return those of some squares that are on the map, open and named once; others are faults."""
        found: list[Square] = []
        for number, name in enumerate(names):
            here = f"{place}[{number}]"
            square = self._square(here, name)
            if square is None:
                continue
            self.faults += self._closed(here, name)
            if square in found:
                self.faults.append(f"{here}: {name} is named twice")
            found.append(square)
        return found

    def _closed(self, place: str, name: str) -> Iterator[str]:
        if self._terrain[name].closed:
            yield f"{place}: no unit can enter {name}, which is {self._terrain[name].name}"

    def _read_ground(self) -> None:
        named: dict[str, TerrainEffects] = {}
        for kind, names in self._document.field.ground.items():
            place = f"field.ground.{kind}"
            ground = self.find(place, "terrain", kind, charts().terrain)
            for number, name in enumerate(names if ground else ()):
                here = f"{place}[{number}]"
                if name in named:
                    self.faults.append(f"{here}: {name} is {named[name].name} too")
                elif self._square(here, name) is not None:
                    assert ground is not None
                    named[name] = ground
        self._terrain |= named

    def _walls(self) -> frozenset[tuple[Square, Square]]:
        found = set()
        for number, pair in enumerate(self._document.field.walls):
            place = f"field.walls[{number}]"
            squares = [self._square(place, name) for name in pair]
            ends = [square for square in squares if square is not None]
            if len(ends) < len(pair):
                continue
            (x, y), (x2, y2) = map(self._grid.xy, ends)
            if abs(x - x2) + abs(y - y2) != 1:
                self.faults.append(f"{place}: {' and '.join(pair)} have no side in common")
            found.add((min(ends), max(ends)))
        return frozenset(found)

    def _read_unit(self, place: str, entry: "UnitDocument", players: Mapping[str, int]) -> None:
        """Read a unit; of an unknown kind or player it is left out."""
        kind = self.find(f"{place}.kind", "kind of unit", entry.kind, counters())
        player = self.find(f"{place}.player", "player", entry.player, players)
        square = None
        if entry.square is not None:
            square = self._square(f"{place}.square", entry.square)
            others = (one for one in self._units.values() if one.square is not None)
            other = next((one.name for one in others if one.square == square), None)
            if other:
                self.faults.append(f"{place}.square: {other} is already in {entry.square} (BB 3.2)")
            if square is not None:
                self.faults += self._closed(f"{place}.square", entry.square)
        if kind is None or player is None:
            return
        army = self._armies[entry.player]
        ranks = army.ranks if entry.ranks is None else entry.ranks
        most = max(army.ranks, army.most_ranks or 0)
        faults = list(_rank_faults(kind, entry, ranks, most))
        if not kind.has_ranks:
            ranks = most = 0
        if entry.name in {f"camp_{name}" for name in self._armies}:
            faults.append(f"name: {entry.name!r} is a camp")
        facing = FACING_NAMES.index(entry.facing)
        spec = UnitSpec(entry.name, player, kind, square, facing, ranks, most)
        self.add(place, entry.name, spec, faults, self._units)

    def _read_leader(self, number: int, players: Mapping[str, int]) -> None:
        """Read a leader, who stands with a unit of the same player (BB 14.3)."""
        entry, place = self._document.leaders[number], f"leaders[{number}]"
        player = self.find(f"{place}.player", "player", entry.player, players)
        square = self._square(f"{place}.square", entry.square) if entry.square else None
        if player is None:
            return
        faults = []
        stand = {one.square for one in self._units.values() if one.player == player}
        if self._has_all and square is not None and square not in stand:
            faults.append(f"square: no unit of {entry.player} is in {entry.square} (BB 14.3)")
        own = (one for one in self._leaders.values() if one.player == player)
        same = (one.name for one in own if one.rank == entry.rank)
        faults += [
            f"rank: {entry.rank} is already the rank of {other} (BB 6.1.1)" for other in same
        ]
        values = (entry.rank, entry.range_points, entry.value, entry.colour, square)
        spec = LeaderSpec(entry.name, player, *values)
        self.add(place, entry.name, spec, faults, self._leaders, self._units)

    def _camp(self, player: int) -> tuple[Square, ...]:
        army, place = self._document.players[player], f"players[{player}].camp"
        if army.camp_decides and not army.camp:
            self.faults.append(f"{place}: missing, but camp_decides is {army.camp_decides!r}")
        enemies = {one.square: one.name for one in self._units.values() if one.player != player}
        found = tuple(self._open(place, army.camp))
        self.faults += [
            f"{place}: {self._names[square]}, where the enemy unit {enemies[square]} stands (BB 12)"
            for square in found
            if square in enemies
        ]
        return found

    def _check_armies(self, camps: tuple[tuple[Square, ...], ...]) -> None:
        """Note armies without a unit, other sums of ranks, rout levels out of reach, and a square of both camps."""
        both = set.intersection(*map(set, camps))
        self.faults += [
            f"players[1].camp: {name} is a place of the camp of {self._document.players[0].name}"
            for name, square in self._numbers.items()
            if square in both
        ]
        for number, army in enumerate(self._document.players):
            if army.most_ranks is not None and army.most_ranks < army.ranks:
                self.faults.append(
                    f"players[{number}].most_ranks: {army.most_ranks} is below ranks = {army.ranks} "
                    "(BB 14.2 Steps)"
                )
            if not self._has_all:
                continue
            units = [unit for unit in self._units.values() if unit.player == number]
            if all(unit.square is None for unit in units):
                self.faults.append(f"players[{number}]: {army.name} has no unit on the map")
            dense = sum(unit.counter.has_ranks for unit in units)
            total = sum(unit.ranks for unit in units)
            if total != army.ranks * dense:
                self.faults.append(
                    f"players[{number}].ranks: {army.ranks} for each of {dense} units are "
                    f"{army.ranks * dense}, the units have {total} (BB 14.2 Steps)"
                )
            if army.rout_level > len(units) + total:
                self.faults.append(
                    f"players[{number}].rout_level: {army.rout_level}, the army has {len(units)} "
                    f"units and {total} ranks to lose"
                )

    def _special(self, players: Mapping[str, int]) -> Special:
        """Return the special rules; what has a fault, which is noted, may be left out."""
        given, armies = self._document.special, self._document.players
        self.find("special.mortal", "leader", given.mortal, self._leaders)
        walls = [army.shield_walls for army in armies]
        return Special(
            hidden_path=bool(given.path),
            path=(path := self._path()),
            limit=path | self._limit(),
            gates=squares_of(self._open("special.gates", given.gates)),
            mortal=given.mortal or "",
            camp_decides=(armies[0].camp_decides, armies[1].camp_decides),
            minor_to=self.find("special.minor_to", "player", given.minor_to, players),
            shield_walls=(walls[0], walls[1]),
            entries=self._entries(),
        )

    def _path(self) -> Squares:
        """Return the squares of the path, each of which is beside the one before: nobody moves diagonally on it."""
        found = self._open("special.path", names := self._document.special.path)
        if len(found) < len(names):
            return 0
        places = [self._grid.xy(square) for square in found]
        for number, ((x, y), (x2, y2)) in enumerate(pairwise(places), 1):
            if abs(x - x2) + abs(y - y2) != 1:
                self.faults.append(
                    f"special.path[{number}]: {names[number]} has no side in common with "
                    f"{names[number - 1]} (BB 14.2)"
                )
        return squares_of(found)

    def _limit(self) -> Squares:
        """Return the squares of the columns that the second player does not enter before the path is found."""
        given = self._document.special
        if given.limit_columns is None:
            return 0
        first, last = map(ascii_uppercase.index, given.limit_columns)
        width = self._grid.width
        if not first <= last < width:
            self.faults.append(
                f"special.limit_columns: {' to '.join(given.limit_columns)} on a map of A to "
                f"{ascii_uppercase[width - 1]}"
            )
        if not given.path:
            self.faults.append(
                "special.limit_columns: needs special.path, whose discovery lifts the limit"
            )
        return self._grid.block(first, 0, last + 1 - first, self._grid.length)

    def _entries(self) -> tuple[Entry, ...]:
        """Return where reinforcements come: every result of the die has one place."""
        document = self._document
        given = document.special.entries
        waiting = [
            (f"{kind}[{number}]", one.player)
            for kind in ("units", "leaders")
            for number, one in enumerate(getattr(document, kind))
            if one.square is None
        ]
        first = document.players[0].name
        for place, player in waiting:
            if not given:
                self.faults.append(f"{place}.square: missing, but required without special.entries")
            elif player != first:
                self.faults.append(
                    f"{place}.square: missing, but only {first} can have reinforcements"
                )
        if given and not waiting:
            self.faults.append("special.entries: needs units that come later")
        rolls = [roll for entry in given for roll in entry.rolls]
        if given and sorted(rolls) != list(range(1, FACES + 1)):
            self.faults.append(
                f"special.entries: rolls {rolls} must have each number from 1 to 6 once"
            )
        return tuple(
            Entry(
                tuple(sorted(entry.rolls)),
                tuple(self._open(f"special.entries[{number}].squares", entry.squares)),
                FACING_NAMES.index(entry.facing),
            )
            for number, entry in enumerate(given)
        )


def _rank_faults(kind: Counter, entry: "UnitDocument", ranks: int, most: int) -> Iterator[str]:
    if not kind.has_ranks and entry.ranks:
        yield f"ranks: {kind.name} cannot have ranks (BB 3.6)"
    if kind.has_ranks and ranks > most:
        yield f"ranks: {ranks}, at most {most} for a unit of {entry.player} (BB 14.2 Steps)"
