"""Scene: camps, units and leaders on the squares; and the map of the battle in characters.

The map shows squares in characters, as the book names them, with a letter and an arrow for each unit.
"""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from brickphys.blade_and_bow.pieces import HIDDEN
from brickphys.blade_and_bow.setting import Setting
from brickphys.blade_and_bow.sheets import Counter, charts
from brickphys.blade_and_bow.state import State
from brickphys.geometry.polygon import Point
from brickphys.grid.grid import FACING_ARROWS, Grid, Square, heading_deg, nearest_facing
from brickphys.rules.report.char_map import CharMap, Ink, MapLayout, Rulers, Tone
from brickphys.rules.report.story import letters
from brickphys.rules.scene import Piece, Scene
from brickphys.text import spoken
from brickphys.units import BRICK_MM

DISRUPTED, WALL, MARKER, SACKED = "disrupted", "wall", "marker", "sacked"
"""Marks of a unit: its shield wall, its melee marker; and of a camp."""
_LOW_MM = {"sea": -3.2, "river": -1.6}


class UnitBlock(NamedTuple):
    """What a unit is, and what is known of its ranks: ``+1``, ``?``, or empty."""

    counter: Counter
    ranks: str = ""


def battle_scene(state: State) -> Scene:
    """Return the map with all that stands on it."""
    setting = state.setting
    size = setting.grid.width, setting.grid.length
    return Scene(size, setting.players, setting.colours, partial(_pieces, state))


def _pieces(state: State) -> Iterator[Piece]:
    setting, known = state.setting, unit_letters(state.setting)
    for player, camp in enumerate(state.camps):
        if camp is not None:
            yield Piece(
                f"camp {setting.players[player]}", "camp", setting.middle(camp), player=player,
                height_mm=level_mm(setting, camp), marks=(SACKED,) * state.sacked[player],
            )  # fmt: skip
    for square, number in state.at.items():
        spec, now, ranks = setting.units[number], state.units[number], ranks_text(state, number)
        marks = ((DISRUPTED, now.disrupted), (WALL, now.wall), (MARKER, now.marker))
        yield Piece(
            spec.name, "unit", setting.middle(square), heading_deg(now.facing),
            UnitBlock(spec.counter, ranks), spec.player, level_mm(setting, square), spec.name,
            f"{spoken(spec.name)} {ranks}".rstrip(), known[number],
            tuple(name for name, holds in marks if holds), max(now.ranks, 0),
        )  # fmt: skip
    for square, leaders in state.leaders_at.items():
        for order, leader in enumerate(leaders):
            one = setting.leaders[leader]
            yield Piece(
                f"leader {one.name}", "leader", setting.middle(square), what=one.rank,
                player=one.player, height_mm=level_mm(setting, square), name=one.name,
                label=spoken(one.name), order=order, has_facing=False,
            )  # fmt: skip


def level_mm(setting: Setting, square: Square) -> float:
    """Return the height of a square: hills are a brick high, closed ones two; water is low."""
    ground = setting.terrain[square]
    if ground.is_high:
        return BRICK_MM * (2 if ground.closed else 1)
    return _LOW_MM.get(ground.name, 0.0)


def side(grid: Grid, square: Square, other: Square) -> tuple[Point, Point]:
    """Return the ends of the side that two squares share, in squares."""
    (x, y), (far_x, far_y) = grid.xy(square), grid.xy(other)
    left, low = max(x, far_x), max(y, far_y)
    return (left, low), (left + (x == far_x), low + (y == far_y))


def unit_letters(setting: Setting) -> tuple[str, ...]:
    """Return the letter of each unit on maps and pictures: capitals for the first player."""
    return letters((unit.player for unit in setting.units), "", _SPARE)


def ranks_text(state: State, unit: int) -> str:
    """Return the ranks of a unit besides itself; empty if its kind has none, ``?`` if they are hidden."""
    if not state.setting.units[unit].counter.has_ranks:
        return ""
    ranks = state.units[unit].ranks
    return "?" if ranks == HIDDEN else f"+{ranks}"


_SPARE, _CAMP, _LEADER = "@", "$", "!"
_FLAGS = {DISRUPTED: "*", WALL: ")"}
_CELL = 4
_MEANINGS = {"closed_hill": "hill, closed to all", "path": "path over the hills"}
_INKS: dict[str, Tone] = {
    ".": Ink.QUIET,
    '"': Ink.PLANTS,
    "~": Ink.WATER,
    "=": Ink.WATER,
    **dict.fromkeys("^#", Ink.STONE),
}
"""The tones of some terrain, by its signs."""


def battle_map(state: State) -> CharMap:
    """Return the map with its rows from the top and its columns from A, and a legend of its signs."""
    setting, scene = state.setting, battle_scene(state)
    width, length = setting.grid.width, setting.grid.length
    signs, inks = [ground.sign for ground in setting.terrain], dict(_INKS)
    led = {one.at for one in scene.of("leader")}
    for kind in ("camp", "leader", "unit"):
        for one in scene.of(kind):
            x, y = map(int, one.at)
            signs[setting.grid.square(x, y)] = sign = _sign(one, led)
            if kind == "unit":
                inks[sign] = one.player
    rulers = Rulers(
        rows=tuple(f"{length - y:>2}  " for y in range(length)),
        columns=tuple(setting.squares[x][0] for x in range(width)),
        every=1,
        above=True,
    )
    notes = ("", *_legend(state))
    return CharMap(MapLayout(signs=tuple(signs), rulers=rulers, notes=notes, wide=_CELL, inks=inks))


def _sign(piece: Piece, led: set[Point]) -> str:
    """Return the sign of a camp, of a leader on his own, or of a unit with what is unusual about it."""
    if piece.kind != "unit":
        return _CAMP if piece.kind == "camp" else _LEADER
    flags = "".join(sign for mark, sign in _FLAGS.items() if mark in piece.marks)
    arrow = FACING_ARROWS[nearest_facing(piece.heading_deg)]
    return f"{piece.letter}{arrow}{flags}{_LEADER * (piece.at in led)}"


def _legend(state: State) -> Iterator[str]:
    setting, squares = state.setting, state.setting.squares
    yield (
        f"    A letter alone is a unit, the arrow its facing; {_FLAGS[DISRUPTED]} disrupted, "
        f"{_FLAGS[WALL]} shield wall, {_LEADER} leader, {_CAMP} camp"
    )
    pairs = zip(setting.leaders, state.leaders, strict=True)
    leaders = [
        f"{one.name} on {squares[now.square]}" for one, now in pairs if now.square is not None
    ]
    if leaders:
        yield f"    {_LEADER} {', '.join(leaders)}"
    shown = (ground for ground in charts().terrain.values() if ground in setting.terrain)
    names = (f"{ground.sign} {_MEANINGS.get(ground.name, ground.name)}" for ground in shown)
    yield f"    {', '.join(names)}"
    if setting.walls:
        sides = (f"{squares[one]} and {squares[other]}" for one, other in sorted(setting.walls))
        yield f"    wall between {', '.join(sides)}"
