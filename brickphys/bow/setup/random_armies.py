"""Muster: two armies drawn at random from the catalogue, in facing lines on a plain field; setups for studies.

An army is drawn unit by unit: any that its points still pay for is as likely as any other, until they pay for none. The
armies take sides at random, so that neither a seat nor a side of the field favours one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from typing import TYPE_CHECKING, Any

from brickphys.bow.sheets.catalogue import foot
from brickphys.bow.sheets.cost import minifig_cost
from brickphys.bow.sheets.custom_actions import OpposedAction
from brickphys.errors import InvalidValueError, unknown

if TYPE_CHECKING:
    import numpy as np

    from brickphys.bow.setup.random_armies_schema import MusterDocument

PLAYERS = ("red", "blue")
FACINGS = ("e", "w")
_LENGTH = 24
"""Studs along the lines."""
_FRONT = 10
"""Units side by side; more stand behind them."""
_STEP = 2
"""Studs from one to the next, and from rank to rank."""
_EDGE = 3
"""Studs behind the last rank."""
_WALL_STUDS, _WALL_PLATES = 3, 6
"""Cover: higher than a step (BOW 1.3), and lower than the eyes; ours."""

Army = Sequence[str]
"""Names of sheets."""
Drawn = tuple[str, dict[str, Any]]
"""A label, and a setup."""


def draw_muster(options: Mapping[str, Any], rng: "np.random.Generator") -> Drawn:
    """Return a battle of two armies drawn at random, after a label that names them: ``knight+trooper*2 | archer``.

    Parameters
    ----------
    options
        What `MusterDocument` knows.
    rng
        Decides on armies, sides, places and cover, and on nothing else.

    Raises
    ------
    InvalidValueError
        With the faults of the options.
    """
    wanted = _document(options)
    prices = _prices(wanted)
    low, high = wanted.ratios
    ratio = exp(rng.uniform(log(low), log(high)))
    armies = [_army(prices, wanted.points * times, rng) for times in (1.0, ratio)]
    if rng.integers(2):
        armies.reverse()
    return " | ".join(map(army_label, armies)), _setup(armies, wanted, rng)


def army_label(army: Army) -> str:
    """Write an army as a line: ``knight+trooper*2``."""
    counts = sorted(Counter(army).items())
    return "+".join(name if count == 1 else f"{name}*{count}" for name, count in counts)


def _document(options: Mapping[str, Any]) -> "MusterDocument":
    from pydantic import ValidationError

    from brickphys.bow.setup.random_armies_schema import MusterDocument
    from brickphys.schema import faults

    try:
        return MusterDocument.model_validate(dict(options))
    except ValidationError as error:
        raise InvalidValueError(f"draw: {'; '.join(faults(error, MusterDocument))}") from None


def _prices(wanted: "MusterDocument") -> dict[str, int]:
    """Return the cost points of the units that may be drawn, in the order of the catalogue."""
    known = foot().units
    for index, name in enumerate(wanted.units or ()):
        if name not in known:
            raise InvalidValueError(f"draw: units[{index}]: {unknown('unit', name, known)}")
    allowed = [name for name in known if wanted.units is None or name in wanted.units]
    prices = {name: minifig_cost(known[name]) for name in allowed}
    least = wanted.points * min(1.0, wanted.ratios[0])
    if least < min(prices.values()):
        cheapest = min(prices, key=lambda name: prices[name])
        raise InvalidValueError(
            f"draw: points: {least:g} pay for no unit, the cheapest ({cheapest}) costs {prices[cheapest]}"
        )
    return prices


def _army(prices: Mapping[str, int], points: float, rng: "np.random.Generator") -> list[str]:
    army: list[str] = []
    while affordable := [name for name, price in prices.items() if price <= points]:
        army.append(affordable[int(rng.integers(len(affordable)))])
        points -= prices[army[-1]]
    rng.shuffle(army)
    return army


def _setup(
    armies: Sequence[Army], wanted: "MusterDocument", rng: "np.random.Generator"
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
        "actions": _actions(armies),
        "aims": [{"kind": "rounds", "rounds": wanted.rounds}],
    }


def _line(army: Army, side: int, x: int, back: int) -> Iterator[dict[str, Any]]:
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
            f"draw: cover: room for {len(places)} walls between the lines, not for {count}"
        )
    for number, place in enumerate(rng.permutation(len(places))[:count].tolist()):
        x, y = places[place]
        block = [x, y + int(rng.integers(_WALL_STUDS)), 1, _WALL_STUDS]
        yield {"id": f"wall_{number}", "block": block, "top": _WALL_PLATES}


def _actions(armies: Sequence[Army]) -> list[str]:
    """Return the new actions (BOW B) whose ability somebody has paid for."""
    known = foot()
    paid = {ability for army in armies for name in army for ability, _ in known.units[name].custom}
    return [
        name
        for name, action in known.actions.items()
        if isinstance(action, OpposedAction) and action.acting in paid
    ]
