"""Prompt: what a player whose turn it is is asked for."""

from collections.abc import Iterator
from itertools import chain

from brickphys.pirate_wars.report.status_text import order_text
from brickphys.pirate_wars.sheets.minifigs import Ammunition
from brickphys.pirate_wars.state.crew import Task
from brickphys.pirate_wars.state.state import Phase, State
from brickphys.pirate_wars.tasks.contact_orders import Scuttle
from brickphys.pirate_wars.tasks.firing import Fire, Shoot, cannon, ready_guns
from brickphys.pirate_wars.tasks.gunnery import gap_studs
from brickphys.pirate_wars.tasks.moving import Haul
from brickphys.pirate_wars.tasks.orders import commanded, takes_orders
from brickphys.pirate_wars.tasks.resolve import sailing_hands
from brickphys.rules.words import without_problems
from brickphys.text import counted, spoken

_MOST_ORDERS = 4
"""The last orders, which the prompt names; the table has all."""


def turn_prompt(state: State) -> str:
    """Return what the phase asks for, where no question is pending."""
    if state.phase is Phase.TASKS:
        return "; ".join(_tasks(state))
    if state.active is None:
        return "your next ship"
    name = spoken(state.setting.ships[state.active].name)
    if state.phase is Phase.FALLING_OFF:
        asks = f"does {name} fall off, which turns it with the wind? 0 keeps the heading"
        return f"{asks}{_ranges(state, state.active)}"
    gone = f"{name} has gone {state.move_studs - state.left_studs:g} of {state.move_studs:g} studs"
    left = "then goes on" if state.left_studs else "then its move ends"
    turns = f"it can turn up to {state.may_turn_deg:g} degrees, {left}"
    return f"{gone}: {turns}{_ranges(state, state.active)}"


def _ranges(state: State, ship: int) -> str:
    """Return how far the nearest enemy of a ship is, and how far its guns reach that can fire."""
    enemies = (number for number, _ in state.enemies(state.ships[ship].owner))
    gaps = [(gap_studs(state, ship, one), spoken(state.setting.ships[one].name)) for one in enemies]
    if not gaps:
        return ""
    guns = ready_guns(state, ship) if takes_orders(state, ship) else ()
    reach = sorted({cannon(state, ship, gun, Ammunition.BALL).range_studs for gun in guns})
    reaches = f"the guns reach {' to '.join(f'{studs:g}' for studs in reach)}"
    far, name = min(gaps)
    return f"; {name} is {far:.3g} studs away, {reaches if reach else 'no gun is ready to fire'}"


def _tasks(state: State) -> Iterator[str]:
    """Yield which orders the player has written, and which sails will be lost."""
    own = [order for order in state.orders if state.writer(order) == state.player]
    last = ", ".join(spoken(order_text(state, order)) for order in own[-_MOST_ORDERS:])
    which = f", the last: {last}" if len(own) > _MOST_ORDERS else f": {last}"
    yield f"{counted(len(own), 'order')} written{which if own else ''}"
    board = [order.ship for order in state.orders if order.task is Task.BOARD]
    for ship in commanded(state):
        hands, sails = sailing_hands(state, ship), state.ships[ship].sails
        name = spoken(state.setting.ships[ship].name)
        if not state.ships[ship].hull:
            yield f"{name} sinks at the end of the phase, with half of those aboard: who jumps is in the water"
        elif hands < sails and ship not in board:
            yield f"{name} has hands for {hands} of {counted(sails, 'sail')}, and will lose the rest"
    if enemy := _out_of_reach(state):
        yield f"no {'other ' if own else ''}shot can hit (ask: why attack {enemy})"
    yield "your next one or done"


def _out_of_reach(state: State) -> str:
    """Return the name of an enemy where ships can be given orders, but none of their shots can hit anybody."""
    shots = chain[Fire | Shoot](Fire.legal(state), Shoot.legal(state))
    if next(commanded(state), None) is None or next(shots, None) is not None:
        return ""
    return next((state.setting.ships[ship].name for ship, _ in state.enemies(state.player)), "")


def unlisted(state: State) -> Iterator[Haul | Scuttle]:
    """Yield the legal orders to haul a gun or to scuttle a ship that the list leaves out, which is for bots too."""
    if state.phase is not Phase.TASKS:
        return
    names = [spec.name for spec in state.setting.ships]
    guns = ((ship, gun) for ship in commanded(state) for gun in range(len(state.ships[ship].guns)))
    hauls = (Haul(names[ship], gun) for ship, gun in guns)
    scuttles = (Scuttle(names[n]) for n, ship in state.afloat() if ship.owner == state.player)
    listed = {*Haul.legal(state), *Scuttle.legal(state)}
    legal = without_problems(state, chain[Haul | Scuttle](hauls, scuttles))
    yield from (order for order in legal if order not in listed)
