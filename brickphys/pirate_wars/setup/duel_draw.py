"""Duel draw: a duel of two ships on an open sea, drawn at random, for studies of many games."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from brickphys.errors import refuse
from brickphys.pirate_wars.sheets.catalogue import ships
from brickphys.rules.catalogue import TableReader
from brickphys.rules.setup.random_armies import OPTIONS

if TYPE_CHECKING:
    import numpy as np

PLAYERS = ("first", "second")
_SEA_STUDS = 320.0
"""Length of each side of the sea."""
_WIND_DEG = 90.0


def draw_duel(options: Mapping[str, Any], rng: "np.random.Generator") -> tuple[str, dict[str, Any]]:
    """Return a label that names two ships, ``black_pearl | imperial_flagship``, and the setup of their duel.

    One lies upwind of the other, both across the wind on the same tack, which is drawn. The options are those of
    `DuelDrawDocument`; InvalidValueError tells their faults.
    """
    from brickphys.pirate_wars.setup.setup_schema import DuelDrawDocument
    from brickphys.schema import validated

    wanted, reader = validated(DuelDrawDocument, dict(options), OPTIONS), TableReader()
    for index, name in enumerate(wanted.ships or ()):
        reader.find(f"ships[{index}]", "ship", name, ships())
    refuse(OPTIONS, reader.faults)
    fleet = wanted.ships or list(ships())
    pair = [fleet[index] for index in rng.choice(len(fleet), 2, replace=False).tolist()]
    drawn, tack = rng.choice(PLAYERS), rng.choice((0.0, 180.0))
    upwind = PLAYERS.index(drawn if wanted.windward is None else wanted.windward)
    offsets = {upwind: -wanted.apart / 2, 1 - upwind: wanted.apart / 2}
    duel = {
        "players": [{"name": player} for player in PLAYERS],
        "sea": {"width": _SEA_STUDS, "length": _SEA_STUDS},
        "wind_deg": _WIND_DEG,
        "ship": [
            {
                "id": player,
                "sheet": pair[number],
                "player": player,
                "x": _SEA_STUDS / 2,
                "y": _SEA_STUDS / 2 + offsets[number],
                "heading_deg": float(tack),
            }
            for number, player in enumerate(PLAYERS)
        ],
        "aims": [{"kind": "rounds", "rounds": wanted.rounds}],
    }
    return " | ".join(pair), duel
