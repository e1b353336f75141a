"""Broadside: the odds of cannons that fire together at a ship (PW Firing)."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Literal

from brickphys.errors import InvalidValueError
from brickphys.odds.distribution import Distribution
from brickphys.pirate_wars.odds.stage import FIRES, TARGET, manned, stage
from brickphys.pirate_wars.sheets.catalogue import ship
from brickphys.pirate_wars.sheets.damage_chart import Damage
from brickphys.pirate_wars.sheets.minifigs import Ammunition, Role
from brickphys.pirate_wars.sheets.ship_sheet import Gun, ShipSheet
from brickphys.pirate_wars.state.state import State
from brickphys.pirate_wars.tasks.critical import CriticalRoll
from brickphys.pirate_wars.tasks.firing import GunRoll
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll
from brickphys.rules.report.odds_report import OddsReport, distribution
from brickphys.rules.walk import Way, rolled
from brickphys.text import counted

MOST_GUNS = 6
_CRITICAL = 100
"""Weight of a critical hit in a count in which a hit is 1: more than the number of hits can be."""


def broadside(
    guns: Annotated[int, "Cannons that fire, 1 to 6."] = 2,
    ammunition: Annotated[Literal["ball", "shot"], "What they fire."] = "ball",
    target: Annotated[str, "The ship that they fire at, with its full crew."] = "imperial_flagship",
    light: Annotated[bool, "Light cannons."] = False,
    raking: Annotated[bool, "Fire from dead ahead or astern, where shot counts twice."] = False,
    hull: Annotated[int | None, "HF that the target has left; default: all."] = None,
    sails: Annotated[int | None, "SF that the target has left; default: all."] = None,
) -> OddsReport:
    """Compute a broadside of cannons in range (PW Firing).

    The result has hits, lines crossed off, crew lost and critical hits. All cannons bear.
    """
    if raking and Ammunition(ammunition) is Ammunition.BALL:
        raise InvalidValueError("--raking doubles shot only: add --ammunition shot (PW Firing)")
    start = firing_state(guns, ship(target), light, raking, hull, sails)
    ways = [Way(start, 0, Fraction(1))]
    for gun in range(guns):
        roll = GunRoll(FIRES, gun, Ammunition(ammunition), TARGET)
        ways = rolled(ways, roll, _kept, _counted)  # an owner loses the hands before the officers
    kind = "light cannon" if light else "cannon"
    before = start.ships[TARGET].damage
    where = f"{ship(target).title} with {before.hull} HF and {before.sails} SF"
    title = f"{counted(guns, kind)} with {ammunition}{', raking,' if raking else ''} against the {where}"
    return OddsReport(title, _chances(ways), _laws(start, ways))


def firing_state(
    guns: int, target: ShipSheet, light: bool, raking: bool, hull: int | None, sails: int | None
) -> State:
    """Return the state in which so many cannons of one ship are about to fire at another one.

    Raises
    ------
    InvalidValueError
        If a number is impossible.
    """
    chart, hull = target.chart, target.chart.hull if hull is None else hull
    whole = Damage(chart.hull, chart.sails)
    most = whole if hull == chart.hull else chart.stripped(Damage(hull, chart.sails))
    damage = Damage(hull, most.sails if sails is None else sails)
    if not 1 <= guns <= MOST_GUNS:
        raise InvalidValueError(f"guns: {guns} is outside 1..{MOST_GUNS}")
    if not 1 <= hull <= chart.hull or not 0 <= damage.sails <= most.sails:
        raise InvalidValueError(
            f"hull, sails: {damage.hull} HF and {damage.sails} SF cannot be left: the {target.title} has "
            f"{chart.hull} HF and {chart.sails} SF (PW Damage Chart)"
        )
    fires = replace(target, guns=(Gun(0.0, 0.0, 90.0, is_light=light),) * guns)
    state = stage(fires, target, manned(target), rakes=raking)
    return state.change_ship(TARGET, hull=damage.hull, sails=damage.sails)


def _kept(state: State) -> Hashable:
    """Return what of a state matters for the odds; the owner's choices tell the rest."""
    return state.ships[TARGET], state.crews[TARGET], _exploded(state)


def _exploded(state: State) -> int:
    return sum(gun.is_lost for gun in state.ships[FIRES].guns)


def _counted(roll: PendingRoll[State], outcome: Outcome) -> int:
    if isinstance(roll, CriticalRoll):
        return _CRITICAL
    hits, *_ = map(int, outcome)  # type: ignore[arg-type]
    return hits


def _chances(ways: list[Way[State]]) -> dict[str, Fraction]:
    """Return the probability of each event."""

    def chance(of: Callable[[Way[State]], bool]) -> Fraction:
        return sum((way.chance for way in ways if of(way)), Fraction(0))

    def has_captain(state: State) -> bool:
        specs = state.setting.minifigs
        return any(specs[number].role is Role.CAPTAIN for number in state.crews[TARGET])

    return {
        "some hit": chance(lambda way: way.counted % _CRITICAL > 0),
        "a critical hit": chance(lambda way: way.counted >= _CRITICAL),
        "a cannon explodes": chance(lambda way: _exploded(way.state) > 0),
        "the target loses its rudder": chance(lambda way: way.state.ships[TARGET].rudder_lost),
        "the target loses its captain": chance(lambda way: not has_captain(way.state)),
        "the target has no sails left": chance(lambda way: not way.state.ships[TARGET].sails),
        "the target sinks": chance(lambda way: not way.state.ships[TARGET].hull),
    }


def _laws(start: State, ways: list[Way[State]]) -> dict[str, Distribution]:
    """Return the distribution of each number."""
    ship_before, crew = start.ships[TARGET], len(start.crews[TARGET])
    lines = ship_before.hull + ship_before.sails
    numbers: dict[str, Callable[[Way[State]], int]] = {
        "hits": lambda way: way.counted % _CRITICAL,
        "HF lost": lambda way: ship_before.hull - way.state.ships[TARGET].hull,
        "SF lost": lambda way: ship_before.sails - way.state.ships[TARGET].sails,
        "lines lost": lambda way: (
            lines - way.state.ships[TARGET].hull - way.state.ships[TARGET].sails
        ),
        "crew lost": lambda way: crew - len(way.state.crews[TARGET]),
    }
    return {
        name: distribution((number(way), way.chance) for way in ways)
        for name, number in numbers.items()
    }
