"""Evaluation: the estimated value of an unfinished battle for each player, for bots; no rule.

Losses count against the rout level, and so do imminent losses: units that are disrupted or have routed. Actions that
are chosen but not yet done count with their expected gain (`prospects`), so that a search may stop anywhere. These
count a little: units near the enemy that face him, leaders near the units, cards, and a way to the enemy's camp.
"""

from functools import lru_cache

from brickphys.blade_and_bow.ground.arcs import arc
from brickphys.blade_and_bow.ground.distance import within
from brickphys.blade_and_bow.ground.marches import open_ground
from brickphys.blade_and_bow.odds.costs import DECISIVE, DISRUPTION, SACK
from brickphys.blade_and_bow.prospects import (
    HALFWAY,
    LOSSES,
    NEAR,
    gap,
    nearest_of,
    prospects,
    raid,
)
from brickphys.blade_and_bow.state.part import Part, pieces
from brickphys.blade_and_bow.state.pieces import Box
from brickphys.blade_and_bow.state.state import State
from brickphys.grid.bitset import each

BROKEN = 0.2
"""Worth of reaching the rout level."""
LOOKS = 0.0016
"""Worth of a unit that faces the nearest enemy."""
COMMANDED, CARD = 0.0005, 0.004
"""Worth of a unit in the range of a leader, and of a card."""
_SOFT = {Box.ROUTED: 0.6, Box.RALLIED: 0.2, Box.CAPTURED: 0.3, Box.WAITING: 0.8}
"""Losses that pieces in a box count as."""
EXPOSED, SAFE = 0.01, 4
"""Worth of each point between the enemy and a leader who decides the battle; points up to which this counts."""
_LEADER = 1.0
"""Losses that a killed leader counts as."""
_BOUND = 0.95


def estimate(state: State) -> tuple[float, ...]:
    """Return for each player what the battle seems worth, about -1 to 1; nearness counts for who comes near alone."""
    return _worth(_matter(state))


def _matter(state: State) -> Part:
    """Return what of a state counts: states that a bot imagines often differ in other cards only."""
    combat = state.combat
    paying = state.hands[state.mover] if combat is not None and combat.checked else ()
    whole = state.setting, state.units, state.leaders, state.camps, state.sacked, state.losses
    course = state.mover, state.actions, state.activation, combat, state.played, state.pending
    return Part(
        state,
        (*whole, *course, state.discovered, *map(len, state.hands), paying),
        state.public_hash,
    )


@lru_cache(maxsize=4096)
def _worth(matter: Part) -> tuple[float, float]:
    """Return the worth of a state to both players: the first is ahead by what is left and what is to come."""
    state = matter.state
    lead = _standing(state, 0) - _standing(state, 1) + prospects(state)
    first, second = _positions(pieces(state))
    return max(-_BOUND, min(_BOUND, first + lead)), max(-_BOUND, min(_BOUND, second - lead))


def _standing(state: State, player: int) -> float:
    """Return the worth of what a player has left, at most 0."""
    setting = state.setting
    level = state.rout_level(player)
    lost = soft = float(state.losses[player])
    for spec, unit in zip(setting.units, state.units, strict=True):
        if spec.player == player:
            soft += DISRUPTION * unit.disrupted if unit.box is Box.MAP else _SOFT.get(unit.box, 0.0)
    for leader_spec, leader in zip(setting.leaders, state.leaders, strict=True):
        if leader_spec.player == player:
            killed = DECISIVE if leader_spec.name == setting.special.mortal else _LEADER
            soft += killed if leader.box is Box.ELIMINATED else _SOFT.get(leader.box, 0.0)
    decides = setting.special.camp_decides[player]
    soft += (DECISIVE if decides else SACK) * state.sacked[player]
    return -LOSSES * soft / level - BROKEN * (lost >= level) + CARD * len(state.hands[player])


@lru_cache(maxsize=4096)
def _positions(part: Part) -> tuple[float, float]:
    return _position(part.state, 0), _position(part.state, 1)


def _position(state: State, player: int) -> float:
    """Return the worth of the places of a player's units and leaders: a few hundredths."""
    grid, here = state.setting.grid, state.at
    value = 0.0
    own = list(each(state.occupied[player]))
    for square in own:
        away, enemy = gap(state, here[square])
        value -= NEAR * away
        if enemy is not None:
            value += LOOKS * (arc(grid, square, state.units[here[square]].facing) >> enemy & 1)
    for number, leader in enumerate(state.leaders):
        spec = state.setting.leaders[number]
        if spec.player == player and leader.square is not None:
            commanded = state.occupied[player] & within(grid, leader.square, spec.range_points)
            value += COMMANDED * commanded.bit_count()
            if spec.name == state.setting.special.mortal:
                ground, enemies = open_ground(state, player), state.occupied[1 - player]
                away, _ = nearest_of(state.setting, ground, leader.square, enemies)
                value -= EXPOSED * max(SAFE - away, 0)
    raiders = raid(state, player)
    left = sum(raiders.far[square] - HALFWAY for square in raiders.squares)
    return value - raiders.worth * left
