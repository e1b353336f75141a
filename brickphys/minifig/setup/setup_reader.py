"""Setup reader: the first state of a battle from plain JSON values, and every fault of meaning."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from brickphys.errors import ScenarioFileError, raised_as, refuse
from brickphys.geometry.polygon import Point, convex_polygon
from brickphys.minifig.field.reach import base_problems
from brickphys.minifig.setup.ranks import single
from brickphys.minifig.setup.walls import wall_faults
from brickphys.minifig.sheets.charts import TOUCH_IN, Arm, Kind, charts
from brickphys.minifig.state.pieces import FigureState, ItemState, ThingState, rounded
from brickphys.minifig.state.setting import (
    FigureSpec,
    Item,
    Options,
    Setting,
    ThingSpec,
    WallAttack,
    Zone,
    ZoneKind,
)
from brickphys.minifig.state.state import State
from brickphys.minifig.state.wall import WallSpec
from brickphys.minifig.turns.action_types import ACTION_TYPES
from brickphys.minifig.turns.state_problems import base_faults
from brickphys.minifig.turns.victory import positions
from brickphys.projectiles.bodies.wall import brick_wall
from brickphys.rules.aims.circle_reader import CircleAimReader
from brickphys.rules.scenario.scenario import Scenario
from brickphys.rules.setting import setup_digest
from brickphys.rules.setup.setup_reader import SetupReader

if TYPE_CHECKING:
    from brickphys.minifig.setup.setup_schema import (
        FigureDocument,
        ItemDocument,
        SetupDocument,
        ThingDocument,
        WallDocument,
        ZoneDocument,
    )


_WORDS = frozenset(each.word for each in ACTION_TYPES)


def first_state(setup: Mapping[str, Any], name: str = "setup") -> State:
    """Return the state in which a battle begins.

    Raises
    ------
    InvalidValueError
        With the name, and with every fault of form, or if there is none, of meaning.
    """
    from brickphys.minifig.setup.setup_schema import SetupDocument
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
        self._items: dict[str, tuple[Item, ItemState]] = {}
        self._walls: dict[str, WallSpec] = {}
        self._zones: list[Zone] = []
        self._places: dict[str, str] = {}  # the key of the table of each thing and figure

    def first_state(self, digest: str) -> State:
        """Return the first state of a setup with a digest; what has a fault, which is noted, may be left out."""
        self._read_tables()
        self._check_players()
        table, options = self._document.table, self._document.options
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
            options=Options(
                options.experience_bricks,
                WallAttack(options.wall_attack),
                options.fixed_order,
                options.no_missiles_in_contact,
            ),
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
        """Read the tables of what is on the table."""
        document = self._document
        figures, things = [*single("figure", document.figure)], [*single("thing", document.thing)]
        self._read_riders(figures, {one.name: one for _, one in things})
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

    def _read_riders(
        self,
        figures: Sequence[tuple[str, "FigureDocument"]],
        things: Mapping[str, "ThingDocument"],
    ) -> None:
        """Note who rides what is no horse, or a horse with another rider."""
        kinds = charts().things
        for place, entry in figures:
            if entry.horse is None:
                continue
            thing = self.find(f"{place}.horse", "horse", entry.horse, things)
            if thing is None:
                continue
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
        """Read a figure and what it wears and holds."""
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
        self.add(place, name, (Item(name, arm), state), (), self._items, *others)

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
    """Yield why a figure of a kind cannot have some arms or ride."""
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
