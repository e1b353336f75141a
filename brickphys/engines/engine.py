"""Engine: the interface of engines that integrate throws, and their result."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from brickphys.errors import DivergenceError, InvalidValueError
from brickphys.shapes.body import Body
from brickphys.text import counted
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import LEANING
from brickphys.throws.flight import States
from brickphys.throws.release import PLANE, Floor
from brickphys.units import GRAVITY_M_S2, Array, Counts, Mask

UNSETTLED = "unsettled"
LIMIT_S = 60.0
"""Simulated time after which a hand that is neither decided nor at rest is `UNSETTLED`, in all engines."""
ENERGY_SLACK_MM = 0.02
"""A brick is decided when its energy is this much below the barrier of its pose; the engines' errors are smaller."""
_LEAST_FRICTION = 0.05
"""Of bricks that may trip while they slide, so that they are decided only as they stop: 2 s for every m/s."""
ENERGY_GAIN_LIMIT = 0.2
"""A hand that gains more than this share of its energy has diverged."""


@dataclass(frozen=True, kw_only=True)
class StepSettings:
    """Settings of an engine whose contacts are impulses."""

    step_s: float = 1 / 1000
    bounce_steps: float = 2.0
    """Contacts slower than the speed that gravity adds in this number of steps do not bounce; else bodies at rest would
    jitter."""

    @property
    def bounce_m_s(self) -> float:
        """Speed below which contacts do not bounce."""
        return self.bounce_steps * GRAVITY_M_S2 * self.step_s


@dataclass(frozen=True, kw_only=True)
class HandSettings:
    """Settings of when a hand is done."""

    by_energy: bool = True
    """Whether to stop once no brick has the energy to leave its pose; else integrate to rest."""
    rest_m_s: float = 0.001
    rest_rad_s: float = 0.1
    rest_s: float = 0.1
    """A hand is at rest when speed and spin (the means of all its bricks between two checks) have been below these
    limits for this time."""
    limit_s: float = LIMIT_S
    """A hand that is not done after this time is unsettled."""


@dataclass(frozen=True, eq=False)
class Landing:
    """The results of n hands of k bricks."""

    poses: tuple[str, ...]
    """Names of the indices in `pose`: the poses of the body, then ``leaning``, then ``unsettled``."""
    pose: Counts
    """Final pose of each brick, shape (n, k)."""
    states: States
    """States when the hand was done, shape (n, k): at rest, or decided by energy and still moving."""
    time_s: Array
    """Simulated time from the release until then, shape (n,)."""
    energy_gain: Array
    """Largest increase of the hand's energy above its least earlier value, as a share of that at release, shape (n,).
    Contacts only dissipate energy, so a gain is an error of the engine."""

    def __getitem__(self, hands: slice | Mask) -> "Landing":
        return replace(
            self,
            pose=self.pose[hands],
            states=self.states[hands],
            time_s=self.time_s[hands],
            energy_gain=self.energy_gain[hands],
        )

    def poses_of(self, hand: int) -> tuple[str, ...]:
        """Return the pose of each brick of a hand."""
        return tuple(self.poses[index] for index in self.pose[hand].tolist())

    def counts(self) -> dict[str, int]:
        """Return pose -> number of bricks; every brick has one pose."""
        tally = np.bincount(self.pose.ravel(), minlength=len(self.poses))
        return dict(zip(self.poses, tally.tolist(), strict=True))


@dataclass(frozen=True, kw_only=True)
class Engine(ABC):
    """An engine integrates hands of bricks from given states until they stop."""

    name: str
    """Name, as on the command line and in law files."""
    max_restitution: float = 0.7
    max_bricks: int = 1
    floors: tuple[str, ...] = (PLANE.name,)
    """Largest restitution, largest number of bricks of a hand, and names of the floors that the engine accepts."""
    chunk_bricks: int = 1024

    @property
    @abstractmethod
    def versions(self) -> dict[str, str]:
        """Versions of the engine's libraries by name."""

    def least_friction(self, bricks: int, floor: Floor) -> float:
        """Return the least friction that the engine accepts for hands of so many bricks on a floor.

        It is 0 for single bricks on a plane: what slides level there is decided.
        """
        return 0.0 if bricks == 1 and floor.is_plane else _LEAST_FRICTION

    def chunk_hands(self, bricks: int, floor: Floor) -> int:
        """Return the number of hands of a chunk: a multiple of `group_hands` that takes a few seconds."""
        return max(1, self.chunk_bricks // bricks)

    def group_hands(self, bricks: int, floor: Floor) -> int:
        """Return the number of hands that share a world and affect each other's rounding; 1 if hands are independent.

        A hand is reproduced exactly only if its whole group is integrated. So the group, ``index // group_hands``, is
        part of the hand's seed address.
        """
        return 1

    @abstractmethod
    def land(
        self, body: Body, contact: ContactCoefficients, states: States, floor: Floor = PLANE
    ) -> Landing:
        """Integrate `states`, shape (n, k), until every hand has stopped or reached the time limit.

        Raises InvalidValueError if the engine is not made for these throws, see `check_limits`; DivergenceError if a
        state is not finite, or a hand gains more energy than `ENERGY_GAIN_LIMIT`.
        """


def outcomes(body: Body) -> tuple[str, ...]:
    """Return the names of all results of a thrown body: its poses, ``leaning`` and ``unsettled``."""
    return (*body.poses, LEANING, UNSETTLED)


def check_throws(
    engine: Engine, contact: ContactCoefficients, states: States, floor: Floor
) -> None:
    """Check that `states`, shape (n, k), has hands and that an engine is made for them.

    Raises InvalidValueError if there is no hand, or as `check_limits`.
    """
    hands, bricks = states.position_mm.shape[:2]
    check_limits(engine, contact, bricks, floor)
    if hands == 0:
        raise InvalidValueError("no throws to land")


def check_gain(body: Body, wrong: Mask, gain: Array, step_s: float) -> None:
    """Check that no hand has diverged.

    Raises DivergenceError if a hand has diverged.
    """
    if wrong.any():
        raise DivergenceError(
            f"{counted(int(wrong.sum()), 'throw')} of {body.name} diverged: energy grew by "
            f"{float(gain[wrong][0]):.0%} (limit {ENERGY_GAIN_LIMIT:.0%}) at a step of {step_s:g} s"
        )


def check_parts(body: Body) -> None:
    """Check that the parts of a body, which touch studs, are thicker than its rounded edges.

    Raises InvalidValueError if one is not.
    """
    thinnest_mm = min((min(part.size_mm) for part in body.parts), default=math.inf)
    if 2 * body.edge_radius_mm >= thinnest_mm:
        raise InvalidValueError(
            f"{body.name}: on studs the edge radius must be below half of the thinnest part, {thinnest_mm / 2:g} mm"
        )


def check_limits(
    engine: Engine, contact: ContactCoefficients, bricks: int = 1, floor: Floor = PLANE
) -> None:
    """Check that an engine is made for a throw.

    Raises InvalidValueError if the engine does not accept the restitution, the number of bricks of a hand, the floor,
    or so little friction there.
    """
    if contact.restitution > engine.max_restitution:
        raise InvalidValueError(
            f"restitution {contact.restitution:g} is outside 0 to {engine.max_restitution:g}, "
            f"the range of the {engine.name} engine"
        )
    if bricks > engine.max_bricks:
        raise InvalidValueError(
            f"{bricks} bodies a hand: the {engine.name} engine throws at most {engine.max_bricks} together"
        )
    if floor.name not in engine.floors:
        raise InvalidValueError(
            f"floor {floor.name!r}: the {engine.name} engine accepts only {', '.join(engine.floors)}"
        )
    least = engine.least_friction(bricks, floor)
    if contact.friction < least:
        raise InvalidValueError(
            f"friction {contact.friction:g} is below {least:g}, the least of the {engine.name} engine for bricks "
            "together, on studs or in a tray: they slide on for too long, and may still strike something"
        )
