"""Bot: the estimated value of an unfinished battle for each player; no rule.

Hull, sails and crews that are left count most. Dice that are ordered or about to be rolled count with their expected
result, so that a search may stop before them. These count a little: being near an enemy or an aim after the next leap,
guns that bear, not lying in irons, and not sailing off the sea.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import dist, hypot

from brickphys.geometry.polygon import Point
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars import sailing
from brickphys.pirate_wars.boarding import BoardingOrder, full_strength, strength
from brickphys.pirate_wars.damage import Casualty
from brickphys.pirate_wars.firing import GunRoll, bearing_hits, coming_shots, mean_hits
from brickphys.pirate_wars.orders import free
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.sheets import Ammunition, sailing_chart
from brickphys.pirate_wars.state import SAILING_PLACES, Life, ShipState, State
from brickphys.pirate_wars.tasks import ORDERS, sails_with
from brickphys.rules.aims import Circle, Placed, balance, common_areas, errands, position_value

HULL, SAIL, MELEE = 3.0, 1.0, 0.25
"""Worth of a hull line, of a sail line, and of a point of Melee of the crew."""
WEAK = 0.3
"""Worth of a ship that flees or has no crew, and of a minifig in the water, as a share of the full worth."""
BEARS = 0.03
"""Worth for a team of a hit that its guns should score now."""
IRONS, OFF_SEA = 0.02, 0.6
"""Loss of a team with a ship in irons, and with one that cannot stay on the sea."""
RAMS, GRAPPLES = 0.5, 0.16
"""Share of what a ram should bring that counts for a ship that points at an enemy; worth of being near a weak crew."""
_MEAN_FACE, _LOOKS_AHEAD, _TURNS_AHEAD = 3.5, 0.5, 3


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, about -1 to 1."""
    setting, units = state.setting, _placed(state)
    worth = balance(_strength(state))
    chances = dict.fromkeys(worth, 0.0)
    for number, ship in state.afloat:
        chances[setting.teams[ship.owner]] += _course_value(state, number, ship)
    for order in state.orders:
        chances[setting.teams[state.writer(order)]] += ORDERS[order.task].worth(state, order)
    total, others = sum(chances.values()), max(len(worth) - 1, 1)
    for team, own in chances.items():
        worth[team] += own - (total - own) / others + _position(setting, team, units)
    return tuple(worth[team] for team in setting.teams)


def _strength(state: State) -> dict[int, float]:
    """Return what each team should have left after all dice that are ordered or about to be rolled."""
    setting = state.setting
    left = dict.fromkeys(sorted(set(setting.teams)), 0.0)
    for (team, worth), minifig in zip(_crew_worth(setting), state.minifigs, strict=True):
        if minifig.life is Life.ALIVE:
            left[team] += worth if minifig.ship is not None else WEAK * worth
    for number, ship in state.afloat:
        left[setting.teams[ship.owner]] += _ship_worth(state, number, ship)
    for target, loss in (*_casualties(state), *_gunfire(state), *_fights(state)):
        left[state.team(target)] -= loss
    return {team: max(points, 0.0) for team, points in left.items()}


@lru_cache(maxsize=64)
def _crew_worth(setting: Setting) -> tuple[tuple[int, float], ...]:
    """Return the team of each minifig, and its worth."""
    worth = (MELEE * one.sheet.melee for one in setting.minifigs)
    return tuple(zip(setting.minifig_teams, worth, strict=True))


def _ship_worth(state: State, number: int, ship: ShipState) -> float:
    """Return the worth of a ship without its crew, with the sails that its hands will keep or set."""
    if not ship.hull:
        return 0.0
    worth = HULL * ship.hull + SAIL * _sails(state, number)
    return WEAK * worth if ship.is_fleeing or not state.crews[number] else worth


def _sails(state: State, number: int) -> int:
    """Return the sails at the end of the turn, if nobody has to reload a weapon (PW Sailing)."""
    specs, now = state.setting.minifigs, state.minifigs
    hands = sum(
        now[one].place in SAILING_PLACES and specs[one].sheet.sails
        for one in free(state, state.crews[number])
    )
    return sails_with(state, number, hands)


def _casualties(state: State) -> Iterator[tuple[int, float]]:
    """Yield the ships whose owners are asked for casualties, with the least that these are worth."""
    for question in state.pending:
        if isinstance(question, Casualty):
            yield question.ship, MELEE * question.count


def _gunfire(state: State) -> Iterator[tuple[int, float]]:
    """Yield the targets of shots that are ordered or about to be rolled, with what they should lose."""
    for shot in coming_shots(state):
        if isinstance(shot, GunRoll):
            hits = mean_hits(state, shot.ship, shot.gun, shot.ammunition)
            yield shot.target, hits * _line_worth(state.ships[shot.target], shot.ammunition)
        else:
            yield shot.target, MELEE * min(state.setting.minifigs[shot.minifig].attack, 5) / 6


def _line_worth(ship: ShipState, ammunition: Ammunition) -> float:
    """Return the worth of the next line that is crossed off, with the minifig that it costs."""
    if ammunition is Ammunition.SHOT:
        return SAIL + MELEE if ship.sails else 0.0
    return MELEE + (SAIL if ship.sails > ship.hull else (HULL + SAIL) / 2)


def _fights(state: State) -> Iterator[tuple[int, float]]:
    """Yield the ships that fight or may at any time, lashed together, with what a round should cost them."""
    ordered = {(o.ship, o.target or 0) for o in state.orders if o.task == BoardingOrder.word}
    for pair in ordered.union(state.lashed):
        if len({state.team(ship) for ship in pair}) < 2:
            continue
        for ship, other in (pair, pair[::-1]):
            own, theirs = strength(state, ship), strength(state, other)
            crew = len(state.crews[ship])
            lost = min(_MEAN_FACE + max(theirs - own, 0), crew)
            yield ship, MELEE * own * lost / max(crew, 1)
            if lost == crew:
                yield ship, _ship_worth(state, ship, state.ships[ship])


def _course_value(state: State, number: int, ship: ShipState) -> float:
    """Return the worth of a ship's heading, of its guns, and of the enemies near it."""
    value = BEARS * bearing_hits(state, number) - IRONS * sailing.is_in_irons(state, number)
    value -= OFF_SEA * (not sailing.stays_on_sea(state, number, _TURNS_AHEAD))
    length = state.sheet(number).length_studs
    for enemy, its in state.enemies(ship.owner):
        far = length + state.sheet(enemy).length_studs
        near = 1.0 - dist(its.centre_studs, ship.centre_studs) / far
        if near > 0.0:
            own, theirs = full_strength(state, number), full_strength(state, enemy)
            value += GRAPPLES * near * (own - theirs) / max(own + theirs, 1)
            value += RAMS * _ram_value(state, number, enemy)
    return value


def _ram_value(state: State, number: int, enemy: int) -> float:
    """Return what a ship's team should win or lose if its next leap, straight ahead, rams an enemy in its way."""
    ship, specs = state.ships[number], state.setting.ships
    ahead, left = ship.pose.in_frame(state.ships[enemy].centre_studs)
    way = specs[number].sheet.width_studs / 2 + specs[enemy].sheet.radius_studs
    if ahead < 0.0 or abs(left) > way or state.is_lashed(number):
        return 0.0
    after, team = sailing.begin_move(state, number), state.setting.teams[ship.owner]
    if len(after.lashed) == len(state.lashed):
        return 0.0
    return balance(_strength(after))[team] - balance(_strength(state))[team]


def _next_studs(state: State, number: int) -> Point:
    """Return where the middle of a ship is after a share of its next leap, or of its drift."""
    ship, sheet = state.ships[number], state.sheet(number)
    leap = min(sheet.length_studs, sheet.chart.speed_studs(ship.damage))
    studs, way_deg = leap, ship.heading_deg
    if not ship.sails or ship.rudder_lost or sailing.is_in_irons(state, number):
        studs, way_deg = sailing_chart().drift_studs, state.setting.wind_deg
    return Pose(ship.x_studs, ship.y_studs, way_deg).on_field((_LOOKS_AHEAD * studs, 0.0))


def _placed(state: State) -> tuple[Placed[Point], ...]:
    """Return where the ships with a crew are after their next leaps."""
    setting = state.setting
    ships = ((number, ship.owner) for number, ship in state.afloat if state.crews[number])
    return tuple(
        Placed(
            setting.teams[owner], _next_studs(state, number), None, _errand(setting, number, owner)
        )
        for number, owner in ships
    )


@lru_cache(maxsize=1024)
def _errand(setting: Setting, ship: int, owner: int) -> tuple[Point, ...]:
    """Return the middles of the areas to which a ship alone should sail."""
    if setting.teams[owner] != setting.teams[setting.ships[ship].player]:
        return ()
    return tuple(area.centre for area in errands(setting.aims, setting.teams[owner], ship, ()))


@lru_cache(maxsize=1024)
def _position(setting: Setting, team: int, units: tuple[Placed[Point], ...]) -> float:
    areas: list[Circle] = common_areas(setting.aims, team)
    size = hypot(setting.sea.width_studs, setting.sea.height_studs)
    way = sailing.way_studs(setting.wind_deg)
    goals = [area.centre for area in areas]
    return position_value(team, units, goals, way, size, lambda *_: False)
