"""Odds: exact odds of cannons, attacks, morale and sharks, by the rolls of the game itself.

Two ships are put on an empty sea for the rolls between them. `ODDS` is what the command `odds` offers.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Literal

from brickphys.errors import InvalidValueError, unknown
from brickphys.geometry.pose import Pose
from brickphys.odds.answer import CardWords, OddsCard
from brickphys.odds.distribution import Distribution
from brickphys.pirate_wars.boarding_odds import board
from brickphys.pirate_wars.damage import CriticalRoll, captain
from brickphys.pirate_wars.firing import GunRoll
from brickphys.pirate_wars.morale import (
    effects_of_gravest,
    holding_faces_text,
    is_passed,
    shark_rolls,
    target_number,
)
from brickphys.pirate_wars.setting import Minifig, Setting, ShipSpec
from brickphys.pirate_wars.sheets import (
    ROLES,
    Allegiance,
    Ammunition,
    Damage,
    Gun,
    Role,
    ShipPlace,
    ShipSheet,
    WeaponSheet,
    minifigs,
    ship,
    ships,
)
from brickphys.pirate_wars.state import MinifigState, MoraleCause, Phase, ShipState, State
from brickphys.rules.action_odds import Branch, merged_branches, rolled_branches
from brickphys.rules.events import Outcome
from brickphys.rules.report.parts import OddsReport, distribution, swap_hint
from brickphys.rules.turn_state import PendingRoll
from brickphys.text import counted, percent, spoken
from brickphys.vehicles.scene import Bounds

_FACES = 6


def hit_chance(target: int) -> Fraction:
    """Return the chance that a die shows its target number or less; a six always fails (PW Introduction)."""
    return Fraction(min(target, _FACES - 1), _FACES)


def bearing(guns: Iterable[Gun]) -> dict[tuple[str, bool], int]:
    """Return how many cannons fire over a side together, most first; of port and starboard the stronger one counts.

    The keys are words for the side, and whether the cannons are light.
    """
    found: dict[tuple[str, bool], int] = {}
    groups = Counter((gun.side, gun.is_light) for gun in guns)
    for (where, is_light), count in groups.most_common():
        words = "a side" if where in ("port", "starboard") else f"the {where}"
        found.setdefault((words, is_light), count)
    return found


FIRES, TARGET = 0, 1
"""The numbers of the ship that fires and of its target."""
_AT_STUDS, _GAP_STUDS = 200.0, 4.0
_Crew = Sequence[tuple[Minifig, MinifigState]]


def stage(fires: ShipSheet, target: ShipSheet, crew: _Crew, *, rakes: bool) -> State:
    """Return two ships, of which the target alone has a crew, in the phase of tasks.

    With `rakes` the one crosses the bow of the other; else they lie side by side.
    """
    ahead = target.length_studs / 2 + fires.width_studs / 2 + _GAP_STUDS
    beside = (target.width_studs + fires.width_studs) / 2 + _GAP_STUDS
    pose = Pose(ahead, 0.0, 90.0) if rakes else Pose(0.0, beside, 0.0)
    setting = Setting(
        digest="",
        players=("fires", "target"),
        sea=Bounds(2 * _AT_STUDS, 2 * _AT_STUDS),
        wind_deg=0.0,
        teams=(FIRES, TARGET),
        ships=(ShipSpec("fires", FIRES, fires), ShipSpec("target", TARGET, target)),
        minifigs=tuple(spec for spec, _ in crew),
    )
    return State(
        setting=setting,
        ships=(_ship(FIRES, fires, pose), _ship(TARGET, target, Pose(0.0, 0.0, 0.0))),
        minifigs=tuple(now for _, now in crew),
        round=1,
        phase=Phase.TASKS,
        order=(FIRES, TARGET),
    )


def _ship(number: int, sheet: ShipSheet, pose: Pose) -> ShipState:
    x, y, heading_deg = pose
    return ShipState.undamaged(sheet, number, Pose(x + _AT_STUDS, y + _AT_STUDS, heading_deg))


def manned(sheet: ShipSheet) -> _Crew:
    """Return the full crew of the target: two hands at each gun as far as they suffice, all others on deck."""
    roles = [role for role, count in sheet.full_crew.items() for _ in range(count)]
    guns = [gun for gun in range(len(sheet.guns)) for _ in range(sheet.room(ShipPlace.GUN))]
    crew = []
    for number, role in enumerate(roles):
        spec = Minifig(f"minifig_{number}", TARGET, role, TARGET)
        mans = guns and spec.sheet.reloads_cannons and spec.weapon is None
        spot = (ShipPlace.GUN, guns.pop(0)) if mans else (ShipPlace.DECK, None)
        crew.append((spec, MinifigState(TARGET, *spot)))
    return crew


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
    ways = [Branch(start, 0, Fraction(1))]
    for gun in range(guns):
        roll = GunRoll(FIRES, gun, Ammunition(ammunition), TARGET)
        ways = rolled_branches(ways, roll, _kept, _counted)  # the owner loses hands before officers
    kind = "light cannon" if light else "cannon"
    before = start.ships[TARGET].damage
    where = f"{ship(target).title} with {before.hull} HF and {before.sails} SF"
    title = f"{counted(guns, kind)} with {ammunition}{', raking,' if raking else ''} against the {where}"
    return OddsReport(title, _chances(ways), _laws(start, ways))


def firing_state(
    guns: int, target: ShipSheet, light: bool, raking: bool, hull: int | None, sails: int | None
) -> State:
    """Return the state in which so many cannons of one ship are about to fire at another one.

    InvalidValueError if a number is impossible.
    """
    chart, hull = target.chart, target.chart.hull if hull is None else hull
    most = chart.sails if hull == chart.hull else chart.stripped(Damage(hull, chart.sails)).sails
    sails = most if sails is None else sails
    _check_number("guns", guns, MOST_GUNS)
    if not 1 <= hull <= chart.hull or not 0 <= sails <= most:
        raise InvalidValueError(
            f"hull, sails: {hull} HF and {sails} SF cannot be left: the {target.title} has "
            f"{chart.hull} HF and {chart.sails} SF (PW Damage Chart)"
        )
    fires = replace(target, guns=(Gun(0.0, 0.0, 90.0, is_light=light),) * guns)
    state = stage(fires, target, manned(target), rakes=raking)
    return state.change_ship(TARGET, hull=hull, sails=sails)


def _check_number(name: str, value: int, most: int, section: str = "") -> None:
    if not 1 <= value <= most:
        raise InvalidValueError(f"{name}: {value} is outside 1..{most}{section}")


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


def _chances(ways: list[Branch[State]]) -> dict[str, Fraction]:
    def chance(of: Callable[[Branch[State]], bool]) -> Fraction:
        return sum((way.chance for way in ways if of(way)), Fraction(0))

    return {
        "some hit": chance(lambda way: way.counted % _CRITICAL > 0),
        "a critical hit": chance(lambda way: way.counted >= _CRITICAL),
        "a cannon explodes": chance(lambda way: _exploded(way.state) > 0),
        "the target loses its rudder": chance(lambda way: way.state.ships[TARGET].rudder_lost),
        "the target loses its captain": chance(lambda way: captain(way.state, TARGET) is None),
        "the target has no sails left": chance(lambda way: not way.state.ships[TARGET].sails),
        "the target sinks": chance(lambda way: not way.state.ships[TARGET].hull),
    }


def _laws(start: State, ways: list[Branch[State]]) -> dict[str, Distribution]:
    before, crew = start.ships[TARGET], len(start.crews[TARGET])
    numbers: dict[str, Callable[[Branch[State]], int]] = {
        "hits": lambda way: way.counted % _CRITICAL,
        "HF lost": lambda way: before.hull - way.state.ships[TARGET].hull,
        "SF lost": lambda way: before.sails - way.state.ships[TARGET].sails,
        "lines lost": lambda way: numbers["HF lost"](way) + numbers["SF lost"](way),
        "crew lost": lambda way: crew - len(way.state.crews[TARGET]),
    }
    return {
        name: distribution((number(way), way.chance) for way in ways)
        for name, number in numbers.items()
    }


def attack(
    attacker: Annotated[str, "Who attacks: a ship, or a minifig such as marine."],
    defender: Annotated[str, "Who is attacked: a ship, or a minifig."],
    range: Annotated[float | None, "Distance in studs; then only shots count."] = None,  # noqa: A002
    cover: Annotated[bool, "The target is in a cabin or on the gun deck."] = False,
    ammunition: Annotated[Literal["ball", "shot"], "Ammunition of the cannons."] = "ball",
    raking: Annotated[bool, "Fire from dead ahead or astern, where shot counts twice."] = False,
) -> OddsReport:
    """Compute a boarding, or shots with --range (PW Boarding).

    Ships have their full crews. With --range, a ship fires all cannons of its stronger side (PW Firing).

    Example: brickphys odds pirate_wars attack black_pearl imperial_flagship --range 8
    """
    for name in (attacker, defender):
        if name not in ships() and name not in ROLES:
            raise unknown("ship or minifig", name, [*ships(), *ROLES])
    by_ship = attacker in ships()
    if by_ship != (defender in ships()):
        raise InvalidValueError(
            f"{attacker} and {defender}: name two ships or two minifigs; a ship and a minifig have no roll (PW Tasks)"
        )
    if by_ship and cover:
        raise InvalidValueError(f"--cover: {defender} is a ship, which has no cover (PW Firing)")
    kind = Ammunition(ammunition)
    if not by_ship and (raking or kind is not Ammunition.BALL):
        raise InvalidValueError(
            "--ammunition and --raking apply to cannons: name ships (PW Firing)"
        )
    if range is None:
        if cover or raking or kind is not Ammunition.BALL:
            raise InvalidValueError(
                "--cover, --ammunition and --raking change shots only: give --range (PW Firing)"
            )
        return board(_crew(attacker), _crew(defender))
    if not range >= 0.0:
        raise InvalidValueError(f"--range: {range:g} is below 0")
    if not by_ship:
        return _shot(attacker, defender, range, cover=cover)
    (_, is_light), count = next(iter(bearing(ship(attacker).guns).items()))
    _check_range(f"a cannon with {ammunition}", minifigs().cannons[is_light, kind], range)
    return broadside(count, ammunition, defender, light=is_light, raking=raking)


def _crew(name: str) -> str:
    """Return a ship or a minifig as the odds of boardings name crews."""
    return name if name in ships() else f"{name}=1"


def _shot(attacker: str, defender: str, range_studs: float, *, cover: bool) -> OddsReport:
    sheet = minifigs().roles[ROLES[attacker]]
    if sheet.weapon is None:
        armed = ", ".join(name for name, role in ROLES.items() if minifigs().roles[role].weapon)
        shoots = minifigs().roles[ROLES[defender]].weapon is not None
        hint = swap_hint(attacker, defender, shoots=shoots)
        raise InvalidValueError(
            f"a {attacker} has no weapon that shoots; these have: {armed} (PW Firing){hint}"
        )
    weapon = minifigs().weapons[sheet.weapon]
    _check_range(f"a {sheet.weapon}", weapon, range_studs)
    hits = hit_chance(0 if cover else sheet.attack)  # who is not seen is not hit
    where = " below deck" if cover else ""
    return OddsReport(
        f"{attacker} with a {sheet.weapon}, {counted(weapon.dice, 'die', 'dice')}, "
        f"target number {sheet.attack}, against a {defender}{where}",
        {"the shot hits": hits, "it misses": 1 - hits},
    )


def _check_range(what: str, weapon: WeaponSheet, range_studs: float) -> None:
    if range_studs > weapon.range_studs:
        raise InvalidValueError(
            f"--range: {range_studs:g} is beyond the range of {what}, {weapon.range_studs:g} studs (PW Firing)"
        )


_MOST_ATTACK = 6


def morale(
    attack: Annotated[int, "The highest Attack of the crew aboard: 5 with a captain."] = 5,
    cause: Annotated[
        tuple[Literal["adrift", "boarding", "captain", "half_crew"], ...],
        "Cause of the test; give it several times for several causes.",
    ] = ("boarding",),
) -> OddsReport:
    """Compute a test of morale and its effects (PW, Morale Chart)."""
    _check_number("attack", attack, _MOST_ATTACK, " (PW, Minifig Chart)")
    if not cause:
        raise InvalidValueError(
            "cause: give one, since a crew is tested only for a cause (PW Morale)"
        )
    causes = [each for each in MoraleCause if each.value in cause]
    target = target_number(attack, causes)
    holds = Fraction(sum(is_passed(face, target) for face in range(1, _FACES + 1)), _FACES)
    effect = " or ".join(each.value for each in effects_of_gravest(causes))
    words = ", ".join(spoken(each.value) for each in causes)
    title = f"Attack {attack}, {words}: {holding_faces_text(target)}"
    return OddsReport(title, {"the crew holds": holds, effect: 1 - holds})


MOST_MINIFIGS, MOST_TURNS = 40, 20


def sharks(
    minifigs: Annotated[int, "Minifigs in the water, 1 to 40, including a captain."] = 8,
    captain: Annotated[bool, "One of them is a pirate captain, who is eaten last."] = False,
    turns: Annotated[int, "Turns in the water, 1 to 20."] = 1,
) -> OddsReport:
    """Compute how many minifigs in the water are eaten (PW Morale)."""
    _check_number("minifigs", minifigs, MOST_MINIFIGS)
    _check_number("turns", turns, MOST_TURNS)
    ways = [Branch(swimmers(minifigs, captain=captain), 0, Fraction(1))]
    for _ in range(turns):
        ways = merged_branches((after for way in ways for after in _turn(way)), _swimming)
    eaten = distribution((minifigs - sum(_swimming(way.state)), way.chance) for way in ways)
    chances = {
        "nobody is eaten": eaten.get(0, Fraction(0)),
        "all are eaten": eaten.get(minifigs, Fraction(0)),
    }
    who = counted(minifigs, "minifig") + (", a captain of pirates among them," if captain else "")
    return OddsReport(f"{who} in the water for {counted(turns, 'turn')}", chances, {"eaten": eaten})


def _turn(way: Branch[State]) -> list[Branch[State]]:
    ways = [way]
    for roll in shark_rolls(way.state):
        ways = rolled_branches(ways, roll, _swimming)
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
    pirate = next(sheet for sheet in ships().values() if sheet.side is Allegiance.PIRATE)
    roles = [Role.CAPTAIN] * captain + [Role.PIRATE] * (minifigs - captain)
    wet = MinifigState(None, ShipPlace.WATER, at_studs=(0.0, 0.0))
    crew = [
        (Minifig(f"{role.value}_{number}", TARGET, role, TARGET), wet)
        for number, role in enumerate(roles)
    ]
    return stage(pirate, pirate, crew, rakes=False)


_MOST_CANNONS = 4
"""The cannons of the largest ship over a side."""
_MOST_HITS = 7


def odds_card() -> OddsCard:
    """Return the chances of at least one hit, two and more of one to four cannons, with ball and with shot."""
    names, chances = list[str](), list[tuple[Fraction, ...]]()
    for ammunition in Ammunition:
        cannon = minifigs().cannons[False, ammunition]
        for count in range(1, _MOST_CANNONS + 1):
            law = Distribution.binomial(count * cannon.dice, hit_chance(cannon.target or 0))
            names.append(f"{count} {ammunition.value}")
            chances.append(tuple(law.at_least(hits) for hits in range(1, _MOST_HITS + 1)))
    columns = tuple(f"{hits}+" for hits in range(1, _MOST_HITS + 1))
    words = CardWords(
        "How many hits?",
        "cannons, ball or shot",
        "at least so many hits",
        "",
        (_ranges(), _hands()),
    )
    return OddsCard(words, tuple(names), columns, tuple(chances))


def _ranges() -> str:
    """Return how far cannons reach, and what their hits do (PW Firing)."""
    shot, ball = (minifigs().cannons[False, one].range_studs for one in Ammunition)
    return (
        f"Ball reaches {ball:g} studs, shot {shot:g}; shot takes sails only, double if it rakes. "
        "Three hits of one cannon with ball are critical, three sixes burst it."
    )


def _hands() -> str:
    """Return how likely muskets and pistols hit."""
    armed = {
        role.value: percent(float(hit_chance(sheet.attack)), 0)
        for role, sheet in minifigs().roles.items()
        if sheet.weapon
    }
    reach = next(iter(minifigs().weapons.values())).range_studs
    told = ", ".join(f"{name} {chance}" for name, chance in armed.items())
    return f"A musket or pistol reaches {reach:g} studs and hits by its minifig: {told}."


ODDS: Mapping[str, Callable[..., OddsReport]] = {
    "attack": attack,
    "broadside": broadside,
    "board": board,
    "morale": morale,
    "sharks": sharks,
}
