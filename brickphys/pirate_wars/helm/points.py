"""Points: what a contact of two ships is worth to a team, by the worth of the battle after each of its ends.

Ships that touch or are lashed together count by the law of their contact (`contact`).
"""

from collections.abc import Sequence
from typing import NamedTuple

from brickphys.pirate_wars.damage import fighters
from brickphys.pirate_wars.helm import contact
from brickphys.pirate_wars.helm.contact import FLED, FREE, TAKEN, Side
from brickphys.pirate_wars.setting import Setting
from brickphys.pirate_wars.state import Phase, State
from brickphys.pirate_wars.worth import EMPTY, RETURNS, Balance, Sums, crew_sums, ship_sums

CREW = Sums(melee=1.0, hands=1.0)
"""What a casualty costs."""
LINE = Sums(0.5, 0.5, 1.0, 1.0)
"""What a line of a ship costs, with the minifig that goes with it."""


def without(state: State, now: Balance, one: int, other: int) -> Balance:
    """Return what both sides have besides a ship of each, with their crews."""
    left = [now.own, now.other]
    for number, which in enumerate((one, other)):
        crew = crew_sums(state.setting, fighters(state, which))
        left[number] = left[number].minus(ship_sums(state, which)).minus(crew)
    return now._replace(own=left[0], other=left[1])


def guns_left(state: State, *ships: int) -> tuple[int, ...]:
    """Return how many guns each of some ships has left."""
    return tuple(sum(not gun.is_lost for gun in state.ships[n].guns) for n in ships)


def _side_sums(one: Side, guns: int) -> tuple[Sums, Sums]:
    """Return what a side of a contact has: the ship without its crew, and the crew."""
    ship = Sums(one.hull, one.sails, guns=guns) if one.hull else Sums()
    melee, hands = one.busy
    return ship, Sums(melee=one.melee + melee, hands=len(one.hands) + hands)


def contact_worth(
    rest: Balance,
    sides: tuple[Side, Side],
    guns: Sequence[int],
    found: tuple[contact.End, ...],
) -> float:
    """Return the worth of a contact to the team of its first side.

    `rest` is what that team, and all others, have besides both ships, `guns` how many each of these has left, and
    `found` how the contact ends.
    """
    ships, crews = zip(*map(_side_sums, sides, guns), strict=True)
    total = 0.0
    for chance, fates, melee in found:
        left, fled = [rest.own, rest.other], list[Sums | None]([None, None])
        for number in (0, 1):
            fate = fates[number]
            if fate in (FREE, FLED):
                share = melee[number] / sides[number].melee if sides[number].melee else 1.0
                kept = ships[number].plus(crews[number], share)
                if fate == FREE:
                    left[number] = left[number].plus(kept)
                else:
                    fled[number] = kept
            elif fate == TAKEN:
                left[1 - number] = left[1 - number].plus(ships[number])
        total += chance * _with_fled(rest, left, fled)
    return total


def _with_fled(rest: Balance, left: list[Sums], fled: list[Sums | None]) -> float:
    """Return the mean worth of what is left, with crews that flee: they return with some probability, all or none."""
    if fled[0] is None and fled[1] is None:
        return rest.worth_of(*left)
    back = [one if its is None else one.plus(its) for one, its in zip(left, fled, strict=True)]
    if any(one is None and not its.hands for one, its in zip(fled, left, strict=True)):
        return rest.worth_of(*back)  # the battle is over before they are tested again
    stays = 0.0 if None not in fled else rest.worth_of(*left)
    return RETURNS * rest.worth_of(*back) + (1.0 - RETURNS) * stays


class Contact(NamedTuple):
    """What two ships in contact should do, and what that is worth to the team of the first one."""

    worth: float
    """From -1 to 1."""
    gain: float
    """How much better it is for the first one to board than to hold."""
    held: float
    """The worth if the first one holds, and the other one does what is best for it if it still may."""


def best_contact(
    setting: Setting,
    rest: Balance,
    sides: tuple[Side, Side],
    guns: Sequence[int],
    order: int | None,
    may_board: tuple[bool, bool] = (True, True),
) -> Contact:
    """Return what comes of two ships that touch, before orders are written, if each boards where that is best for it.

    `order` is which of them writes orders and is tested first, 0 or 1; None if it is not known. `may_board` tells of
    each whether it may still order a boarding.
    """
    if not (sides[0].hull and sides[1].hull):
        worth = _sunk_worth(rest, sides, guns)
        return Contact(worth, 0.0, worth)

    def ended(now: tuple[Side, Side], boards: int | None) -> float:
        if now[0].hands and now[1].hands:
            found = contact.ends(setting, now, boards, order)
        else:  # a ship without a crew is taken without dice
            fates = ((FREE, TAKEN), (TAKEN, FREE), (FREE, FREE))[2 if boards is None else boards]
            found = (contact.End(1.0, fates, (float(now[0].melee), float(now[1].melee))),)
        return contact_worth(rest, now, guns, found)

    def chosen(now: tuple[Side, Side], *writers: int) -> float:
        """Return the worth if each writes what is best for it, who knows what the next one would do."""
        if not writers:
            return ended(now, None)
        one, *later = writers
        found = [chosen(now, *later)]
        if may_board[one] and now[one].hands:
            found.append(ended(now, one))
            if now[one].shooters:
                pair = contact.after_shots(setting, now[one], now[1 - one])
                found.append(chosen(pair if one == 0 else pair[::-1], *later))
        return max(found) if one == 0 else min(found)

    both = ((0, 1), (1, 0)) if order is None else ((order, 1 - order),)
    worth, held = sum(chosen(sides, *pair) for pair in both) / len(both), chosen(sides, 1)
    return Contact(worth, ended(sides, 0) - held, held)


def _sunk_worth(rest: Balance, sides: tuple[Side, Side], guns: Sequence[int]) -> float:
    """Return the worth of a contact after which a ship sinks, or both do; half of its crew is in the water.

    The crew of the other one is still tested, unless that was the last ship of its enemies.
    """
    others, left, holds = (rest.own, rest.other), [rest.own, rest.other], 1.0
    for number, one in enumerate(sides):
        ship, crew = _side_sums(one, guns[number])
        if one.hull:
            left[number] = left[number].plus(ship).plus(crew)
            holds = 1.0 if not others[1 - number].hull else contact.hold_chance(one)
        elif others[number].hull:
            left[number] = left[number].plus(crew, EMPTY / 2)
    worth = holds * rest.worth_of(*left)
    if holds < 1.0:
        lost = (others[n] if sides[n].hull else left[n] for n in (0, 1))
        worth += (1.0 - holds) * rest.worth_of(*lost)
    return worth


def pair_worth(
    state: State, one: int, other: int, balance: Balance, boards: int | None = None
) -> Contact:
    """Return what a contact between two ships, as they are now, is worth to the team of the first one.

    The balance is that team's; `boards` is which of them is ordered to board, 0 or 1; None if neither is.
    """
    rest = without(state, balance, one, other)
    both = contact.side(state, one), contact.side(state, other)
    guns, order = guns_left(state, one, other), first_of(state, one, other)
    goes_on = next((b for b in state.boardings if {b.attacker, b.defender} == {one, other}), None)
    if goes_on is not None:
        boards = 0 if goes_on.attacker == one else 1
    if boards is not None and both[0].hands and both[1].hands:
        found = contact.ends(state.setting, both, boards, order)
        worth = contact_worth(rest, both, guns, found)
        return Contact(worth, 0.0, worth)
    if state.is_lashed(one) or state.is_lashed(other):
        both = both[0]._replace(shooters=()), both[1]._replace(shooters=())
    may = may_still_board(state, one), may_still_board(state, other)
    return best_contact(state.setting, rest, both, guns, order, may)


def met_worth(
    state: State,
    balance: Balance,
    mover: int,
    other: int,
    own: int = 0,
    order: int | None = None,
    *,
    rams: bool = True,
) -> float:
    """Return what it is worth to a team that a ship rams another one, or touches it.

    The balance is the team's. `own` is which of the two is the team's: 0 for the mover, 1 for the other one; `order`
    which of the team's ship and the other one writes orders and is tested first, 0 or 1; None if it is not known.
    """
    sides = contact.side(state, mover), contact.side(state, other)
    if rams:
        sides = contact.rammed(state.setting, *(one._replace(shooters=()) for one in sides))
    ships = (other, mover) if own else (mover, other)
    rest, guns = without(state, balance, *ships), guns_left(state, *ships)
    return best_contact(state.setting, rest, sides[::-1] if own else sides, guns, order).worth


def may_still_board(state: State, ship: int) -> bool:
    """Tell whether the player of a ship has yet to write orders in this turn."""
    if state.phase in (Phase.MORALE, Phase.SHARKS):
        return False
    written = state.turn if state.phase is Phase.TASKS else 0
    now = state.ships[ship]
    return not now.is_fleeing and now.owner in state.order[written:]


def first_of(state: State, one: int, other: int) -> int | None:
    """Return which of two ships comes first in the initiative of this turn, 0 or 1; None if it is not known."""
    order = state.order
    owners = [state.ships[number].owner for number in (one, other)]
    if any(owner not in order for owner in owners):
        return None
    return 0 if order.index(owners[0]) < order.index(owners[1]) else 1
