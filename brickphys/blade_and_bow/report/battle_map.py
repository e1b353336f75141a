"""Battle map: the squares in characters, as the book names them, with a letter and an arrow for each unit."""

from collections.abc import Iterator

from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.state.setting import Setting
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import Square
from brickphys.grid.directions import FACING_ARROWS
from brickphys.rules.report.char_map import CharMap, MapLayout, Rulers
from brickphys.rules.report.ink import Ink, Tone
from brickphys.rules.report.status import letters

DISRUPTED, WALL, LEADER = "*", ")", "!"
_SPARE = "@"
_CELL = 4
_MEANINGS = {"closed_hill": "hill, closed to all", "path": "path over the hills"}
_CAMP = "$"
_INKS: dict[str, Tone] = {
    ".": Ink.QUIET,
    '"': Ink.PLANTS,
    "~": Ink.WATER,
    "=": Ink.WATER,
    **dict.fromkeys("^#", Ink.STONE),
}
"""The tones of some terrain, by its signs."""


def unit_letters(setting: Setting) -> tuple[str, ...]:
    """Return the letter of each unit on maps and pictures: capitals for the first player."""
    return letters((unit.player for unit in setting.units), "", _SPARE)


def battle_map(state: State) -> CharMap:
    """Return the map with its rows from the top and its columns from A, and a legend of its signs."""
    setting = state.setting
    width, length = setting.grid.width, setting.grid.length
    marks, inks = dict(_marks(state)), dict(_INKS)
    for square, number in state.at.items():
        inks[marks[square]] = setting.units[number].player
    signs = (marks.get(square, ground.sign) for square, ground in enumerate(setting.terrain))
    rulers = Rulers(
        rows=tuple(f"{length - y:>2}  " for y in range(length)),
        columns=tuple(setting.squares[x][0] for x in range(width)),
        every=1,
        above=True,
    )
    notes = ("", *_legend(state))
    return CharMap(MapLayout(signs=tuple(signs), rulers=rulers, notes=notes, wide=_CELL, inks=inks))


def _marks(state: State) -> Iterator[tuple[Square, str]]:
    """Yield what stands on the squares: camps, leaders on their own, units with what is unusual about them."""
    for camp in state.camps:
        if camp is not None:
            yield camp, _CAMP
    for square in state.leaders_at:
        yield square, LEADER
    known = unit_letters(state.setting)
    for square, number in state.at.items():
        unit = state.units[number]
        flags = DISRUPTED * unit.disrupted + WALL * unit.wall
        flags += LEADER * (square in state.leaders_at)
        yield square, f"{known[number]}{FACING_ARROWS[unit.facing]}{flags}"


def _leaders(state: State) -> Iterator[str]:
    """Yield each leader on the map with his square, those of the first player first."""
    setting = state.setting
    for spec, now in zip(setting.leaders, state.leaders, strict=True):
        if now.square is not None:
            yield f"{spec.name} on {setting.squares[now.square]}"


def _legend(state: State) -> Iterator[str]:
    setting = state.setting
    yield (
        f"    A letter alone is a unit, the arrow its facing; {DISRUPTED} disrupted, {WALL} shield wall, "
        f"{LEADER} leader, {_CAMP} camp"
    )
    if leaders := ", ".join(_leaders(state)):
        yield f"    {LEADER} {leaders}"
    grounds = set(setting.terrain)
    shown = (ground for ground in charts().terrain.values() if ground in grounds)
    names = (f"{ground.sign} {_MEANINGS.get(ground.name, ground.name)}" for ground in shown)
    yield f"    {', '.join(names)}"
    if setting.walls:
        squares = setting.squares
        pairs = (f"{squares[one]} and {squares[other]}" for one, other in sorted(setting.walls))
        yield f"    wall between {', '.join(pairs)}"
