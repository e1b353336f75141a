"""Engine: the interface behind which a throw is integrated, and what comes out of it."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from brickphys.errors import DivergenceError, InvalidValueError
from brickphys.shapes.body import Body
from brickphys.throws.faces import LEANING
from brickphys.throws.floors import PLANE, Floor
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients

UNSETTLED = "unsettled"
ENERGY_SLACK_MM = 0.02
"""A brick is decided when it lacks this much height for leaving its pose: more than the engines' own errors."""
ENERGY_GAIN_LIMIT = 0.2
"""A hand that gains this share of its energy has diverged."""


@dataclass(frozen=True, eq=False)
class Landing:
    """How `n` hands of `k` bricks ended.

    Attributes
    ----------
    poses
        Names that `pose` points into: those of the body, then ``leaning``, then ``unsettled``.
    pose : ndarray of int, shape (n, k)
        What every brick stopped as.
    states : States, shape (n, k)
        Where each brick was when its hand was done: at rest, or decided by energy and still on its way to rest.
    time_s : ndarray, shape (n,)
        Simulated time from the release until then.
    energy_gain : ndarray, shape (n,)
        Largest rise of the hand's energy above the least it had before, as a share of its energy at release:
        contact only dissipates, so anything above 0 is the engine's error.
    """

    poses: tuple[str, ...]
    pose: npt.NDArray[np.int64]
    states: States
    time_s: npt.NDArray[np.float64]
    energy_gain: npt.NDArray[np.float64]

    def __getitem__(self, hands: slice) -> "Landing":
        """Select some of the hands."""
        return replace(
            self,
            pose=self.pose[hands],
            states=self.states[hands],
            time_s=self.time_s[hands],
            energy_gain=self.energy_gain[hands],
        )

    def counts(self) -> dict[str, int]:
        """Return how many bricks stopped in each pose; every brick is in one of them."""
        tally = np.bincount(self.pose.ravel(), minlength=len(self.poses))
        return dict(zip(self.poses, tally.tolist(), strict=True))


class Engine(Protocol):
    """Integrates hands of bricks from given states until they stop."""

    @property
    def name(self) -> str:
        """Name on the command line and in law files."""
        ...

    @property
    def max_restitution(self) -> float:
        """Largest restitution at which the engine is trusted; more is refused."""
        ...

    @property
    def max_bricks(self) -> int:
        """Most bricks in a hand; more are refused."""
        ...

    @property
    def floors(self) -> tuple[str, ...]:
        """Names of the floors that the engine knows; others are refused."""
        ...

    @property
    def versions(self) -> dict[str, str]:
        """Versions of what computed the result."""
        ...

    def chunk_hands(self, bricks: int, floor: Floor) -> int:
        """Return how many hands make a chunk: some seconds of work, a multiple of `group_hands`."""
        ...

    def group_hands(self, bricks: int, floor: Floor) -> int:
        """Return the size of the groups in which hands share a world and influence each other's rounding.

        It is 1 where hands are independent. Otherwise a hand repeats bit by bit only if its whole group is landed:
        the group, ``index // group_hands``, is a part of the hand's address.
        """
        ...

    def land(
        self, body: Body, contact: ContactCoefficients, states: States, floor: Floor = PLANE
    ) -> Landing:
        """Integrate `states` (n, k) until every hand has stopped or is out of time.

        Raises
        ------
        InvalidValueError
            If the engine is not made for it, see `check_limits`.
        DivergenceError
            If a state is not finite, or a hand gains more energy than the engine's stated share.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class SingleBrickEngine:
    """Base of the engines for single bricks on a plane: throws are independent, and any number makes a chunk.

    Attributes
    ----------
    max_restitution, max_bricks, floors
        What the engine is made for, see `Engine`.
    chunk_bricks
        How many throws make a chunk.
    """

    max_restitution: float = 0.7
    max_bricks: int = 1
    floors: tuple[str, ...] = (PLANE.name,)
    chunk_bricks: int = 1024

    def chunk_hands(self, bricks: int, floor: Floor) -> int:  # noqa: ARG002
        """Return how many hands make a chunk; see `Engine.chunk_hands`."""
        return self.chunk_bricks

    def group_hands(self, bricks: int, floor: Floor) -> int:  # noqa: ARG002
        """Return 1: throws are independent."""
        return 1


def outcomes(body: Body) -> tuple[str, ...]:
    """Return the names of everything that can become of a thrown body."""
    return (*body.poses, LEANING, UNSETTLED)


def check_throws(
    engine: Engine, contact: ContactCoefficients, states: States, floor: Floor
) -> None:
    """Check that there are hands (n, k) to land, and that an engine is made for them.

    Raises
    ------
    InvalidValueError
        If there is no hand, or as `check_limits` says.
    """
    hands, bricks = states.position_mm.shape[:2]
    check_limits(engine, contact, bricks, floor)
    if hands == 0:
        raise InvalidValueError("no throws to land")


def check_gain(
    body: Body, wrong: npt.NDArray[np.bool_], gain: npt.NDArray[np.float64], step_s: float
) -> None:
    """Check that no hand has diverged.

    Parameters
    ----------
    body
        What was thrown.
    wrong : ndarray of bool, shape (n,)
        Hands that have.
    gain : ndarray, shape (n,)
        Their gains of energy, see `Landing`.
    step_s
        The engine's time step.

    Raises
    ------
    DivergenceError
        If one has.
    """
    if wrong.any():
        raise DivergenceError(
            f"{int(wrong.sum())} throws of {body.name} diverged: energy grew by "
            f"{float(gain[wrong][0]):.0%} (limit {ENERGY_GAIN_LIMIT:.0%}) at a step of {step_s:g} s"
        )


def check_limits(
    engine: Engine, contact: ContactCoefficients, bricks: int = 1, floor: Floor = PLANE
) -> None:
    """Check that an engine is made for a throw.

    Raises
    ------
    InvalidValueError
        If the restitution is outside the range in which the engine is trusted, a hand has too many bricks, or the
        engine does not know the floor.
    """
    if contact.restitution > engine.max_restitution:
        raise InvalidValueError(
            f"restitution {contact.restitution:g} is outside 0 to {engine.max_restitution:g}, "
            f"where the {engine.name} engine is trusted"
        )
    if bricks > engine.max_bricks:
        raise InvalidValueError(
            f"{bricks} bricks a hand: the {engine.name} engine throws at most {engine.max_bricks} together"
        )
    if floor.name not in engine.floors:
        raise InvalidValueError(
            f"floor {floor.name!r}: the {engine.name} engine knows only {', '.join(engine.floors)}"
        )
