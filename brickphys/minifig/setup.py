"""Setup: the first state of a battle from plain JSON values, and every fault of meaning; rosters of survivors.

An entry may stand for several figures in a row. Pieces of wall may not overlap or reach over the edge of the table.

A roster tells who survived a battle, with more experience, as a file with which another battle can begin
(MF Experience). It has a table for each survivor, with what it wears, holds and rides; horses without a rider and what
lies on the ground are left behind.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from json import dumps
from math import cos, radians, sin
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from brickphys.errors import InvalidValueError, ScenarioFileError, raised_as, refuse, unknown
from brickphys.geometry.polygon import Point, Polygon, convex_polygon, intersection
from brickphys.minifig.ground import SLACK_IN
from brickphys.minifig.reach import base_problems
from brickphys.minifig.setting import (
    FigureSpec,
    ItemSpec,
    Options,
    Setting,
    ThingSpec,
    WallSpec,
    Zone,
    ZoneKind,
)
from brickphys.minifig.sheets import TOUCH_IN, Arm, Kind, charts
from brickphys.minifig.state import FigureState, ItemState, State, ThingState, rounded
from brickphys.minifig.turns import ACTION_TYPES, base_faults, positions
from brickphys.projectiles.target import brick_wall
from brickphys.rules.record import Setup, setup_digest
from brickphys.rules.scenario import Scenario
from brickphys.rules.setup import CircleAimReader, SetupReader
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.minifig.documents import (
        FighterDocument,
        FigureDocument,
        ItemDocument,
        RankDocument,
        SetupDocument,
        ThingDocument,
        WallDocument,
        ZoneDocument,
    )

R = TypeVar("R", bound="RankDocument")


def single(kind: str, entries: Sequence[R]) -> Iterator[tuple[str, R]]:
    """Yield each thing of some entries, as an entry of its own after the key of its table: ``figure[3]``.

    A rider of several rides the horse of the same number.
    """
    for index, entry in enumerate(entries):
        place = f"{kind}[{index}]"
        if entry.count is None:
            yield place, entry
        else:
            yield from ((place, one) for one in _row(entry, entry.count))


def _row(entry: R, count: int) -> Iterator[R]:
    to_right = radians(entry.facing_deg - 90.0)
    for number in range(count):
        changes: dict[str, object] = {"name": f"{entry.name}_{number + 1}"}
        if entry.x is not None and entry.y is not None:
            aside = (number - (count - 1) / 2) * entry.apart_in
            changes |= {"x": entry.x + aside * cos(to_right), "y": entry.y + aside * sin(to_right)}
        if getattr(entry, "horse", None) is not None:
            changes["horse"] = f"{entry.horse}_{number + 1}"  # type: ignore[attr-defined]
        yield entry.model_copy(update=changes)


_TOLERANCE_IN = 2 * SLACK_IN


def wall_faults(
    place: str, wall: WallSpec, others: Collection[WallSpec], table_in: tuple[float, float]
) -> Iterator[str]:
    """Yield that a piece of wall reaches over the edge of a table, and every other piece that it stands on."""
    footprint = _footprint(wall)
    inside = (footprint.vertices_studs >= -_TOLERANCE_IN) & (
        footprint.vertices_studs <= np.array(table_in) + _TOLERANCE_IN
    )
    if not inside.all():
        yield f"{place}: {wall.name} goes beyond the edge of the table"
    for other in others:
        common = intersection(footprint, _footprint(other))
        if common is not None and common.area_studs2 > _TOLERANCE_IN:
            yield f"{place}: {wall.name} overlaps {other.name}"


def _footprint(wall: WallSpec) -> Polygon:
    return Polygon(np.array(wall.corners_in(0, wall.length_studs)))


_WORDS = frozenset(each.word for each in ACTION_TYPES)


def first_state(setup: Mapping[str, Any], name: str = "setup") -> State:
    """Return the state in which a battle begins.

    InvalidValueError with the name, and with every fault of form, or if there is none, of meaning.
    """
    from brickphys.minifig.documents import SetupDocument
    from brickphys.schema import validated

    reader = BattleReader(validated(SetupDocument, dict(setup), name))
    state = reader.first_state(setup_digest(setup))
    refuse(name, reader.faults)
    return state


def begin(scenario: Scenario, name: str = "scenario") -> State:
    """Return the first state of a scenario; ScenarioFileError lists every fault."""
    with raised_as(ScenarioFileError):
        return first_state(scenario.setup, name)


class BattleReader(SetupReader):
    """Reads a setup whose form is sound."""

    def __init__(self, document: "SetupDocument") -> None:
        super().__init__(document.players)
        self._document = document
        self._riders: dict[str, str] = {}  # by the name of the horse
        self._things: dict[str, tuple[ThingSpec, ThingState]] = {}
        self._figures: dict[str, tuple[FigureSpec, FigureState]] = {}
        self._items: dict[str, tuple[ItemSpec, ItemState]] = {}
        self._walls: dict[str, WallSpec] = {}
        self._zones: list[Zone] = []
        self._places: dict[str, str] = {}  # the key of the table of each thing and figure

    def first_state(self, digest: str) -> State:
        """Return the first state of a setup with a digest; what has a fault, which is noted, may be left out."""
        self._read_tables()
        self._check_players()
        table = self._document.table
        setting = Setting(
            digest=digest,
            players=tuple(self.players),
            chosen_colours=self.colours,
            width_in=table.width,
            length_in=table.length,
            teams=self.teams,
            figures=tuple(spec for spec, _ in self._figures.values()),
            things=tuple(spec for spec, _ in self._things.values()),
            items=tuple(item for item, _ in self._items.values()),
            walls=tuple(self._walls.values()),
            zones=tuple(self._zones),
            options=Options(**self._document.options.model_dump()),
        )
        state = State(
            setting=setting,
            figures=tuple(state for _, state in self._figures.values()),
            things=tuple(state for _, state in self._things.values()),
            items=tuple(state for _, state in self._items.values()),
            walls=tuple(() for _ in self._walls),
        )
        self._check_bases(state)
        units = dict(zip(self._figures, setting.figure_teams, strict=True))
        reader = CircleAimReader(self.team_of, units, tuple(self._items))
        aims = self.aims(reader, self._document.aims, positions(state))
        return state.replaced({"setting": replace(setting, aims=aims), "holding": (0,) * len(aims)})

    def _read_tables(self) -> None:
        document = self._document
        figures, things = [*single("figure", document.figure)], [*single("thing", document.thing)]
        things_by_name = {one.name: one for _, one in things}
        for place, figure in figures:
            self._read_rider(place, figure, things_by_name)
        for place, thing in things:
            self._read_thing(place, thing)
        for place, figure in figures:
            self._read_figure(place, figure)
        for number, item in enumerate(document.item):
            self._read_item(f"item[{number}]", item)
        for place, wall in single("wall", document.wall):
            self._read_wall(place, wall)
        for number, zone in enumerate(document.zone):
            self._read_zone(f"zone[{number}]", zone)
        for kind in ("figure", "thing", "item", "wall"):
            self.faults += [
                f"{kind}[{number}].name: {entry.name!r} is the word of an action"
                for number, entry in enumerate(getattr(document, kind))
                if entry.name in _WORDS
            ]

    def _check_bases(self, state: State) -> None:
        """Note what stands or lies off the table, on something else, in a wall or in water."""
        self.faults += [
            f"{self._places[name]}: {name}: {fault}"
            for name, fault in base_faults(state)
            if name not in self._riders  # a horse is where its rider is
        ]
        everyone = range(len(state.bases))
        self.faults += [
            f"item[{number}]: {fault}"
            for number, item in enumerate(self._document.item)
            for fault in base_problems(state, (item.x, item.y), TOUCH_IN, everyone)
        ]

    def _read_rider(
        self, place: str, entry: "FigureDocument", things: Mapping[str, "ThingDocument"]
    ) -> None:
        """Note who rides what is no horse, or a horse with another rider."""
        kinds = charts().things
        if entry.horse is None:
            return
        thing = self.find(f"{place}.horse", "horse", entry.horse, things)
        if thing is None:
            return
        if thing.kind in kinds and not kinds[thing.kind].is_ridden:
            self.faults.append(f"{place}.horse: a {thing.kind} cannot be ridden")
        rider = self._riders.setdefault(entry.horse, entry.name)
        if rider != entry.name:
            self.faults.append(f"{place}.horse: {rider} already rides {entry.horse}")

    def _read_thing(self, place: str, entry: "ThingDocument") -> None:
        at = (entry.x, entry.y)
        if entry.name in self._riders:
            if at != (None, None):
                self.faults.append(
                    f"{place}.x: leave it out: {entry.name} stands where its rider is"
                )
        elif not self.require(place, entry, ("x", "y"), "nobody rides it"):
            return
        kind = self.find(f"{place}.kind", "kind of thing", entry.kind, charts().things)
        if kind is None:
            return
        x, y = rounded((entry.x or 0.0, entry.y or 0.0))
        state = ThingState(x, y, entry.facing_deg % 360.0)
        self.add(place, entry.name, (ThingSpec(entry.name, kind), state), (), self._things)
        self._places.setdefault(entry.name, place)

    def _read_figure(self, place: str, entry: "FigureDocument") -> None:
        sheets, number = charts(), len(self._figures)
        player = self.find(f"{place}.player", "player", entry.player, self.players)
        kind = self.find(f"{place}.kind", "kind of figure", entry.kind, sheets.kinds)
        places = [f"{place}.arms[{index}]" for index in range(len(entry.arms))]
        found = [
            self.find(here, "arm", arm, sheets.arms)
            for here, arm in zip(places, entry.arms, strict=True)
        ]
        arms = [arm for arm in found if arm is not None]
        if entry.experience > sheets.most_experience:
            most = sheets.most_experience
            self.faults.append(
                f"{place}.experience: {entry.experience}, but the highest is {most} (MF Experience)"
            )
        if player is None or kind is None:
            return
        horses = list(self._things)
        horse = horses.index(entry.horse) if entry.horse in horses else None
        state = FigureState(0.0, 0.0, 0.0, horse).at((entry.x, entry.y), entry.facing_deg)
        worn = tuple(arm for arm in arms if arm.is_worn)
        spec = FigureSpec(entry.name, player, kind, worn, entry.experience)
        faults = _gear_faults(kind, arms, is_rider=entry.horse is not None)
        self.add(place, entry.name, (spec, state), faults, self._figures, self._things)
        self._places.setdefault(entry.name, place)
        for here, arm in zip(places, found, strict=True):
            if arm is not None and not arm.is_worn:
                self._add_item(here, f"{entry.name}_{arm.name}", arm, ItemState(number))

    def _add_item(self, place: str, name: str, arm: Arm, state: ItemState) -> None:
        """Add a weapon or shield; the second one of its kind in two hands has a name of its own."""
        if state.holder is not None and name in self._items:
            name = f"{name}_2"
        others = (self._things, self._figures)
        self.add(place, name, (ItemSpec(name, arm), state), (), self._items, *others)

    def _read_item(self, place: str, entry: "ItemDocument") -> None:
        arm = self.find(f"{place}.arm", "arm", entry.arm, charts().arms)
        if arm is None:
            return
        if arm.is_worn:
            self.faults.append(f"{place}.arm: {arm.name} is worn, so nobody can pick it up")
        at = rounded((entry.x, entry.y))
        self._add_item(place, entry.name, arm, ItemState(None, at))

    def _read_wall(self, place: str, entry: "WallDocument") -> None:
        if self.attempt(f"{place}.length", brick_wall, entry.courses, entry.length) is None:
            return
        x, y = rounded((entry.x, entry.y))
        wall = WallSpec(entry.name, x, y, entry.facing_deg % 360.0, entry.length, entry.courses)
        others, table = (self._things, self._figures, self._items), self._document.table
        self.faults += wall_faults(place, wall, self._walls.values(), (table.width, table.length))
        self.add(place, entry.name, wall, (), self._walls, *others)

    def _read_zone(self, place: str, entry: "ZoneDocument") -> None:
        kind, corners = ZoneKind(entry.kind), [(x, y) for x, y in entry.corners]
        if (kind is ZoneKind.HILL) != (entry.height is not None):
            self.faults.append(f"{place}.height: a hill has one, woods and water have none")
        table = self._document.table
        if any(x > table.width or y > table.length for x, y in corners):
            self.faults.append(
                f"{place}.corners: the {kind.value} goes beyond the edge of the table"
            )
        polygon = self.attempt(f"{place}.corners", convex_polygon, corners)
        if polygon is not None:
            ring: tuple[Point, ...] = tuple((x, y) for x, y in polygon.vertices_studs.tolist())
            self._zones.append(Zone(kind, ring, entry.height or 0))

    def _check_players(self) -> None:
        """Note players without figures, and players of one team only."""
        self.check_names({"players": [one.name for one in self._document.players]})
        self.check_teams()
        owners = {entry.player for entry in self._document.figure}
        self.faults += [
            f"players[{number}]: {name} has no figure"
            for name, number in self.players.items()
            if name not in owners
        ]


def _gear_faults(kind: Kind, arms: Sequence[Arm], *, is_rider: bool) -> Iterator[str]:
    held = [arm.name for arm in arms if not arm.is_worn]
    if not kind.hands:
        if arms:
            yield f"arms: a {kind.name} cannot have arms"
        if is_rider:
            yield f"horse: a {kind.name} cannot ride"
    elif len(held) > kind.hands:
        yield f"arms: {', '.join(held)} are held, but a {kind.name} has {kind.hands} hands (MF Rules)"
    worn = Counter(row for arm in arms if arm.is_worn for row in arm.defence)
    for row, times in worn.items():
        if times > 1:
            yield f"arms: two pieces of {row} are worn"


_TABLE_IN, _APART_IN = 240.0, 3.0
"""The table on which survivors are tried, and how far apart they stand on it."""


def roster_text(final: State) -> str:
    """Return the roster of a battle that is over: its living figures, with a level of experience more, up to the last.

    InvalidValueError if the battle is not over, or nobody lives.
    """
    if final.winners is None:
        raise InvalidValueError(
            "the battle is not over, and only who survives a whole battle is in a roster (MF Experience)"
        )
    if not final.alive:
        raise InvalidValueError("nobody has survived the battle")
    return "\n".join(_survivor(final, number) for number in final.alive)


def _survivor(state: State, number: int) -> str:
    """Return the table of a figure; names are words, so their JSON is TOML."""
    spec, horse = state.setting.figures[number], state.figures[number].horse
    riding = {} if horse is None else {"horse": state.setting.things[horse].name}
    values = {
        "name": spec.name,
        "player": state.setting.players[spec.player],
        "kind": spec.kind.name,
        "arms": [arm.name for arm in state.arms(number)],
        **riding,
        "experience": min(spec.experience + 1, charts().most_experience),
    }
    lines = (f"{key} = {dumps(value)}\n" for key, value in values.items())
    return f"[[survivor]]\n{''.join(lines)}"


def read_roster(text: str, name: str) -> "Sequence[FighterDocument]":
    """Return the survivors in the text of a roster; InvalidValueError begins with the name and tells every fault."""
    from brickphys.minifig.documents import RosterDocument
    from brickphys.reading import parse_toml
    from brickphys.schema import validated

    survivors = validated(RosterDocument, parse_toml(text, name), name).survivor
    try:
        first_state(_muster(survivors), name)
    except InvalidValueError as error:
        raise InvalidValueError(str(error).replace("figure[", "survivor[")) from None
    return survivors


def _muster(survivors: "Sequence[FighterDocument]") -> Setup:
    """Return a setup of survivors on a large table; if all have one player, with somebody of another one."""
    players = dict.fromkeys(one.player for one in survivors)
    names = {one.name for one in survivors} | {one.horse for one in survivors}
    foe = next(name for n in count(1) if (name := f"foe_{n}") not in names and name not in players)
    far = _TABLE_IN - _APART_IN
    row = int(_TABLE_IN / _APART_IN) - 1
    figures = [
        _plain(one, x=_APART_IN * (n % row + 1), y=_APART_IN * (n // row + 1))
        for n, one in enumerate(survivors)
    ]
    foes = [] if len(players) > 1 else [{"name": foe, "player": foe, "x": far, "y": far}]
    return {
        "players": [{"name": name} for name in (*players, *(one["player"] for one in foes))],
        "table": {"width": _TABLE_IN, "length": _TABLE_IN},
        "figure": [*figures, *foes],
        "thing": horses(figures),
    }


def with_roster(setup: Setup, roster: "Sequence[FighterDocument]") -> Setup:
    """Return a setup in which survivors stand in the places of their players' figures.

    The first survivor of a player takes the place of the player's first figure, and so on; places that are left over
    are empty. A player without a survivor keeps the figures of the setup. InvalidValueError if the setup is none, lacks
    a player, or has too few places.
    """
    from brickphys.minifig.documents import SetupDocument
    from brickphys.schema import validated

    document = validated(SetupDocument, dict(setup), "setup")
    entries = [entry for _, entry in single("figure", document.figure)]
    places = Counter(entry.player for entry in entries)
    refuse("roster", [*_no_places(roster, places)])
    left = {player: iter([one for one in roster if one.player == player]) for player in places}
    new = {one.player for one in roster}
    figures, gone = list[dict[str, Any]](), set[str | None]()
    for entry in entries:
        if entry.player not in new:
            figures.append(_plain(entry))
            continue
        gone.add(entry.horse)
        if (one := next(left[entry.player], None)) is not None:
            figures.append(_plain(one, x=entry.x, y=entry.y, facing_deg=entry.facing_deg))
    things = [_plain(one) for _, one in single("thing", document.thing) if one.name not in gone]
    return {**setup, "figure": figures, "thing": [*things, *horses(map(_plain, roster))]}


def _no_places(survivors: "Sequence[FighterDocument]", places: Mapping[str, int]) -> Iterator[str]:
    """Yield the players of survivors who are not in a battle, or have too few figures in it."""
    for player, number in Counter(one.player for one in survivors).items():
        if player not in places:
            yield str(unknown("player of the battle", player, places))
        elif number > places[player]:
            yield f"{player} has {counted(number, 'survivor')}, but the battle has {counted(places[player], 'place')}"


def _plain(entry: Any, **more: float) -> dict[str, Any]:
    """Return an entry for one figure or thing as plain values, with more of them."""
    return {**entry.model_dump(exclude_none=True, exclude={"count", "apart"}), **more}


def horses(figures: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries of a setup for the horses that its figures ride."""
    ridden = dict.fromkeys(one["horse"] for one in figures if one.get("horse") is not None)
    return [{"name": horse, "kind": "horse"} for horse in ridden]
