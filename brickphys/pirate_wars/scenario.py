"""Scenario: battles that ship or are written by hand, duels drawn for studies, and a battle before it begins."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from brickphys.errors import refuse
from brickphys.pirate_wars.scene import sea_map, ship_letters
from brickphys.pirate_wars.setup import begin
from brickphys.pirate_wars.sheets import ships
from brickphys.pirate_wars.state import State
from brickphys.pirate_wars.status import circle_aims
from brickphys.rules.names import facing_text, names_text
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.rules.scenario import Scenario, ScenarioReport, ShippedScenarios
from brickphys.rules.setup import DRAW_TABLE, TableReader

if TYPE_CHECKING:
    import numpy as np


def parse_scenario(text: str, name: str = "scenario") -> Scenario:
    """Return the scenario in a text; `name` begins the message of an error, a ScenarioFileError."""
    from brickphys.pirate_wars.documents import BattleDocument
    from brickphys.rules.scenario_file import table_scenario

    return table_scenario(text, name, BattleDocument)


SCENARIOS = ShippedScenarios("brickphys.pirate_wars", parse_scenario)
"""The setups that ship, by name."""


PLAYERS = ("first", "second")
_SEA_STUDS = 320.0
"""Length of each side of the sea."""
_WIND_DEG = 90.0


def draw_duel(options: Mapping[str, Any], rng: "np.random.Generator") -> tuple[str, dict[str, Any]]:
    """Return a label that names two ships, ``black_pearl | imperial_flagship``, and the setup of their duel.

    One lies upwind of the other, both across the wind on the same tack, which is drawn. The options are those of
    `DuelDrawDocument`; InvalidValueError tells their faults.
    """
    from brickphys.pirate_wars.documents import DuelDrawDocument
    from brickphys.schema import validated

    wanted, reader = validated(DuelDrawDocument, dict(options), DRAW_TABLE), TableReader()
    for index, name in enumerate(wanted.ships or ()):
        reader.find(f"ships[{index}]", "ship", name, ships())
    refuse(DRAW_TABLE, reader.faults)
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


def scenario_report(source: str) -> ScenarioReport[State]:
    """Return a scenario that ships, by name, or one in a file; ScenarioFileError lists every fault."""
    read = SCENARIOS.find(source)
    state = begin(read, source)
    aims = circle_aims(state.setting)
    return ScenarioReport.of(
        read,
        state,
        map_text="\n".join([sea_map(state), *_ship_lines(state)]),
        armies=_totals(state),
        aims=aims.texts(),
        areas=aims.areas(),
    )


def _ship_lines(state: State) -> Iterator[str]:
    """Yield where each ship begins, and its crew."""
    setting = state.setting
    for letter, spec, ship, crew in zip(
        ship_letters(setting), setting.ships, state.ships, setting.crews, strict=True
    ):
        names = (setting.minifigs[number].name.removeprefix(f"{spec.name}_") for number in crew)
        where = f"at {ship.x_studs:g},{ship.y_studs:g}, heading {facing_text(ship.heading_deg)}"
        yield f"     {letter} {spec.sheet.title} {where}: {names_text(names)}"


def _totals(state: State) -> Iterator[ArmyTotal]:
    """Yield how much each player has; the book has no prices."""
    setting = state.setting
    for player, name in enumerate(setting.players):
        sheets = [spec.sheet for spec in setting.ships if spec.player == player]
        counts = {
            "ships": len(sheets),
            "minifigs": sum(minifig.player == player for minifig in setting.minifigs),
            "cannons": sum(len(sheet.guns) for sheet in sheets),
            "HF": sum(sheet.chart.hull for sheet in sheets),
            "SF": sum(sheet.chart.sails for sheet in sheets),
        }
        yield ArmyTotal(name, counts)
