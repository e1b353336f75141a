"""Settings of the Bullet engine."""

from dataclasses import dataclass

from brickphys.engines.engine import LIMIT_S
from brickphys.units import GRAVITY_M_S2


@dataclass(frozen=True)
class BulletSettings:
    """Settings of the integration; the defaults come from the convergence study.

    Attributes
    ----------
    step_s
        Time step.
    iterations, stud_iterations
        Iterations of the contact solver in every step, and those on studs. A brick that strikes several studs at once
        can gain energy from more.
    erp
        Share of a penetration that is pushed out in a step.
    margin_mm
        Outward growth of hulls with sharp edges; others grow from their core by the edge radius.
    breaking_mm
        Distance within which a contact point exists; a large distance reduces restitution.
    bounce_steps
        Contacts slower than the speed that gravity adds in this number of steps do not bounce; else bodies at rest
        would jitter.
    check_s
        Time between two checks whether a hand is decided, at rest, or in flight.
    by_energy
        Whether to stop once no brick has the energy to leave its pose; else integrate to rest.
    flights
        Whether to compute flights in closed form; else step them.
    sunk_mm
        A brick that is deeper than this in the floor or in another brick, and does not leave it, is moved out.
    rest_m_s, rest_rad_s, rest_s
        A hand is at rest when the mean speed and spin of all its bricks between two checks have been below these limits
        for this time.
    limit_s
        A hand that is not done after this time is unsettled.
    hands
        Hands in a world, for single bricks.
    """

    step_s: float = 1 / 4000
    iterations: int = 50
    stud_iterations: int = 20
    erp: float = 0.0
    margin_mm: float = 0.001
    breaking_mm: float = 0.00125
    bounce_steps: float = 2.0
    check_s: float = 0.008
    by_energy: bool = True
    flights: bool = True
    sunk_mm: float = 0.005
    rest_m_s: float = 0.001
    rest_rad_s: float = 0.1
    rest_s: float = 0.1
    limit_s: float = LIMIT_S
    hands: int = 512

    @property
    def check_steps(self) -> int:
        """Time steps between two checks."""
        return max(1, round(self.check_s / self.step_s))

    @property
    def bounce_m_s(self) -> float:
        """Speed below which contacts do not bounce."""
        return self.bounce_steps * GRAVITY_M_S2 * self.step_s
