"""Battles drawn at random for tests: two to four players, decor, raised ground, vehicles, objects and new actions."""

from typing import Any

import numpy as np

from brickphys.bow.sheets.catalogue import catalogue
from brickphys.errors import InvalidValueError
from brickphys.grid.grid import FACING_NAMES
from tests.bow.battle import GAME, seated, unit, vehicle

PLAYERS = ("red", "blue", "green", "gold")
KINDS = ("wall", "door", "window", "furniture", "tree")
SECTORS = ("quadrant", "corner", "contact")


def random_setup(seed: int, players: int) -> dict[str, Any]:
    """Return the first battle without a fault that a seed leads to."""
    rng = np.random.default_rng(seed)
    while True:
        setup = _drawn(rng, PLAYERS[:players])
        try:
            GAME.initial(setup)
        except InvalidValueError:
            continue
        return setup


def _drawn(rng: np.random.Generator, names: tuple[str, ...]) -> dict[str, Any]:
    width, length = int(rng.integers(34, 60)), int(rng.integers(34, 60))
    teamed = len(names) == 4 and rng.integers(2)
    setup: dict[str, Any] = {
        "players": [
            {"name": name, **({"team": index % 2} if teamed else {})}
            for index, name in enumerate(names)
        ],
        "field": {"width": width, "length": length, "decor": []},
        "units": [],
        "vehicles": [],
        "objects": [],
    }
    setup["field"]["decor"] = [
        {
            "id": f"d{number}",
            "kind": KINDS[int(rng.integers(5))],
            "block": [
                int(rng.integers(*ends)) for ends in ((width - 4,), (length - 4,), (1, 4), (1, 4))
            ],
            "top": float(rng.integers(3, 16)),
        }
        for number in range(int(rng.integers(0, 5)))
    ]
    if rng.integers(3) == 0:
        ground = np.zeros((length, width))
        x, y = int(rng.integers(0, width - 8)), int(rng.integers(0, length - 8))
        ground[y : y + 8, x : x + 8] = 3.0
        setup["field"]["ground"] = ground.tolist()
    for name in names:
        _add_side(rng, setup, name)
    gear = sorted(catalogue().gear)
    for _ in range(3):
        item = gear[int(rng.integers(len(gear)))]
        x, y = int(rng.integers(0, width)), int(rng.integers(0, length))
        setup["objects"].append({"item": item, "x": x, "y": y})
    if rng.integers(2):
        setup["actions"] = sorted(catalogue().actions)
    setup["options"] = {
        "symmetric_treatment": bool(rng.integers(2)),
        "dispute": bool(rng.integers(2)),
        "sectors": SECTORS[int(rng.integers(3))],
    }
    setup["aims"] = [{"kind": "rounds", "rounds": 25}]
    if rng.integers(2):
        area = [width // 2 - 2, length // 2 - 2, 4, 4]
        setup["aims"].append({"kind": "hold", "player": "red", "area": area, "rounds": 2})
    return setup


def _add_side(rng: np.random.Generator, setup: dict[str, Any], player: str) -> None:
    """Add two or three units on foot, and a vehicle with some of its seats taken."""
    sheets, vehicles = sorted(catalogue().units), sorted(catalogue().vehicles)
    units, (width, length) = setup["units"], (setup["field"]["width"], setup["field"]["length"])
    for _ in range(int(rng.integers(2, 4))):
        sheet = sheets[int(rng.integers(len(sheets)))]
        x, y = int(rng.integers(0, width)), int(rng.integers(0, length))
        facing = FACING_NAMES[int(rng.integers(8))]
        units.append(unit(f"u{len(units)}", sheet, player, x, y, facing))
    name = vehicles[int(rng.integers(len(vehicles)))]
    sheet = catalogue().vehicles[name]
    place = float(rng.integers(8, width - 8)), float(rng.integers(8, length - 8))
    motion = float(rng.integers(0, 24) * 15), int(rng.choice(list(sheet.speeds)))
    setup["vehicles"].append(vehicle(f"v_{player}", name, player, *place, *motion))
    for seat in sheet.seats[: int(rng.integers(1, len(sheet.seats) + 1))]:
        who = sheets[int(rng.integers(len(sheets)))]
        units.append(seated(f"u{len(units)}", who, player, f"v_{player}", seat.name))
