"""Courses: every way of a ship on its move, as the states at its end, and what each end is worth to its team.

An end is exact: what was rammed, who leaves the sea. Its worth adds, to the points of all, the best answer of each
enemy who moves later in this turn, guns and muskets that bear now, and the rams of the next turn, whose first leap is
forced. Half of that counts for either side: initiative is rolled anew.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from math import dist, hypot
from typing import NamedTuple

import numpy as np

from brickphys.geometry.pose import Pose
from brickphys.pirate_wars import sailing
from brickphys.pirate_wars.damage import visible
from brickphys.pirate_wars.firing import musket_studs
from brickphys.pirate_wars.helm import points, reach
from brickphys.pirate_wars.helm.contact import marines
from brickphys.pirate_wars.helm.passages import turns_to
from brickphys.pirate_wars.helm.reach import Gains
from brickphys.pirate_wars.orders import in_contact, touched
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.state import Phase, State
from brickphys.pirate_wars.worth import Balance, crew_sums, ship_sums
from brickphys.rules.aims import Circle, Reach
from brickphys.rules.plans import Effort

_STEP_DEG, _WIDE_DEG, _COARSE_DEG = 15, 30, 45
"""Turns are tried so far apart: the last one of a move, and those before; those that are tried first."""
NEXT_TURN = 0.45
"""Weight of what a ship can do in the next turn if it moves first: that happens half of the time."""
SECOND = 0.25
"""Weight of what it can do if it moves second, to an enemy who has only leapt straight ahead."""
_LEAST_OPEN = 0.1
"""Least weight of places in a battle that is nearly decided."""
_IRONS, _RAMS_FRIEND, _TOUCHES_FRIEND = 0.04, 0.3, 0.15
"""Loss of a ship in irons, of a ram among friends, and of friends that stop each other."""
SEA_TURNS = 5
"""For how many turns a ship must be able to stay on the sea."""
_LEAVES = 0.6
"""Least loss of a ship that leaves the sea, however bad the battle stands."""
_LEE, _LEE_LENGTHS = 0.15, 2.5
"""Loss at the border to leeward, and at how many lengths from it there is none: a ship that an enemy hinders there is
driven off the sea."""
_HUNT, _NEAR, _RUNS = 0.012, 0.003, 0.015
"""Loss by a turn of the way to the carrier of an enemy's aim, and to any prey; gain by a way from others as long as the
sea is across."""
_PLACES = 9
"""At how many places on its way a carrier may be met."""
_ASIDE_STUDS = 100.0
"""A straight way to a prey that counts as a turn, so that a ship that beats to windward does not go far aside."""


class Course(NamedTuple):
    """A way of a ship on its move."""

    swings: tuple[sailing.Swing, ...]
    """Its turns, one after each leap."""
    end: State
    """The state after its move."""


def courses(state: State, ship: int, effort: Effort) -> list[Course]:
    """Return the courses of the ship on its move that end in different poses, straight ahead first.

    Those of few and wide turns come next, so that a small budget sees the whole sea.
    """
    straight = Course((), state)
    while _moves(straight.end, ship):
        straight = _turned(straight, 0.0)
    found, queue, made = {_pose(straight, ship): straight}, [(0, 0, Course((), state))], 0
    while queue and effort.spend():
        narrow, _, course = heappop(queue)
        if not _moves(course.end, ship):
            found.setdefault(_pose(course, ship), course)
            continue
        for angle in _angles(course.end, ship):
            made += 1
            cost = narrow + bool(angle % _COARSE_DEG)
            heappush(queue, (cost, made, _turned(course, angle)))
    return list(found.values())


def _moves(state: State, ship: int) -> bool:
    return state.active == ship and state.phase is Phase.MOVEMENT


def _turned(course: Course, angle_deg: float) -> Course:
    swing = sailing.Swing(angle_deg)
    return Course((*course.swings, swing), swing.apply(course.end))


def _pose(course: Course, ship: int) -> tuple[float, float, float, int]:
    """Return by what courses differ: the pose of the ship, and its hull."""
    now = course.end.ships[ship]
    return round(now.x_studs, 1), round(now.y_studs, 1), round(now.heading_deg), now.hull


def _angles(state: State, ship: int) -> list[float]:
    """Return the turns that are tried, 0 first."""
    listed = sailing.listed_deg(state, ship, state.may_turn_deg)
    if 2 * state.left_studs > state.sheet(ship).length_studs:
        listed = [one for one in listed if one % _STEP_DEG or not one % _WIDE_DEG]
    return sorted({0.0, *listed}, key=abs)


class Outlook:
    """What the ends of a ship's move are worth to its team.

    Parameters
    ----------
    state
        Before the move, or before the ship falls off.
    ship
        Its number.
    depth
        1 if enemies are taken to stay where they are, 2 or more if they answer.

    Attributes
    ----------
    enemies : list of Enemy
        Those with a crew.
    prey : frozenset of int
        The numbers of those whom it is good to ram or to touch.
    """

    def __init__(self, state: State, ship: int, depth: int = 2) -> None:
        self.state, self.ship, self._depth = state, ship, depth
        self.team = state.team(ship)
        self._balance = Balance.of(state, self.team)
        self.now = self._balance.worth
        crew = crew_sums(state.setting, state.crews[ship])
        lost = self.now - self._balance.less(ship_sums(state, ship).plus(crew))
        self._worth_of_ship = max(lost, _LEAVES)
        self._row = reach.ship(state, ship)
        self.enemies = [
            Enemy(number, reach.ship(state, number), self._gains(number))
            for number, enemy in state.enemies(state.ships[ship].owner)
            if enemy.hull and state.crews[number]
        ]
        self.prey = frozenset(
            enemy.number
            for enemy in self.enemies
            if max(enemy.gains.rams, enemy.gains.rams_second, enemy.gains.touches) > 0.0
        )

    def values(self, ends: Sequence[State]) -> list[float]:
        """Return the worth of each end of the move, from about -1 to 1; what others stop is not yet looked at."""
        found = [self._settled(end) for end in ends]
        for enemy in self.enemies:
            poses, among = [], []
            for number, end in enumerate(ends):
                if end.ships[self.ship].is_afloat and not end.is_lashed(self.ship):
                    poses.append(end.ships[self.ship].pose)
                    among.append(number)
            if poses:
                for number, value in zip(among, self._met(enemy, poses), strict=True):
                    found[number] += value
        return found

    def losses(self, end: State) -> float:
        """Return what an end loses by the sea and by friends, which takes longer to find."""
        ship, now = self.ship, end.ships[self.ship]
        if not now.is_afloat or end.is_lashed(ship):
            return 0.0
        lost = friendly_loss(end, ship)
        if not sailing.stays_on_sea(end, ship, SEA_TURNS):
            lost += self._worth_of_ship
        return lost

    def _gains(self, enemy: int) -> Gains:
        """Return what can happen between the ship and an enemy."""
        state, ship, balance = self.state, self.ship, self._balance
        # who moves first in the next turn is tested first, too
        rams = self._contact(ship, enemy, 0)
        is_rammed = self._contact(enemy, ship, 1)
        killed, fallen = (
            points.CREW.times(kills(state, *pair)) for pair in ((ship, enemy), (enemy, ship))
        )
        return Gains(
            rams=rams,
            is_rammed=is_rammed,
            hit=balance.less(other=points.LINE) - self.now,
            is_hit=balance.less(points.LINE) - self.now,
            muskets=balance.less(other=killed) - self.now,
            is_shot=balance.less(fallen) - self.now,
            next_own=NEXT_TURN,
            next_other=NEXT_TURN,
            musket_studs=musket_studs(),
            touches=self._contact(ship, enemy, rams=False),
            rams_second=self._contact(ship, enemy, 1),
            is_rammed_second=self._contact(enemy, ship, 0),
            second=SECOND,
        )

    def _contact(
        self, mover: int, other: int, order: int | None = None, *, rams: bool = True
    ) -> float:
        """Return what the ship's team gains if one of the ship and an enemy rams or touches the other one."""
        state, own = self.state, int(mover != self.ship)
        return (
            points.met_worth(state, self._balance, mover, other, own, order, rams=rams) - self.now
        )

    def _settled(self, end: State) -> float:
        """Return the worth of an end without what enemies do from afar."""
        ship, now = self.ship, end.ships[self.ship]
        balance = self._balance.moved(end, self.team)
        if _has_changed(self.state, end):
            balance = Balance.of(end, self.team)
        total = worth = balance.worth
        if not now.is_afloat:
            return worth - _LEAVES
        for enemy in touched(end, ship):
            if moves_later(self.state, enemy) and not end.is_lashed(enemy):
                continue  # its answer counts
            total += points.pair_worth(end, ship, enemy, balance).worth - worth
        for pair in set(end.lashed) - set(self.state.lashed):
            total -= _RAMS_FRIEND * (end.team(pair[0]) == end.team(pair[1]))
        if end.phase is not Phase.MOVEMENT and sailing.is_in_irons(end, ship):
            total -= _IRONS
        total -= lee_loss(end, ship)
        return total + place_value(end, ship, self.team, self.now, self.prey)

    def _met(self, enemy: "Enemy", poses: Sequence[Pose]) -> Sequence[float]:
        """Return what an enemy adds to the worth of poses."""
        state, its = self.state, self.state.ships[enemy.number]
        if state.is_lashed(enemy.number):
            return [0.0] * len(poses)
        rammed, row = None, enemy.row
        if self._depth >= 2 and moves_later(state, enemy.number):
            order = points.first_of(state, self.ship, enemy.number)
            rammed = self._contact(enemy.number, self.ship, order)
            if its.is_adrift:
                row = row._replace(row=row.row * (1.0, 1.0, 0.0, 1.0))
        found = reach.poses_worth(
            state.setting,
            poses,
            self._row,
            its.pose,
            row,
            enemy.gains,
            rammed,
            may_fall_off=state.phase is Phase.MOVEMENT,
        )
        values: list[float] = found.tolist()
        return values


class Enemy(NamedTuple):
    """An enemy of a ship on its move."""

    number: int
    row: reach.Ship
    gains: Gains


def _has_changed(before: State, after: State) -> bool:
    """Whether lines, crews or owners have changed."""
    if before.minifigs != after.minifigs or after.pending != before.pending:
        return True
    pairs = zip(before.ships, after.ships, strict=True)
    return any((a.hull, a.sails, a.fate) != (b.hull, b.sails, b.fate) for a, b in pairs)


def moves_later(state: State, ship: int) -> bool:
    """Whether a ship has its move of this turn still before it."""
    if state.phase is not Phase.MOVEMENT or ship in state.done or state.active == ship:
        return False
    owner = state.ships[ship].owner
    return owner in state.order and state.order.index(owner) >= state.turn


def kills(state: State, ship: int, enemy: int) -> float:
    """Return how many of an enemy's crew the muskets of marines, who have nothing else to do, should hit at 4 studs."""
    specs = state.setting.minifigs
    hits = sum(min(specs[one].attack, 5) / 6 for one in marines(state, ship))
    return min(hits, float(len(visible(state, enemy))))


def friendly_loss(state: State, ship: int) -> float:
    """Return what it loses that a ship and friends are in each other's way: their next leaps are forced."""
    team, own = state.team(ship), state.ships[ship]
    friends = [
        number
        for number, one in state.afloat
        if number != ship and state.team(number) == team and one.hull
    ]
    loss = 0.0
    for number in friends:
        length = state.sheet(number).length_studs + state.sheet(ship).length_studs
        if dist(state.ships[number].centre_studs, own.centre_studs) <= 1.5 * length:
            pairs = (number, ship), (ship, number)
            loss += max(_leap_loss(state, mover, other) for mover, other in pairs)
            loss += _TOUCHES_FRIEND * in_contact(state, ship, number)
    return loss


def _leap_loss(state: State, mover: int, other: int) -> float:
    """Return what the next forced leap of a ship loses if it rams a friend, or if that stops it."""
    now = state.ships[mover]
    adrift = now.is_adrift if moves_later(state, mover) else sailing.is_adrift(state, mover)
    if adrift or not state.crews[mover]:
        return 0.0
    fresh = state.replaced({"active": None, "pending": ()}).change_ship(mover, is_adrift=False)
    leap = min(state.sheet(mover).length_studs, sailing.speed_studs(fresh, mover))
    after = sailing.begin_move(fresh, mover)
    if (min(mover, other), max(mover, other)) in set(after.lashed) - set(state.lashed):
        return _RAMS_FRIEND
    there = after.ships[mover]
    is_stopped = there.is_afloat and dist(there.centre_studs, now.centre_studs) < leap - 1.0
    return _TOUCHES_FRIEND if is_stopped and in_contact(after, mover, other) else 0.0


def lee_loss(state: State, ship: int) -> float:
    """Return what a ship loses by the border of the sea to leeward of it."""
    now, sea = state.ships[ship], state.setting.sea
    reach = _LEE_LENGTHS * state.sheet(ship).length_studs
    x, y = Pose(now.x_studs, now.y_studs, state.setting.wind_deg).on_field((reach, 0.0))
    beyond = max(-x, x - sea.width_studs, -y, y - sea.height_studs, 0.0)
    return _LEE * beyond / reach


def place_value(state: State, ship: int, team: int, worth: float, prey: Collection[int]) -> float:
    """Return the worth of the place of a ship that has no errand: its way to an enemy with one, or to any enemy.

    `worth` is that of the battle to the team. The prey are enemies whom it is good to ram or to touch; a ship keeps
    away from others if there are none.
    """
    setting, now = state.setting, state.ships[ship]
    if any(aim.team == team for aim in errands(setting, ship)):
        return 0.0  # the worth counts its way
    open_share = max(1.0 - worth * worth, _LEAST_OPEN)
    enemies = [number for number, _ in state.enemies(now.owner) if state.crews[number]]
    wanted = [number for number in enemies if number in prey]
    hunted = [
        meeting_turns(state, ship, number, aim.area.centre)
        for number in wanted or enemies
        for aim in errands(setting, number)
        if aim.team != team
    ]
    if hunted:
        return -open_share * _HUNT * min(hunted)
    places = np.array([state.ships[number].centre_studs for number in wanted or enemies])
    if wanted:
        straight = np.hypot(*(places - now.centre_studs).T)
        turns = turns_to(state, ship, places) + straight / _ASIDE_STUDS
        return -open_share * _NEAR * float(turns.min())
    size = hypot(setting.sea.width_studs, setting.sea.height_studs)
    nearest = min((dist(place, now.centre_studs) for place in places), default=0.0)
    return open_share * _RUNS * nearest / size


def meeting_turns(state: State, ship: int, carrier: int, area_studs: tuple[float, float]) -> float:
    """Return in how many turns a ship can be where a carrier is too, if that goes straight to an area."""
    begin, end = np.array((state.ships[carrier].centre_studs, area_studs))
    places = begin + np.linspace(0.0, 1.0, _PLACES)[:, None] * (end - begin)
    goes = turns_to(state, carrier, places) - moves_later(state, carrier)
    return float(np.maximum(turns_to(state, ship, places), goes).min())


@lru_cache(maxsize=1024)
def errands(setting: Setting, ship: int) -> tuple[Reach[Circle], ...]:
    """Return the aims that a ship may meet, or help to meet."""
    team = setting.teams[setting.ships[ship].player]
    return tuple(
        aim
        for aim in setting.aims
        if isinstance(aim, Reach) and (ship in aim.units or (not aim.units and aim.team == team))
    )
