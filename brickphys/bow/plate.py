"""Plate: a sheet as it is built of bricks, studs on a plate of 6 x 8 (BOW 1.4.1, 1.4.2, 3.2, A.2, B.3)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from brickphys.bow.custom import CustomAction, OpposedAction
from brickphys.bow.layout import COLUMNS, ROWS, Block, blocks
from brickphys.bow.sheet import HealthColour, MinifigSheet
from brickphys.bow.vehicle_sheet import VehicleSheet

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
"""How a text shows the colours of studs; K as printers call black."""

RESERVE = "reserve"


class Form(Enum):
    """What lies on a stud of the plate."""

    BARE = "bare"
    """Nothing: the stud of the plate itself."""
    PLATE = "plate"
    TILE = "tile"
    """No stud: a speed that a vehicle cannot have (BOW 3.2)."""


@dataclass(frozen=True)
class Cell:
    """One stud of the plate.

    Attributes
    ----------
    form
        What lies on it.
    colour
        Of that; None where it is bare.
    rounded
        Whether a round plate of the same colour is on top: damage of the weapon in reserve (BOW A.2).
    marked
        Whether a marking brick is on top: the speed of a vehicle, or a damage point.
    """

    form: Form = Form.BARE
    colour: str | None = None
    rounded: bool = False
    marked: bool = False

    @property
    def letter(self) -> str:
        """One sign for a text: the letter of the colour, small under a round plate, ``=`` a tile, ``*`` marked, ``.`` bare."""
        if self.colour is None:
            return "."
        if self.marked:
            return "*"
        letter = LETTERS[self.colour].lower() if self.rounded else LETTERS[self.colour]
        return "=" if self.form is Form.TILE else letter


@dataclass(frozen=True)
class Panel:
    """A block of the plate with the points that it shows, and the abilities that they are the sum of."""

    block: Block
    points: int
    made_of: tuple[tuple[str, int], ...]

    @property
    def sum_text(self) -> str:
        """The sum for people, such as ``dodge 1 + armor 2``; empty where only one ability has points."""
        parts = [f"{name} {points}" for name, points in self.made_of if points]
        return " + ".join(parts) if len(self.made_of) > 1 else ""


@dataclass(frozen=True)
class Plate:
    """A sheet in studs.

    Attributes
    ----------
    rows
        Of cells, from the upper left corner: 8 or more of 6 each.
    panels
        The blocks that hold points.
    """

    rows: tuple[tuple[Cell, ...], ...]
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class _Run:
    """So many equal cells."""

    of: str
    count: int
    cell: Cell


def minifig_plate(
    sheet: MinifigSheet, actions: Iterable[CustomAction] = (), damage: int = 0
) -> Plate:
    """Return the sheet of a minifig in studs.

    Parameters
    ----------
    sheet
        What to build.
    actions
        New actions: each line of abilities, of which the sheet has any, takes two more rows.
    damage
        Damage points so far: marking bricks on its health (BOW 2.4.3).
    """
    health = "red" if sheet.health_colour is HealthColour.RED else "yellow"
    runs = {
        "clone": [],
        "action_budget": [_run("actions", sheet.action_budget, "white")],
        "move": [_run("studs", sheet.move, "green")],
        "dodge_armor": [
            _run("dodge", sheet.dodge, "dark_grey"),
            _run("armor", sheet.armor, "black"),
        ],
        "attack_damage": [_run("attack", sheet.attack, "dark_grey"), *_damage_runs(sheet)],
        "health": _health_runs(sheet.health, health, damage),
        "treat_repair": [_run("treat", sheet.treat, "red"), _run("repair", sheet.repair, "yellow")],
    }
    placed = [(block, runs[name]) for name, block in blocks("minifig").items()]
    lines = custom_lines(sheet, actions)
    for index, action in enumerate(lines):
        placed += _line(sheet, action, ROWS + index * _line_rows())
    return _plate(placed, ROWS + len(lines) * _line_rows())


def vehicle_plate(sheet: VehicleSheet, speed: int = 0, damage: int = 0) -> Plate:
    """Return the sheet of a vehicle in studs.

    Parameters
    ----------
    sheet
        What to build.
    speed
        Current speed: a marking brick on that stud (BOW 3.2).
    damage
        Damage points so far: marking bricks on its health.
    """
    tiles = max(sheet.min_speed - 1, 0)
    steps = [
        Cell(Form.TILE if step <= tiles else Form.PLATE, "green", marked=step == speed)
        for step in range(1, sheet.speed + 1)
    ]
    runs = {
        "mark": [],
        "speed": [_Run("speed", 1, cell) for cell in steps],
        "armor": [_run("armor", sheet.armor, "black")],
        "health": _health_runs(sheet.health, "yellow", damage),
    }
    return _plate([(block, runs[name]) for name, block in blocks("vehicle").items()], ROWS)


def plate_problems(
    sheet: MinifigSheet | VehicleSheet, speed: int = 0, damage: int = 0
) -> list[str]:
    """Return why no sheet shows such a speed or damage (empty: it does)."""
    faults = []
    speeds = sheet.speeds if isinstance(sheet, VehicleSheet) else (0,)
    if speed not in speeds:
        faults.append(
            f"{sheet.name}: speed {speed} is none of {', '.join(map(str, speeds))} (BOW 3.2)"
        )
    if not 0 <= damage <= sheet.health:
        faults.append(
            f"{sheet.name}: damage {damage} is not from 0 to its health, {sheet.health} (BOW 2.4.3)"
        )
    return faults


def custom_lines(sheet: MinifigSheet, actions: Iterable[CustomAction]) -> tuple[OpposedAction, ...]:
    """Return one action for each line of new abilities of which a sheet has points (BOW B.3)."""
    lines: dict[tuple[str, str], OpposedAction] = {}
    for action in actions:
        if isinstance(action, OpposedAction) and any(map(sheet.ability, action.new_abilities)):
            lines.setdefault((action.resisting, action.acting), action)
    return tuple(lines.values())


def _run(of: str, count: int, colour: str) -> _Run:
    return _Run(of, count, Cell(Form.PLATE, colour))


def _damage_runs(sheet: MinifigSheet) -> list[_Run]:
    """Return the damage in use, and round plates for the strongest weapon in reserve: on top, then beside (BOW A.2)."""
    spare = max((way.damage for way in sheet.gear.spare_armaments), default=0)
    both = min(spare, sheet.damage)
    plain = _run("damage", sheet.damage - both, "black")
    return [
        _Run("damage", both, replace(plain.cell, rounded=True)),
        plain,
        _Run(RESERVE, spare - both, Cell(Form.BARE, "black", rounded=True)),
    ]


def _health_runs(health: int, colour: str, damage: int) -> list[_Run]:
    lost = min(damage, health)
    sound = _run("health", health - lost, colour)
    return [_Run("health", lost, replace(sound.cell, marked=True)), sound]


def _line_rows() -> int:
    return blocks("custom")["acting"].rows


def _line(sheet: MinifigSheet, action: OpposedAction, row: int) -> list[tuple[Block, list[_Run]]]:
    """Return the pair of blocks of a line of new abilities: who resists on the left, who acts on the right."""
    names = {"resisting": action.resisting, "acting": action.acting}
    placed = []
    for side, block in blocks("custom").items():
        name = names[side]
        if name in action.new_abilities:
            label = name.replace("_", " ").capitalize()
            here = replace(block, name=name, label=label, row=block.row + row)
            placed.append((here, [_run(name, sheet.ability(name), action.colour)]))
    return placed


def _plate(placed: list[tuple[Block, list[_Run]]], rows: int) -> Plate:
    cells = [[Cell()] * COLUMNS for _ in range(rows)]
    panels = []
    for block, runs in placed:
        points = [run.cell for run in runs for _ in range(run.count)]
        for (column, row), cell in zip(block.cells(), points, strict=False):
            cells[row][column] = cell
        if runs:
            panels.append(_panel(block, runs))
    return Plate(tuple(map(tuple, cells)), tuple(panels))


def _panel(block: Block, runs: list[_Run]) -> Panel:
    made_of: dict[str, int] = {}
    for run in runs:
        if run.of != RESERVE:
            made_of[run.of] = made_of.get(run.of, 0) + run.count
    return Panel(block, sum(made_of.values()), tuple(made_of.items()))
