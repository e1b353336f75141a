"""Foes: their policy in battles of the campaign, always the same in the same state (ours).

They act in the order of the setup. Each charges the nearest enemy that it can touch, from behind if it can.
Who can touch nobody shoots or throws at the nearest target. Else it goes as near to an enemy as it can.
"""

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
    here, goes = _place(state, state.active), list(Go.legal(state))
    enemies = sorted(
        state.enemies(state.active), key=lambda enemy: dist(here, _place(state, enemy))
    )
    for enemy in enemies:
        if charges := [go for go in goes if dist(_end(go), _place(state, enemy)) <= _TOUCHING_IN]:
            return min(charges, key=lambda go: not _is_behind(state, go, enemy))
    shots = [*Shoot.legal(state), *Throw.legal(state)]
    if shots:
        rank = [state.setting.figures[enemy].name for enemy in enemies].index
        return min(shots, key=lambda shot: rank(shot.target))
    return min(goes, key=lambda go: min(dist(_end(go), _place(state, one)) for one in enemies))


def _place(state: State, figure: int) -> Point:
    return state.figures[figure].place_in


def _end(go: Go) -> Point:
    return go.x_in, go.y_in


def _is_behind(state: State, go: Go, enemy: int) -> bool:
    """Whether a move ends more than 90 degrees off the facing of an enemy."""
    x, y = _place(state, enemy)
    ahead_x, ahead_y = unit_vector(state.figures[enemy].facing_deg)
    return (go.x_in - x) * ahead_x + (go.y_in - y) * ahead_y < -TOLERANCE
