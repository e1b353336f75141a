"""Random armies of BOW: setups for studies, with units of the catalogue in facing lines on a plain field."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from brickphys.bow.sheets.cost import minifig_cost
from brickphys.bow.sheets.custom_actions import OpposedAction
from brickphys.bow.sheets.drawn_sheets import DrawnSheets, drawn_sheets
from brickphys.bow.sheets.library import Library
from brickphys.errors import InvalidValueError
from brickphys.rules.setup.random_armies import OPTIONS, army_label, draw_armies

if TYPE_CHECKING:
    import numpy as np

    from brickphys.bow.setup.random_armies_schema import RandomBattleDocument

PLAYERS = ("red", "blue")
FACINGS = ("e", "w")
_LENGTH = 24
"""Studs along the lines."""
_FRONT = 10
"""Units side by side; further ones stand behind them."""
_STEP = 2
"""Studs from one unit to the next, and from rank to rank."""
_EDGE = 3
"""Studs behind the last rank."""
_WALL_STUDS, _WALL_PLATES = 3, 6
"""Cover: higher than a step (BOW 1.3), and lower than the eyes; our choice."""


def draw_battle(
    options: Mapping[str, Any], rng: "np.random.Generator"
) -> tuple[str, dict[str, Any]]:
    """Return a label that names two armies, ``knight+trooper*2 | archer``, and the setup of their battle.

    Parameters
    ----------
    options
        Keys of `RandomBattleDocument`.
    rng
        Decides on armies, sides, places and cover, and on nothing else.

    Raises
    ------
    InvalidValueError
        With the faults of the options.
    """
    from brickphys.bow.setup.random_armies_schema import RandomBattleDocument
    from brickphys.schema import validated

    wanted = validated(RandomBattleDocument, dict(options), OPTIONS)
    sheets = drawn_sheets(wanted.files)
    prices = {name: minifig_cost(sheet) for name, sheet in sheets.chosen(wanted.units).items()}
    armies = draw_armies(prices, wanted.points, wanted.ratios, rng)
    return " | ".join(map(army_label, armies)), _setup(armies, wanted, sheets, rng)


def _setup(
    armies: Sequence[Sequence[str]],
    wanted: "RandomBattleDocument",
    sheets: DrawnSheets,
    rng: "np.random.Generator",
) -> dict[str, Any]:
    ranks = [-(-len(army) // _FRONT) for army in armies]
    lines = _EDGE + _STEP * (ranks[0] - 1), _EDGE + _STEP * (ranks[0] - 1) + wanted.apart
    width = lines[1] + _STEP * (ranks[1] - 1) + _EDGE + 1
    return {
        "players": [{"name": player} for player in PLAYERS],
        "field": {
            "width": width,
            "length": _LENGTH,
            "decor": list(_cover(wanted.cover, lines[0] + _STEP, lines[1] - _STEP, rng)),
        },
        "units": [
            *_line(armies[0], 0, lines[0], -_STEP),
            *_line(armies[1], 1, lines[1], _STEP),
        ],
        "actions": _actions(armies, sheets.library),
        "aims": [{"kind": "rounds", "rounds": wanted.rounds}],
        **({"library": sheets.tables} if sheets.tables else {}),
    }


def _line(army: Sequence[str], side: int, x: int, back: int) -> Iterator[dict[str, Any]]:
    """Yield the units of an army in ranks, each rank around the middle of the field."""
    for index, sheet in enumerate(army):
        rank, place = divmod(index, _FRONT)
        in_rank = min(_FRONT, len(army) - rank * _FRONT)
        yield {
            "id": f"{PLAYERS[side]}_{index}",
            "sheet": sheet,
            "player": PLAYERS[side],
            "x": x + rank * back,
            "y": _LENGTH // 2 + _STEP * place - in_rank,
            "facing": FACINGS[side],
        }


def _cover(
    count: int, first: int, end: int, rng: "np.random.Generator"
) -> Iterator[dict[str, Any]]:
    """Yield low walls across the way, with room to pass between them."""
    places = [
        (x, y)
        for x in range(first, end, _WALL_STUDS)
        for y in range(1, _LENGTH - _WALL_STUDS, 2 * _WALL_STUDS)
    ]
    if count > len(places):
        raise InvalidValueError(
            f"{OPTIONS}: cover: room for {len(places)} walls between the lines, not for {count}"
        )
    for number, place in enumerate(rng.permutation(len(places))[:count].tolist()):
        x, y = places[place]
        block = [x, y + int(rng.integers(_WALL_STUDS)), 1, _WALL_STUDS]
        yield {"id": f"wall_{number}", "block": block, "top": _WALL_PLATES}


def _actions(armies: Sequence[Sequence[str]], known: Library) -> list[str]:
    """Return the new actions (BOW B) whose ability a unit has paid for."""
    paid = {ability for army in armies for name in army for ability, _ in known.units[name].custom}
    return [
        name
        for name, action in known.actions.items()
        if isinstance(action, OpposedAction) and action.acting in paid
    ]
