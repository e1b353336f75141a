"""Hits: lines crossed off the damage chart, and the minifigs that they cost (PW Damage Chart)."""

from brickphys.pirate_wars.damage.casualties import lose_crew
from brickphys.pirate_wars.sheets.damage_chart import Damage, Line
from brickphys.pirate_wars.state.state import MoraleCause, State


def hit(state: State, ship: int, hits: int, line: Line | None = None) -> State:
    """Return the state after some hits; each line that goes costs a minifig of the crew.

    Each crosses off the topmost open line of a kind, sails by shot and hull by a ram; by ball, the topmost of all.
    """
    chart, before = state.setting.ships[ship].sheet.chart, state.ships[ship].damage
    damage = before
    for _ in range(hits):
        damage = chart.hit(damage, line)
    lost = before.hull + before.sails - damage.hull - damage.sails
    return lose_crew(_damaged(state, ship, damage), ship, lost)


def lose_sails(state: State, ship: int, count: int) -> State:
    """Return the state after the loss of sails for want of sailors, which kills nobody (PW Sailing)."""
    now = state.ships[ship]
    return _damaged(state, ship, Damage(now.hull, max(now.sails - count, 0)))


def _damaged(state: State, ship: int, damage: Damage) -> State:
    """Return the state with other damage; a ship that loses its last sail goes adrift (PW Movement)."""
    is_last = state.ships[ship].sails > 0 == damage.sails and damage.hull > 0
    state = state.change_ship(ship, hull=damage.hull, sails=damage.sails)
    return state.with_cause(ship, MoraleCause.ADRIFT) if is_last else state
