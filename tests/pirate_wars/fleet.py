"""Fleets in a test: ships with crews on an open sea, without the book's numbers of minifigs."""

from dataclasses import dataclass
from typing import Any

from brickphys.files import digest
from brickphys.pirate_wars.setting import Minifig, Options, Setting, ShipSpec
from brickphys.pirate_wars.sheets import Role, ShipPlace, ShipSheet
from brickphys.pirate_wars.sheets import ship as ship_sheet
from brickphys.pirate_wars.state import GunState, MinifigState, Phase, ShipState, State
from brickphys.vehicles.scene import Bounds


@dataclass(frozen=True)
class Boat:
    sheet: ShipSheet
    player: int
    crew: tuple[Role, ...]
    state: ShipState


def boat(
    sheet: str = "black_seas_barracuda",
    *,
    x: float,
    y: float,
    heading: float = 0.0,
    player: int = 0,
    crew: tuple[Role, ...] = (Role.CAPTAIN, *[Role.PIRATE] * 9),
    **changes: Any,
) -> Boat:
    """A ship of a player at a place; `changes` are attributes of its state, such as `sails`."""
    found = ship_sheet(sheet)
    values: dict[str, Any] = {"hull": found.chart.hull, "sails": found.chart.sails, **changes}
    guns = tuple(GunState() for _ in found.guns)
    state = ShipState(0.0, 0.0, 0.0, owner=player, guns=guns, **values)
    return Boat(found, player, crew, state.at((x, y, heading)))


def fleet(
    *boats: Boat,
    wind: float = 0.0,
    sea: tuple[float, float] = (400.0, 300.0),
    teams: tuple[int, ...] | None = None,
    options: Options | None = None,
    women: tuple[str, ...] = (),
    **changes: Any,
) -> State:
    """Ships named a, b, c ... with crews named a_captain, a_pirate1 ... on deck, in the phase of movement."""
    players = max(each.player for each in boats) + 1
    names = "abcdefghij"[: len(boats)]
    minifigs = [
        Minifig(
            full := f"{name}_{role.value}{number or ''}", each.player, role, ship, full in women
        )
        for ship, (name, each) in enumerate(zip(names, boats, strict=True))
        for number, role in enumerate(each.crew)
    ]
    setting = Setting(
        digest(repr((boats, wind, sea, teams, options, women))),
        ("red", "blue", "green", "white", "black", "gold")[:players],
        sea=Bounds(*sea),
        wind_deg=wind,
        teams=teams or tuple(range(players)),
        ships=tuple(
            ShipSpec(name, each.player, each.sheet) for name, each in zip(names, boats, strict=True)
        ),
        minifigs=tuple(minifigs),
        options=options or Options(),
    )
    values = {"round": 1, "phase": Phase.MOVEMENT, "order": tuple(range(players)), **changes}
    return State(
        setting=setting,
        ships=tuple(each.state for each in boats),
        minifigs=tuple(MinifigState(each.ship, ShipPlace.DECK) for each in minifigs),
        **values,
    )
