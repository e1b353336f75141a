"""Plate: a sheet as studs on a plate of 6 x 8, as text, and as a document for programs (BOW 1.4, 3.2, A.2, B.3)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from textwrap import wrap
from typing import Any

from brickphys.bow.sheets.gear import Armament, Loadout, WeaponKind
from brickphys.bow.sheets.library import (
    CustomAction,
    Library,
    OpposedAction,
    TargetSide,
    TargetType,
    cost_points,
)
from brickphys.bow.sheets.rulebook import STUDS_PER_SPEED
from brickphys.bow.sheets.sheet import (
    ABILITIES,
    COLUMNS,
    ROWS,
    HealthColour,
    MinifigSheet,
    Seat,
    StudBlock,
    VehicleSheet,
    VehicleWeapon,
    blocks,
)
from brickphys.errors import InvalidValueError
from brickphys.rules.report.sheets import Paint
from brickphys.text import columns, counted

LETTERS = {
    "white": "W",
    "green": "G",
    "dark_grey": "D",
    "black": "K",
    "red": "R",
    "yellow": "Y",
    "blue": "B",
    "grey": "L",
    "brown": "N",
    "orange": "O",
    "tan": "T",
    "olive": "V",
    "sand_green": "S",
}
"""The letter of each colour in texts; K is black, as in printing."""


class StudForm(Enum):
    """The part on a stud of the plate."""

    BARE = "bare"
    """None."""
    PLATE = "plate"
    TILE = "tile"
    """A part without studs: a speed that the vehicle cannot have (BOW 3.2)."""


@dataclass(frozen=True)
class PlateStud:
    """One stud of the plate."""

    form: StudForm = StudForm.BARE
    """The part on it."""
    colour: str | None = None
    """Colour of that part; None where it is bare."""
    rounded: bool = False
    """Whether a round plate of the same colour is on top: damage of the weapon in reserve (BOW A.2)."""
    marked: bool = False
    """Whether a marking brick is on top: the speed of a vehicle, or a damage point."""

    @property
    def letter(self) -> str:
        """Its colour as one sign: lower case under a round plate; ``=`` for a tile, ``*`` if marked, ``.`` if bare."""
        if self.colour is None:
            return "."
        if self.marked:
            return "*"
        letter = LETTERS[self.colour].lower() if self.rounded else LETTERS[self.colour]
        return "=" if self.form is StudForm.TILE else letter


@dataclass(frozen=True)
class Panel:
    """A block of the plate with the points that it shows, and a note such as ``dodge 1 + armor 2``."""

    block: StudBlock
    points: int
    note: str


@dataclass(frozen=True)
class Plate:
    """A sheet in studs."""

    rows: tuple[tuple[PlateStud, ...], ...]
    """The studs from the upper left corner: at least 8 rows of 6."""
    panels: tuple[Panel, ...]
    """The blocks that hold points."""
    clone: StudBlock | None
    """The block where a copy of the figure stands (BOW 1.4.1); None for a vehicle."""
    colour: HealthColour


@dataclass(frozen=True)
class _Filling:
    """The parts in a block, stud by stud; its points, and a note."""

    points: int
    cells: list[PlateStud]
    note: str = ""


def minifig_plate(
    sheet: MinifigSheet, actions: Iterable[CustomAction] = (), damage: int = 0
) -> Plate:
    """Return the sheet of a minifig in studs.

    Each line of abilities of custom actions of which the sheet has any takes two more rows. Damage points so far are
    marking bricks on its health (BOW 2.4.3).
    """
    made_of = "life form" if sheet.health_colour is HealthColour.RED else "machine"
    fillings = {
        "action_budget": _one(sheet.action_budget, "white"),
        "move": _one(sheet.move, "green"),
        "dodge_armor": _two(("dodge", sheet.dodge, "dark_grey"), ("armor", sheet.armor, "black")),
        "attack_damage": _attack(sheet),
        "health": _health(sheet.health, sheet.health_colour, damage, made_of),
        "treat_repair": _two(("treat", sheet.treat, "red"), ("repair", sheet.repair, "yellow")),
    }
    placed = [(blocks("minifig")[name], filling) for name, filling in fillings.items()]
    lines = custom_lines(sheet, actions)
    line_rows = blocks("custom")["acting"].rows
    for index, action in enumerate(lines):
        placed += _line(sheet, action, ROWS + index * line_rows)
    rows = _rows(placed, ROWS + len(lines) * line_rows)
    return Plate(rows, _panels(placed), blocks("minifig")["clone"], sheet.health_colour)


def vehicle_plate(sheet: VehicleSheet, speed: int = 0, damage: int = 0) -> Plate:
    """Return the sheet of a vehicle in studs.

    Marking bricks are on the stud of its current speed (BOW 3.2), and on its health for damage points so far.
    """
    fillings = {
        "speed": _speed(sheet, speed),
        "armor": _one(sheet.armor, "black"),
        "health": _health(sheet.health, sheet.health_colour, damage),
    }
    placed = [(blocks("vehicle")[name], filling) for name, filling in fillings.items()]
    return Plate(_rows(placed, ROWS), _panels(placed), None, sheet.health_colour)


def plate_problems(
    sheet: MinifigSheet | VehicleSheet, speed: int = 0, damage: int = 0
) -> list[str]:
    """Return why a sheet cannot show a speed and a damage (empty: it can)."""
    faults = []
    if speed and not isinstance(sheet, VehicleSheet):
        faults.append(f"{sheet.name} is not a vehicle and has no speed {speed} (BOW 3.2)")
    elif isinstance(sheet, VehicleSheet) and speed not in sheet.speeds:
        known = ", ".join(map(str, sheet.speeds))
        faults.append(f"{sheet.name}: speed {speed} is not one of {known} (BOW 3.2)")
    if not 0 <= damage <= sheet.health:
        most = sheet.health
        faults.append(f"{sheet.name}: damage {damage} is not from 0 to {most} (BOW 2.4.3)")
    return faults


def custom_lines(sheet: MinifigSheet, actions: Iterable[CustomAction]) -> tuple[OpposedAction, ...]:
    """Return one action for each line of new abilities in which a sheet has points (BOW B.3)."""
    opposed = [action for action in actions if isinstance(action, OpposedAction)]
    lines: list[OpposedAction] = []
    # what damage points resist has a place in the line of another action, if there is one
    for action in sorted(opposed, key=lambda action: action.meets_damage):
        has_points = any(map(sheet.ability, action.new_abilities))
        if has_points and not any(map(action.shares_line, lines)):
            lines.append(action)
    return tuple(lines)


def _one(points: int, colour: str) -> _Filling:
    return _Filling(points, [PlateStud(StudForm.PLATE, colour)] * points)


def _two(*parts: tuple[str, int, str]) -> _Filling:
    cells = [
        PlateStud(StudForm.PLATE, colour) for _, points, colour in parts for _ in range(points)
    ]
    note = " + ".join(f"{name} {points}" for name, points, _ in parts if points)
    return _Filling(len(cells), cells, note)


def _attack(sheet: MinifigSheet) -> _Filling:
    """Return attack and damage; round plates, on top and then beside, are the strongest weapon in reserve (BOW A.2)."""
    plain = _two(("attack", sheet.attack, "dark_grey"), ("damage", sheet.damage, "black"))
    spare = max((way.damage for way in sheet.gear.spare_armaments), default=0)
    if not spare:
        return plain
    both = min(spare, sheet.damage)
    cells = [*plain.cells, *[PlateStud(StudForm.BARE, "black")] * (spare - both)]
    for index in range(sheet.attack, sheet.attack + spare):
        cells[index] = replace(cells[index], rounded=True)
    return _Filling(plain.points, cells, f"{plain.note}, round: {spare} in reserve")


def _health(health: int, colour: HealthColour, damage: int, *notes: str) -> _Filling:
    sound = PlateStud(StudForm.PLATE, colour.value)
    cells = [replace(sound, marked=True)] * damage + [sound] * (health - damage)
    return _Filling(health, cells, ", ".join([*notes, *[f"{damage} lost"] * bool(damage)]))


def _speed(sheet: VehicleSheet, speed: int) -> _Filling:
    tile, plate = PlateStud(StudForm.TILE, "green"), PlateStud(StudForm.PLATE, "green")
    cells = [plate if step in sheet.speeds else tile for step in range(1, sheet.speed + 1)]
    notes = [f"at least {sheet.min_speed}"] * (tile in cells)
    if speed:
        cells[speed - 1] = replace(cells[speed - 1], marked=True)
        notes.append(f"now {speed}")
    return _Filling(sheet.speed, cells, ", ".join(notes))


def _line(sheet: MinifigSheet, action: OpposedAction, row: int) -> list[tuple[StudBlock, _Filling]]:
    """Return the pair of blocks of a line of new abilities: resisting on the left, acting on the right."""
    names = {"resisting": action.resisting, "acting": action.acting}
    placed = []
    for side, block in blocks("custom").items():
        name = names[side]
        if name in action.new_abilities:
            label = name.replace("_", " ").capitalize()
            here = replace(block, name=name, label=label, row=block.row + row)
            placed.append((here, _one(sheet.ability(name), action.colour)))
    return placed


def _rows(placed: list[tuple[StudBlock, _Filling]], rows: int) -> tuple[tuple[PlateStud, ...], ...]:
    cells = [[PlateStud()] * COLUMNS for _ in range(rows)]
    for block, filling in placed:
        for (column, row), cell in zip(block.cells(), filling.cells, strict=False):
            cells[row][column] = cell
    return tuple(map(tuple, cells))


def _panels(placed: list[tuple[StudBlock, _Filling]]) -> tuple[Panel, ...]:
    return tuple(Panel(block, filling.points, filling.note) for block, filling in placed)


UnitOrVehicleSheet = MinifigSheet | VehicleSheet
_WIDTH = 120
"""Letters of the longest line."""


def plate_of(sheet: UnitOrVehicleSheet, library: Library, speed: int = 0, damage: int = 0) -> Plate:
    """Return any sheet in studs, see `minifig_plate` and `vehicle_plate`."""
    if isinstance(sheet, MinifigSheet):
        return minifig_plate(sheet, library.actions.values(), damage)
    return vehicle_plate(sheet, speed, damage)


@dataclass(frozen=True)
class PlateSheet:
    """A sheet with its plate; `library` has the gear and actions that it is written with."""

    sheet: UnitOrVehicleSheet
    library: Library
    plate: Plate
    """The sheet in studs, with marking bricks."""

    @classmethod
    def of(
        cls, sheet: UnitOrVehicleSheet, library: Library, speed: int = 0, damage: int = 0
    ) -> "PlateSheet":
        """Return a sheet with the current speed and the damage marked."""
        return cls(sheet, library, plate_of(sheet, library, speed, damage))

    @property
    def name(self) -> str:
        """Its name."""
        return self.sheet.name

    @property
    def about(self) -> str:
        """What it is, in a line."""
        return self.sheet.about

    @property
    def cost_points(self) -> int:
        """What it costs (BOW A.4)."""
        return cost_points(self.sheet)

    def marked(self, marks: Mapping[str, int]) -> "PlateSheet":
        """Return the sheet with the current speed or the damage marked; InvalidValueError if one is impossible."""
        speed, damage = marks.get("speed", 0), marks.get("damage", 0)
        if faults := plate_problems(self.sheet, speed, damage):
            raise InvalidValueError("; ".join(faults))
        return PlateSheet.of(self.sheet, self.library, speed, damage)

    def text(self, paint: Paint = lambda text, _: text) -> str:
        """Return the sheet in lines of text."""
        head = f"{self.name}, {headline(self.sheet)}"
        rows = _folded(list(_once(self._lines())))
        return "\n".join([head, "", *_plate_lines(self.plate, paint), "", *columns(rows)])

    def _lines(self) -> Iterator[tuple[str, str]]:
        if isinstance(self.sheet, MinifigSheet):
            return _unit_lines(self.sheet, self.library)
        return _vehicle_lines(self.sheet)

    def document(self) -> dict[str, Any]:
        """Return the sheet as values of JSON."""
        sheet = self.sheet
        head = {
            "name": sheet.name,
            "about": sheet.about,
            "cost_points": self.cost_points,
            "plate": ["".join(cell.letter for cell in row) for row in self.plate.rows],
            "health_colour": sheet.health_colour.value,
        }
        if isinstance(sheet, MinifigSheet):
            return {"kind": "minifig", **head, **_unit_document(sheet, self.library)}
        return {"kind": "vehicle", **head, **_vehicle_document(sheet)}


def headline(sheet: UnitOrVehicleSheet) -> str:
    """Return the cost and the description of a sheet in one line."""
    about = f": {sheet.about}" if sheet.about else ""
    return f"{cost_points(sheet)} cost points{about}"


def summary(sheet: UnitOrVehicleSheet) -> str:
    """Return gear or seats in one line."""
    if isinstance(sheet, MinifigSheet):
        places = gear_document(sheet.gear).items()
        parts = [f"{place}: {', '.join(names)}" for place, names in places]
    else:
        parts = [_seat_text(seat) for seat in sheet.seats]
    return "; ".join(parts).replace("_", " ") or "no gear"


def gear_document(gear: Loadout) -> dict[str, list[str]]:
    """Return the names of all objects by their places."""
    document: dict[str, list[str]] = {}
    for place, item in gear.items():
        document.setdefault(place.value, []).append(item.name)
    return document


def _plate_lines(plate: Plate, paint: Paint) -> Iterator[str]:
    """Yield the rows of studs; beside the first row of a left block is its panel, one lower that of a right block."""
    beside = {}
    for panel in plate.panels:
        row = panel.block.row + (panel.block.row in beside)
        beside[row] = (panel.block.label, str(panel.points), panel.note)
    widest = max(len(label) for label, _, _ in beside.values())
    starts = {panel.block.column for panel in plate.panels} - {0}
    for row, cells in enumerate(plate.rows):
        label, points, note = beside.get(row, ("", "", ""))
        # a gap between two blocks side by side
        studs = " ".join(
            " " * (column in starts) + paint(cell.letter, cell.colour)
            for column, cell in enumerate(cells)
        )
        yield f"  {studs}   {label:<{widest}}  {points:>2}   {note}".rstrip()


def _once(rows: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield rows with a key only where it differs from the one above."""
    above = None
    for key, value in rows:
        yield key if key != above else "", value
        above = key


def _folded(rows: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield rows of a key and a text; a long text goes on in rows without a key."""
    width = _WIDTH - max((len(key) for key, _ in rows), default=0) - 2
    for key, text in rows:
        for number, line in enumerate(wrap(text, width, subsequent_indent="  ")):
            yield ("" if number else key), line


def _unit_lines(sheet: MinifigSheet, library: Library) -> Iterator[tuple[str, str]]:
    for place, names in gear_document(sheet.gear).items():
        yield place, ", ".join(names)
    for way in sheet.armaments:
        yield "attack", _attack_text(sheet, way)
    for way in sheet.gear.spare_armaments:
        yield "in reserve", _attack_text(sheet, way)
    for action in library.actions_of(sheet):
        yield "if in play", _action_text(sheet, action)


def _attack_text(sheet: MinifigSheet, way: Armament) -> str:
    names = " and ".join(weapon.name for weapon in way.weapons) or "bare hands"
    bricks = counted(sheet.bricks(way), "brick")
    if way.kind is WeaponKind.LONG_RANGE:
        return f"{names}: {bricks}, long-range"
    return f"{names}: {bricks}, melee, reaches {counted(way.reach_studs, 'stud')}"


def _action_text(sheet: MinifigSheet, action: CustomAction) -> str:
    where = f"up to {action.range_studs} studs away" if action.range_studs else "in contact"
    target = "itself" if action.target is TargetSide.SELF else f"{_targets_text(action)} {where}"
    points = action.effect.points
    effect = action.effect.kind.value + (f" {points}" if points else "")
    if isinstance(action, OpposedAction):
        by = "" if points else " by the difference"
        rolls = f"{action.acting} {sheet.ability(action.acting)} against {action.resisting}"
        return f"{action.name}: {rolls}, {target}: {effect}{by}"
    return f"{action.name}: {target}: {effect}"


def _targets_text(action: CustomAction) -> str:
    """Return what an action may be done to: the side alone if to units only."""
    if action.on == (TargetType.UNIT,):
        return action.target.value
    side = "any" if action.target is TargetSide.ANYONE else action.target.value
    return f"{side} {' or '.join(one.value for one in action.on)}"


def _vehicle_lines(sheet: VehicleSheet) -> Iterator[tuple[str, str]]:
    size = sheet.footprint
    heights = f"{size.bottom_plates:g} to {size.top_plates:g} plates"
    flies = " in flight" if sheet.flying else ""
    yield "size", f"{size.length_studs:g} x {size.width_studs:g} studs, {heights}{flies}"
    yield "speeds", _speeds_text(sheet.speeds)
    yield "doors", ", ".join(side.value for side in sheet.doors)
    for seat in sheet.seats:
        yield "seats", _seat_text(seat)


def _speeds_text(speeds: Sequence[int]) -> str:
    """Return the speeds, and the length of a move at the lowest and the highest (BOW 3.2)."""
    ends = sorted({*speeds[1:2], *speeds[-1:]} - {0})
    if not ends:
        return "0"
    shown, studs = (" to ".join(str(scale * end) for end in ends) for scale in (1, STUDS_PER_SPEED))
    return f"0 or {shown}: {studs} studs a move"


def _seat_text(seat: Seat) -> str:
    traits = {"pilot": seat.pilot, "exposed": seat.exposed, "walks beside": seat.beside}
    found = [trait for trait, holds in traits.items() if holds]
    weapons = [_weapon_text(seat.weapon)] if seat.weapon else []
    return f"{seat.name}: {', '.join([*found, *weapons]) or 'inside'}"


def _weapon_text(weapon: VehicleWeapon) -> str:
    turned = f" about {weapon.axis_deg:g}" if weapon.axis_deg else ""
    rate = f", {counted(weapon.shots_per_turn, 'shot')} a turn" if weapon.shots_per_turn else ""
    if weapon.reload:
        rate = f", reloaded by another after {counted(weapon.shots_per_turn or 1, 'shot')}"
    return f"{weapon.name} (damage {weapon.damage}, {weapon.arc_deg} degrees{turned}{rate})"


def _unit_document(sheet: MinifigSheet, library: Library) -> dict[str, Any]:
    return {
        "abilities": {name: sheet.ability(name) for name in ABILITIES} | dict(sheet.custom),
        "gear": gear_document(sheet.gear),
        "attacks": [
            {
                "weapons": [weapon.name for weapon in way.weapons],
                "kind": way.kind.value,
                "bricks": sheet.bricks(way),
                "reach_studs": way.reach_studs,
            }
            for way in sheet.armaments
        ],
        "actions": [action.name for action in library.actions_of(sheet)],
    }


def _vehicle_document(sheet: VehicleSheet) -> dict[str, Any]:
    return {
        "abilities": {"speed": sheet.speed, "armor": sheet.armor, "health": sheet.health},
        "speeds": list(sheet.speeds),
        "flying": sheet.flying,
        "size": dict(vars(sheet.footprint)),
        "model": sheet.model,
        "doors": [side.value for side in sheet.doors],
        "seats": [
            {**vars(seat), "weapon": vars(seat.weapon) if seat.weapon else None}
            for seat in sheet.seats
        ],
    }
