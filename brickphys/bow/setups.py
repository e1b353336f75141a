"""Setups: small battles that ship with the game."""

from collections.abc import Iterator, Mapping
from typing import Any

Setup = dict[str, Any]


def duel(first: str = "trooper", second: str = "trooper", rounds: int = 40) -> Setup:
    """Return a duel between two units on an empty field, four studs apart.

    Parameters
    ----------
    first, second
        Sheets of the catalogue.
    rounds
        After so many rounds it ends.
    """
    return {
        "players": [{"name": "red"}, {"name": "blue"}],
        "field": {"width": 12, "length": 9},
        "units": [
            {"id": f"red_{first}", "sheet": first, "player": "red", "x": 3, "y": 4, "facing": "e"},
            {
                "id": f"blue_{second}",
                "sheet": second,
                "player": "blue",
                "x": 8,
                "y": 4,
                "facing": "w",
            },
        ],
        "aims": [{"kind": "rounds", "rounds": rounds}],
    }


_RANKS = (
    ("knight", 1),
    ("swordsman", 4),
    ("archer", 3),
    ("medic", 1),
    ("trooper", 1),
)


def skirmish() -> Setup:
    """Return ten against ten, on a field with a wall, a gate, a house corner, trees and a low wall."""
    return {
        "players": [{"name": "red"}, {"name": "blue"}],
        "field": {
            "width": 40,
            "length": 32,
            "decor": [
                {"id": "wall_south", "block": [19, 0, 2, 10]},
                {"id": "wall_north", "block": [19, 22, 2, 10]},
                {"id": "gate", "kind": "door", "block": [19, 10, 2, 3], "top": 13},
                {"id": "low_wall_west", "block": [11, 12, 1, 8], "top": 6},
                {"id": "low_wall_east", "block": [28, 12, 1, 8], "top": 6},
                {"id": "oak", "kind": "tree", "block": [8, 5, 2, 2], "top": 30},
                {"id": "pine", "kind": "tree", "block": [30, 25, 2, 2], "top": 30},
                {"id": "table", "kind": "furniture", "block": [19, 15, 2, 2], "top": 3},
            ],
        },
        "units": [*_side("red", 4, "e"), *_side("blue", 35, "w")],
        "objects": [{"item": "sword", "x": 15, "y": 16}, {"item": "helmet", "x": 24, "y": 16}],
        "aims": [{"kind": "rounds", "rounds": 30}],
    }


def _side(player: str, x: int, facing: str) -> Iterator[Setup]:
    names = [
        (sheet, f"{player}_{sheet}_{number + 1}")
        for sheet, count in _RANKS
        for number in range(count)
    ]
    for index, (sheet, name) in enumerate(names):
        yield {
            "id": name,
            "sheet": sheet,
            "player": player,
            "x": x,
            "y": 4 + index * 5 // 2,
            "facing": facing,
        }


def ambush() -> Setup:
    """Return a patrol with a landspeeder, a horse and a snowspeeder, and those who wait for it in the rocks."""
    return {
        "players": [{"name": "patrol"}, {"name": "rebels"}],
        "field": {
            "width": 60,
            "length": 40,
            "decor": [
                {"id": "rocks_south", "block": [28, 4, 3, 7]},
                {"id": "rocks_north", "block": [28, 29, 3, 7]},
                {"id": "boulder", "block": [40, 18, 3, 3], "top": 9},
                {"id": "tower", "block": [48, 28, 5, 5], "top": 40},
            ],
        },
        "vehicles": [
            _vehicle("speeder", "landspeeder", "patrol", 12.0, 20.0, 0.0),
            _vehicle("mare", "horse", "patrol", 10.0, 30.0, 0.0),
            _vehicle("falcon", "snowspeeder", "rebels", 50.0, 8.0, 180.0),
        ],
        "units": [
            _seated("captain", "driver", "patrol", "speeder", "pilot"),
            _seated("scout", "trooper", "patrol", "speeder", "passenger"),
            _seated("rider", "rider", "patrol", "mare", "rider"),
            {"id": "sergeant", "sheet": "swordsman", "player": "patrol", "x": 5, "y": 10},
            {"id": "smith", "sheet": "mechanic", "player": "patrol", "x": 5, "y": 12},
            _seated("ace", "driver", "rebels", "falcon", "pilot"),
            _seated("harpooner", "gunner", "rebels", "falcon", "gunner"),
            {
                "id": "rocket",
                "sheet": "rocketeer",
                "player": "rebels",
                "x": 45,
                "y": 20,
                "facing": "w",
            },
            {"id": "archer", "sheet": "archer", "player": "rebels", "x": 32, "y": 8, "facing": "w"},
            {
                "id": "wizard",
                "sheet": "wizard",
                "player": "rebels",
                "x": 33,
                "y": 31,
                "facing": "w",
            },
        ],
        "actions": ["firebolt", "mind_grip", "shove"],
        "aims": [{"kind": "rounds", "rounds": 20}],
    }


def _vehicle(name: str, sheet: str, player: str, x: float, y: float, heading_deg: float) -> Setup:
    return {
        "id": name,
        "sheet": sheet,
        "player": player,
        "x": x,
        "y": y,
        "heading_deg": heading_deg,
    }


def _seated(name: str, sheet: str, player: str, vehicle: str, seat: str) -> Setup:
    return {"id": name, "sheet": sheet, "player": player, "vehicle": vehicle, "seat": seat}


SETUPS: Mapping[str, Setup] = {"duel": duel(), "skirmish": skirmish(), "ambush": ambush()}
