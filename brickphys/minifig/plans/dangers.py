"""Dangers: whom figures could attack in their next turn: hand to hand after a move, by missiles as they stand."""

from collections.abc import Iterator
from math import cos, pi, sin

import numpy as np

from brickphys.minifig.ground import figure_row, opponents
from brickphys.minifig.reach import MoveReach, base_problems
from brickphys.minifig.sheets import BASE_RADIUS_IN
from brickphys.minifig.shooting import Launch, ShootBow, ThrowSpear
from brickphys.minifig.state import State
from brickphys.rules.scene import Threat

_AROUND = np.array([(cos(pi * n / 8), sin(pi * n / 8)) for n in range(16)])


def threats(state: State, player: int) -> Iterator[Threat]:
    """Yield whom of a player's team each enemy could attack."""
    setting, touch_in, names = state.setting, 2 * BASE_RADIUS_IN, state.setting.figures
    own = [one for one in state.alive if state.team(one) == setting.teams[player]]
    for one in [one for one in state.alive if one not in own]:
        kinds = (ShootBow, ThrowSpear, Launch)
        shot = {each.target for kind in kinds for each in kind.listed(state, one)}
        strikes, row = {*opponents(state, one)}, [figure_row(state, one)]
        moves = MoveReach.of(state, one, state.move_in(one))
        for foe in own:
            goals = np.array(state.figures[foe].place_in) + touch_in * _AROUND
            for x, y in goals[moves.allowed(goals)].tolist():
                if next(base_problems(state, (x, y), BASE_RADIUS_IN, row), None) is None:
                    strikes.add(foe)
        around = np.array(state.figures[one].place_in) + (moves.most_in + touch_in) * _AROUND
        reach = np.clip(around, 0.0, (setting.width_in, setting.length_in)).tolist()
        struck = tuple(names[foe].name for foe in own if foe in strikes)
        yield Threat(names[one].name, struck, tuple(sorted(shot)), (tuple(map(tuple, reach)),))
