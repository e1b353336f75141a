"""Sharks: the odds of minifigs in the water (PW Morale)."""

from fractions import Fraction
from typing import Annotated

from brickphys.errors import InvalidValueError
from brickphys.pirate_wars.odds.stage import TARGET, stage
from brickphys.pirate_wars.sheets.catalogue import ships
from brickphys.pirate_wars.sheets.minifigs import Role
from brickphys.pirate_wars.sheets.ship_sheet import Place, Side
from brickphys.pirate_wars.state.crew import MinifigState
from brickphys.pirate_wars.state.setting import Minifig
from brickphys.pirate_wars.state.state import State
from brickphys.pirate_wars.turns.sharks import shark_rolls
from brickphys.rules.report.odds_report import OddsReport, distribution
from brickphys.rules.walk import Way, merged, rolled
from brickphys.text import counted

MOST_MINIFIGS, MOST_TURNS = 40, 20


def sharks(
    minifigs: Annotated[int, "Minifigs in the water, 1 to 40, including a captain."] = 8,
    captain: Annotated[bool, "One of them is a pirate captain, who is eaten last."] = False,
    turns: Annotated[int, "Turns in the water, 1 to 20."] = 1,
) -> OddsReport:
    """Compute how many minifigs in the water are eaten (PW Morale)."""
    for name, value, most in (("minifigs", minifigs, MOST_MINIFIGS), ("turns", turns, MOST_TURNS)):
        if not 1 <= value <= most:
            raise InvalidValueError(f"{name}: {value} is outside 1..{most}")
    ways = [Way(swimmers(minifigs, captain=captain), 0, Fraction(1))]
    for _ in range(turns):
        ways = merged((after for way in ways for after in _turn(way)), _swimming)
    eaten = distribution((minifigs - sum(_swimming(way.state)), way.chance) for way in ways)
    chances = {
        "nobody is eaten": eaten.get(0, Fraction(0)),
        "all are eaten": eaten.get(minifigs, Fraction(0)),
    }
    who = counted(minifigs, "minifig") + (", a captain of pirates among them," if captain else "")
    return OddsReport(f"{who} in the water for {counted(turns, 'turn')}", chances, {"eaten": eaten})


def _turn(way: Way[State]) -> list[Way[State]]:
    """Return the ways after the rolls of a turn."""
    ways = [way]
    for roll in shark_rolls(way.state):
        ways = rolled(ways, roll, _swimming)
    return ways


def _swimming(state: State) -> tuple[int, int]:
    """Return how many captains, and how many others, are in the water: these are alike."""
    swimming = [
        spec.role is Role.CAPTAIN
        for spec, now in zip(state.setting.minifigs, state.minifigs, strict=True)
        if now.swims
    ]
    return sum(swimming), len(swimming) - sum(swimming)


def swimmers(minifigs: int, *, captain: bool) -> State:
    """Return the state in which so many minifigs of a pirate ship are in the water."""
    pirate = next(sheet for sheet in ships().values() if sheet.side is Side.PIRATE)
    roles = [Role.CAPTAIN] * captain + [Role.PIRATE] * (minifigs - captain)
    wet = MinifigState(None, Place.WATER, at_studs=(0.0, 0.0))
    crew = [
        (Minifig(f"{role.value}_{number}", TARGET, role, TARGET), wet)
        for number, role in enumerate(roles)
    ]
    return stage(pirate, pirate, crew, rakes=False)
