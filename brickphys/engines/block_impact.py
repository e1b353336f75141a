"""Block impact: the first impact of two blocks, the blocks that a push reaches, the drive of the first, and energy.

An impact is found from the impulses of the contact points. A push reaches blocks directly or through blocks that touch
each other. The blocks of a run only lose the energy that they are given.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import hypot, inf

import numpy as np

from brickphys.engines.block_world import BlockContact, Pair, relative_velocities
from brickphys.errors import DivergenceError
from brickphys.throws.flight import States
from brickphys.units import Array


@dataclass(frozen=True)
class Drive:
    """A drive of the first block, straight ahead or about a pivot, and the blocks that stop it."""

    velocity_m_s: Pair
    """Velocity along x and y of the world; of a turn, the size alone counts: that with which its distance is made."""
    distance_mm: float
    """Distance of the drive. If nothing stops the block, it stops at its end, and is held there if it was held."""
    stoppers: frozenset[int]
    """Numbers of the blocks that end the drive, by contact with the driven block or with a block that it pushes. The
    drive also ends if the block cannot push something away."""
    edge_mm: float = inf
    """Distance at which the drive ends and the block moves on freely: beyond the edge of the table."""
    turn_rad: float = 0.0
    """How far the block turns over the whole distance, counter-clockwise; 0 if it goes straight ahead."""
    pivot_mm: Pair = (0.0, 0.0)
    """The point of the world about which it turns."""
    then: "Drive | None" = None
    """The drive that follows at once where this one ends."""


IMPACT_S = 0.005
"""An impact includes all impulses between two blocks within this time after their first contact."""

_TURNING = 0.2
"""An impact that gives the contact points this share of its closing speed by turning the blocks turns them.

Of what was tried, vehicles get up to 0.12 from each other, figures 0.28 or more.
"""

_Pair = tuple[int, int]
_Impulses = dict[_Pair, Array]
"""Impulse of the second block on the first in one step, shape (3,), by their numbers."""


@dataclass(frozen=True, eq=False)
class FirstImpact:
    """The first impact of two blocks."""

    first: int
    second: int
    """Numbers of the blocks, the smaller one first: the driven block is 0."""
    time_s: float
    driven_mm: float | None
    """Distance of the driven block at that time, interpolated within the step; None if the driven block is not one of
    the two, or after its drive."""
    point_mm: Array
    normal: Array
    """Mean of the contact points on the second block, and the unit vector from it to the first, shape (3,)."""
    closing_m_s: float
    """Closing speed along the normal."""
    delta_v_m_s: Array
    """Changes of velocity of both centres of mass by all blocks that touch them during the impact, shape (2, 3)."""
    impulse_g_m_s: Array
    """Impulse of the second block on the first, without what holds against friction on the floor (see `docs/crash.md`),
    shape (3,); that on the second is opposite."""
    energy_lost_mj: float
    """Kinetic energy lost: minus the work of the impulses. Blocks that touch one another at once lose energy together;
    each contact of theirs has a share in proportion to its impulse."""


@dataclass(eq=False)
class _Open:
    """An impact whose impulses are still being added up."""

    impact: FirstImpact
    until_s: float
    impulse_g_m_s: Array = field(default_factory=lambda: np.zeros(3))
    net_g_m_s: Array = field(default_factory=lambda: np.zeros((2, 3)))
    lost_mj: float = 0.0


class Impacts:
    """The first impacts of all pairs in a run.

    The masses of immovable blocks are 0. Contacts with a smaller closing speed than the slowest are no impacts; the
    blocks lean on each other.
    """

    def __init__(self, masses_g: Array, slowest_m_s: float) -> None:
        self._masses_g, self._slowest_m_s = masses_g, slowest_m_s
        self._open: dict[_Pair, _Open] = {}

    def open(
        self,
        touch: BlockContact,
        states: States,
        time_s: float,
        since_s: float,
        driven_mm: float | None = None,
    ) -> None:
        """Begin the impact of a pair, unless the pair has had one.

        Parameters
        ----------
        states
            States of all blocks before the step of the impact.
        time_s, since_s
            Present time, and time since the contact.
        driven_mm
            Distance of the driven block at the contact.
        """
        if (touch.first, touch.second) in self._open:
            return
        impact = FirstImpact(
            touch.first,
            touch.second,
            time_s - since_s,
            driven_mm,
            touch.points_mm.mean(axis=0),
            touch.normal,
            closing_m_s(states, touch),
            np.zeros((2, 3)),
            np.zeros(3),
            0.0,
        )
        self._open[touch.first, touch.second] = _Open(impact, time_s + IMPACT_S)

    def note(
        self, touches: Sequence[BlockContact], before: States, after: States, time_s: float
    ) -> None:
        """Add the impulses of all contacts in the step from `time_s`; begin the impacts of pairs that have none yet."""
        # impulses act at the positions before
        moved = replace(after, position_mm=before.position_mm)
        impulses = {(t.first, t.second): t.impulses_g_m_s.sum(axis=0) for t in touches}
        for group in _groups(touches, self._masses_g):
            if not all(self._is_over(touch, time_s) for touch in group):
                self._note_group(group, impulses, before, moved, time_s)
        self._note_net(impulses, time_s)

    def _note_group(
        self,
        group: Sequence[BlockContact],
        impulses: _Impulses,
        before: States,
        moved: States,
        time_s: float,
    ) -> None:
        """Add the impulses of a group in a step; take from `impulses` what holds against friction on the floor."""
        change_m_s = moved.velocity_m_s - before.velocity_m_s
        lost_mj, fastest_m_s, turned_m_s, speeds = 0.0, 0.0, 0.0, []
        for touch in group:
            then, now = relative_velocities(before, touch), relative_velocities(moved, touch)
            closing = float(-(then @ touch.normal).mean())
            if closing > self._slowest_m_s:
                fastest_m_s = max(fastest_m_s, closing)
                self.open(touch, before, time_s, max(touch.depth_mm, 0.0) / 1000.0 / closing)
            lost_mj -= float((touch.impulses_g_m_s * (then + now)).sum() / 2)
            straight_m_s = change_m_s[touch.first] - change_m_s[touch.second]
            turned_m_s = max(turned_m_s, float(np.abs(now - then - straight_m_s).max()))
            speeds.append((then + now).mean(axis=0) / 2)
        pairs = [(touch.first, touch.second) for touch in group]
        if turned_m_s < _TURNING * fastest_m_s:
            without = _without_floor(pairs, impulses, change_m_s, self._masses_g)
            for pair, speed in zip(pairs, speeds, strict=True):
                lost_mj -= float((without[pair] - impulses[pair]) @ speed)
            impulses.update(without)
        sizes = [hypot(*impulses[pair].tolist()) for pair in pairs]
        for pair, size in zip(pairs, sizes, strict=True):
            found = self._open.get(pair)
            if found and size and time_s <= found.until_s:
                found.impulse_g_m_s = found.impulse_g_m_s + impulses[pair]
                found.lost_mj += lost_mj * size / sum(sizes)

    def _note_net(self, impulses: _Impulses, time_s: float) -> None:
        """Add to the impacts under way what all blocks have done to the two of each in a step."""
        under_way = [found for found in self._open.values() if time_s <= found.until_s]
        if not under_way:
            return
        net_g_m_s = np.zeros((len(self._masses_g), 3))
        for (first, second), impulse in impulses.items():
            net_g_m_s[first] += impulse
            net_g_m_s[second] -= impulse
        for found in under_way:
            pair = [found.impact.first, found.impact.second]
            found.net_g_m_s = found.net_g_m_s + net_g_m_s[pair]

    def _is_over(self, touch: BlockContact, time_s: float) -> bool:
        found = self._open.get((touch.first, touch.second))
        return found is not None and time_s > found.until_s

    def done(self) -> tuple[FirstImpact, ...]:
        """Return all impacts in the order of their times."""
        return tuple(
            _closed(found, self._masses_g[[found.impact.first, found.impact.second]])
            for found in sorted(self._open.values(), key=lambda found: found.impact.time_s)
        )


def closing_m_s(states: States, touch: BlockContact) -> float:
    """Return the closing speed of two blocks along the normal of their contact."""
    return float(-(relative_velocities(states, touch) @ touch.normal).mean())


def _closed(found: _Open, masses_g: Array) -> FirstImpact:
    share = np.divide(1.0, masses_g, out=np.zeros(2), where=masses_g > 0)
    return replace(
        found.impact,
        delta_v_m_s=share[:, None] * found.net_g_m_s,
        impulse_g_m_s=found.impulse_g_m_s,
        energy_lost_mj=found.lost_mj,
    )


def _groups(touches: Sequence[BlockContact], masses_g: Array) -> list[list[BlockContact]]:
    """Return the contacts in groups that share no movable block."""
    groups: list[tuple[set[int], list[BlockContact]]] = []
    for touch in touches:
        blocks = {number for number in (touch.first, touch.second) if masses_g[number]}
        members = [touch]
        for group in [group for group in groups if not group[0].isdisjoint(blocks)]:
            groups.remove(group)
            blocks, members = blocks | group[0], group[1] + members
        groups.append((blocks, members))
    return [members for _, members in groups]


def _without_floor(
    pairs: Sequence[_Pair], impulses: _Impulses, change_m_s: Array, masses_g: Array
) -> _Impulses:
    """Return the impulses of a group without what they hold against friction on the floor in the same step.

    The solver meets all contacts of a step at once. So a wall gives a block its rebound and, on top of it, whatever
    friction on the floor takes from the rebound in that step. In plan, a block that hits fixed ones takes only the
    change of its velocity; two that touch nothing else, that of their relative velocity. For blocks that are squeezed
    between others, or that an impact turns, so that the floor holds an edge of theirs, the part of friction is not
    known, and the impulses stay as they are.
    """
    movable = sorted({number for pair in pairs for number in pair if masses_g[number]})
    if not (len(movable) == 1 or (len(movable) == 2 and len(pairs) == 1)):
        return {pair: impulses[pair] for pair in pairs}
    one, *other = movable
    signs = {pair: 1.0 if pair[0] == one else -1.0 for pair in pairs}
    total = sum(signs[pair] * impulses[pair] for pair in pairs)
    relative_m_s = change_m_s[one] - change_m_s[other].sum(axis=0)
    floor = total - relative_m_s / (1.0 / masses_g[movable]).sum()
    floor[2] = 0.0
    sizes = {pair: hypot(*impulses[pair].tolist()) for pair in pairs}
    part = floor / (sum(sizes.values()) or 1.0)
    return {pair: impulses[pair] - signs[pair] * sizes[pair] * part for pair in pairs}


AHEAD = 0.5
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
            if one == number and other not in found and direction @ push > AHEAD:
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


_GAIN_LIMIT = 0.02
"""A run has diverged if it ever regains more than this share of the energy that it was given."""
_TINY_MJ = 2e-2
"""Energy that a vehicle gains when it is put on the floor some hundredths of a millimetre too low or too high."""


@dataclass
class EnergyBudget:
    """The energy of all blocks of a run."""

    given_mj: float
    """Energy at the start, and all that the drive has added."""
    resting_mj: float
    """The part of it that blocks at rest have by their heights."""
    step_s: float
    """The step of the run, for messages."""
    lost_mj: float = 0.0
    """The most that has been lost so far."""
    braked_mj: float = 0.0
    """What the drive has taken back, as where it stops the driven block at the end of its way."""

    @property
    def supplied_mj(self) -> float:
        """The kinetic energy that was given, whether or not the drive has taken it back."""
        return self.given_mj + self.braked_mj - self.resting_mj

    @property
    def _room_mj(self) -> float:
        return _GAIN_LIMIT * self.supplied_mj + _TINY_MJ

    def check(self, energy_mj: float, time_s: float) -> None:
        """Check the energy that is left: it only falls, within a share of what was given.

        Raises DivergenceError if it rises, or is not finite.
        """
        lost_mj = self.given_mj - energy_mj
        if not lost_mj >= self.lost_mj - self._room_mj:
            raise DivergenceError(
                f"blocks diverged after {time_s:.3f} s: {self.lost_mj - lost_mj:g} mJ more than before, "
                f"of {self.supplied_mj:g} mJ given, at a step of {self.step_s:g} s"
            )
        self.lost_mj = max(self.lost_mj, lost_mj)

    def checked(self, impacts: Iterable[FirstImpact]) -> tuple[FirstImpact, ...]:
        """Return impacts, none with less than no loss of energy.

        Raises DivergenceError if one has gained more than a share of what was given.
        """
        found = []
        for impact in impacts:
            if impact.energy_lost_mj < -self._room_mj:
                raise DivergenceError(
                    f"blocks diverged: the impact of blocks {impact.first} and {impact.second} at "
                    f"{impact.time_s:.3f} s gained {-impact.energy_lost_mj:g} mJ, at a step of "
                    f"{self.step_s:g} s"
                )
            found.append(replace(impact, energy_lost_mj=max(0.0, impact.energy_lost_mj)))
        return tuple(found)
