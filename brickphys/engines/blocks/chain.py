"""Chain: the blocks that a push reaches, directly or through blocks that touch each other."""

from collections.abc import Iterable, Sequence

from brickphys.arrays import Array
from brickphys.engines.blocks.impact import closing_m_s
from brickphys.engines.blocks.world import BlockContact
from brickphys.throws.states import States

_AHEAD = 0.5
"""Least cosine between the direction of a push and a contact's normal at which the push is passed on."""
_CLOSING_M_S = 1e-3
"""A contact that closes slower is no push."""

Push = tuple[int, Array]
"""A block, and the direction in which it is pushed."""


def chain(touches: Sequence[BlockContact], pushes: Iterable[Push]) -> set[int]:
    """Return the pushed blocks and all blocks that they push ahead, directly or through other blocks."""
    ahead = [(t.first, t.second, -t.normal) for t in touches]
    ahead += [(second, first, -direction) for first, second, direction in ahead]
    to_do = list(pushes)
    found = {number for number, _ in to_do}
    while to_do:
        number, push = to_do.pop()
        for one, other, direction in ahead:
            if one == number and other not in found and direction @ push > _AHEAD:
                found.add(other)
                to_do.append((other, direction))
    return found


def reached(touches: Sequence[BlockContact], states: States) -> set[int]:
    """Return the blocks of all contacts that close, and those to which these pushes are passed on."""
    closing = [t for t in touches if closing_m_s(states, t) > _CLOSING_M_S]
    found = {number for t in closing for number in (t.first, t.second)}
    pushes = []
    for touch in closing:
        first, second = states.velocity_m_s[[touch.first, touch.second]] @ touch.normal
        pushes += [(touch.second, -touch.normal)] * bool(first < -_CLOSING_M_S)
        pushes += [(touch.first, touch.normal)] * bool(second > _CLOSING_M_S)
    return found | chain(touches, pushes)
