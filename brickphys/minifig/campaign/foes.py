"""Foes: their policy in battles of the campaign, always the same in the same state (ours).

They act in the order of the setup. Each charges the nearest enemy that it can touch, from behind if it can.
Who can touch nobody shoots or throws at the nearest target. Else it goes as near to an enemy as it can.
"""

from collections.abc import Iterator
from math import dist
from typing import Any

from brickphys.geometry.polygon import TOLERANCE, Point, unit_vector
from brickphys.minifig.actions.melee import Attack
from brickphys.minifig.actions.moving import Go
from brickphys.minifig.actions.shooting import Shoot, Throw
from brickphys.minifig.actions.taking import Done, Take
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.state.state import Phase, State, Step
from brickphys.rules.words import Action

_TOUCHING_IN = 2 * BASE_RADIUS_IN + TOUCH_IN + TOLERANCE


def foe_action(state: State) -> Action[Any]:
    """Return what the foes do next."""
    if state.phase is Phase.COMBAT:
        return next(Attack.legal(state))
    if state.active is None:
        return next(Take.legal(state))
    if state.step is not Step.CHOSEN:
        return Done()
    goes = list(Go.legal(state))
    charges = {charge: go for go in reversed(goes) for charge in _charges(state, go)}
    if charges:
        return charges[min(charges)]
    here, numbers = state.figures[state.active].place_in, state.setting.figure_numbers
    shots = [*Shoot.legal(state), *Throw.legal(state)]
    if shots:
        return min(shots, key=lambda shot: dist(here, _place(state, numbers[shot.target])))
    return min(goes, key=lambda go: min(_distances(state, (go.x_in, go.y_in))))


def _place(state: State, figure: int) -> Point:
    return state.figures[figure].place_in


def _distances(state: State, place_in: Point) -> Iterator[float]:
    assert state.active is not None
    return (dist(place_in, _place(state, enemy)) for enemy in state.enemies(state.active))


def _charges(state: State, go: Go) -> Iterator[tuple[float, bool]]:
    """Yield for each enemy that a move touches how far it is from here, and whether it is not touched from behind."""
    assert state.active is not None
    here = _place(state, state.active)
    for enemy in state.enemies(state.active):
        x, y = _place(state, enemy)
        if dist((go.x_in, go.y_in), (x, y)) <= _TOUCHING_IN:
            ahead_x, ahead_y = unit_vector(state.figures[enemy].facing_deg)
            ahead = (go.x_in - x) * ahead_x + (go.y_in - y) * ahead_y
            yield dist(here, (x, y)), ahead >= -TOLERANCE
