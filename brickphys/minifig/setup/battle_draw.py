"""Battle draw: a battle of two sides on open ground, drawn at random, for studies of many games."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from brickphys.errors import refuse
from brickphys.minifig.sheets.charts import charts
from brickphys.rules.catalogue import TableReader
from brickphys.rules.setup.random_armies import OPTIONS, army_label

if TYPE_CHECKING:
    import numpy as np

    from brickphys.minifig.setup.setup_schema import BattleDrawDocument

PLAYERS = ("red", "blue")
UNITS = (
    "soldier,sword,shield,helmet",
    "soldier,spear,shield",
    "soldier,axe,helmet",
    "soldier,bow",
    "soldier,sword,shield,helmet,mounted",
    "peasant,club",
)
"""Kinds that are drawn by default."""
_MOUNTED = "mounted"
_ROW, _APART_IN, _EDGE_IN = 10, 1.5, 4.0
"""Figures in a row, how far neighbours and rows are apart, and the first row from the end of the table."""
_WIDTH_IN = (_ROW + 1) * _APART_IN


def draw_battle(
    options: Mapping[str, Any], rng: "np.random.Generator"
) -> tuple[str, dict[str, Any]]:
    """Return a label that names two sides, ``soldier,bow*3 | peasant,club*3``, and the setup of their battle.

    The options are those of `BattleDrawDocument`; InvalidValueError tells their faults.
    """
    from brickphys.minifig.setup.setup_schema import BattleDrawDocument
    from brickphys.schema import validated

    wanted = validated(BattleDrawDocument, dict(options), OPTIONS)
    sides = _sides(wanted, rng)
    deep = _EDGE_IN + (max(map(len, sides)) - 1) // _ROW * _APART_IN
    length = 2 * deep + wanted.apart
    entries = [
        entry
        for player, side in zip(PLAYERS, sides, strict=True)
        for entry in _entries(player, side, deep, length)
    ]
    horses = [entry["horse"] for entry in entries if "horse" in entry]
    return " | ".join(army_label(side) for side in sides), {
        "players": [{"name": player} for player in PLAYERS],
        "table": {"width": _WIDTH_IN, "length": length},
        "figure": entries,
        "thing": [{"name": horse, "kind": "horse"} for horse in horses],
        "aims": [{"kind": "rounds", "rounds": wanted.rounds}],
    }


def _sides(wanted: "BattleDrawDocument", rng: "np.random.Generator") -> list[list[str]]:
    """Return the units of both sides: those that are named, or drawn ones."""
    if wanted.sides is not None:
        named = [[entry.partition("*") for entry in side] for side in wanted.sides]
        for number, side in enumerate(named):
            _check_units(f"sides[{number}]", [unit for unit, *_ in side])
        return [[unit for unit, _, times in side for _ in range(int(times or 1))] for side in named]
    units = wanted.units or UNITS
    _check_units("units", units)
    draws = [rng.integers(len(units), size=wanted.figures).tolist() for _ in PLAYERS]
    if wanted.mirror:
        draws[1] = draws[0]
    return [[units[index] for index in draw] for draw in draws]


def _entries(
    player: str, side: Sequence[str], deep: float, length: float
) -> Iterator[dict[str, Any]]:
    """Yield the figures of a side in rows, the first one so deep on the table; the other side is turned by half."""
    is_first = player == PLAYERS[0]
    for number, unit in enumerate(side):
        kind, *gear = unit.split(",")
        row, place = divmod(number, _ROW)
        x, y = (place + 1) * _APART_IN, deep - row * _APART_IN
        name = f"{player}_{number + 1}"
        riding = {"horse": f"{name}_horse"} if _MOUNTED in gear else {}
        yield {
            "name": name,
            "player": player,
            "kind": kind,
            "arms": [word for word in gear if word != _MOUNTED],
            "x": x if is_first else _WIDTH_IN - x,
            "y": y if is_first else length - y,
            "facing_deg": 90.0 if is_first else 270.0,
            **riding,
        }


def _check_units(key: str, units: Sequence[str]) -> None:
    reader = TableReader()
    for index, unit in enumerate(units):
        kind, *gear = unit.split(",")
        reader.find(f"{key}[{index}]", "kind of figure", kind, charts().kinds)
        for word in gear:
            if word != _MOUNTED:
                reader.find(f"{key}[{index}]", "arm", word, charts().arms)
    refuse(OPTIONS, reader.faults)
