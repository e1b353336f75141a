"""Plate: a sheet built of bricks, as studs on a plate of 6 x 8 (BOW 1.4.1, 1.4.2, 3.2, A.2, B.3)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from brickphys.bow.sheets.custom_actions import CustomAction, OpposedAction
from brickphys.bow.sheets.layout import COLUMNS, ROWS, Block, blocks
from brickphys.bow.sheets.minifig_sheet import HealthColour, MinifigSheet
from brickphys.bow.sheets.vehicle_sheet import VehicleSheet

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
    """One stud of the plate.

    Attributes
    ----------
    form
        The part on it.
    colour
        Colour of that part; None where it is bare.
    rounded
        Whether a round plate of the same colour is on top: damage of the weapon in reserve (BOW A.2).
    marked
        Whether a marking brick is on top: the speed of a vehicle, or a damage point.
    """

    form: StudForm = StudForm.BARE
    colour: str | None = None
    rounded: bool = False
    marked: bool = False

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

    block: Block
    points: int
    note: str


@dataclass(frozen=True)
class Plate:
    """A sheet in studs.

    Attributes
    ----------
    rows
        The studs from the upper left corner: at least 8 rows of 6.
    panels
        The blocks that hold points.
    clone
        The block where a copy of the figure stands (BOW 1.4.1); None for a vehicle.
    colour
        Colour of its health.
    """

    rows: tuple[tuple[PlateStud, ...], ...]
    panels: tuple[Panel, ...]
    clone: Block | None
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

    Parameters
    ----------
    sheet
        The sheet.
    actions
        Custom actions: each line of abilities of which the sheet has any takes two more rows.
    damage
        Damage points so far: marking bricks on its health (BOW 2.4.3).
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

    Parameters
    ----------
    sheet
        The sheet.
    speed
        Current speed: a marking brick on its stud (BOW 3.2).
    damage
        Damage points so far: marking bricks on its health.
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
    """Return the filling of a block that two abilities share."""
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


def _line(sheet: MinifigSheet, action: OpposedAction, row: int) -> list[tuple[Block, _Filling]]:
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


def _rows(placed: list[tuple[Block, _Filling]], rows: int) -> tuple[tuple[PlateStud, ...], ...]:
    cells = [[PlateStud()] * COLUMNS for _ in range(rows)]
    for block, filling in placed:
        for (column, row), cell in zip(block.cells(), filling.cells, strict=False):
            cells[row][column] = cell
    return tuple(map(tuple, cells))


def _panels(placed: list[tuple[Block, _Filling]]) -> tuple[Panel, ...]:
    return tuple(Panel(block, filling.points, filling.note) for block, filling in placed)
