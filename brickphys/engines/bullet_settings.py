"""Settings of the Bullet engine: all that can be chosen about the integration."""

from dataclasses import dataclass

from brickphys.units import GRAVITY_M_S2


@dataclass(frozen=True)
class BulletSettings:
    """What can be chosen about the integration; the defaults are those of the convergence study.

    Attributes
    ----------
    step_s
        Time step.
    iterations
        Iterations of the contact solver in every step.
    erp
        Share of a penetration that is pushed out in a step.
    margin_mm
        How far hulls grow outward.
    breaking_mm
        Distance within which a contact point exists; a large one swallows restitution.
    bounce_steps
        Contacts slower than what gravity adds in so many steps do not bounce: else bodies at rest would jitter.
    look_s
        Time between two looks at whether a hand is decided, at rest, or in flight.
    by_energy
        Stop once the energy left cannot turn any brick over; else integrate to rest.
    flights
        Fly in closed form between bounces; else step through the air.
    rest_m_s, rest_rad_s, rest_s
        A hand rests when all its bricks have been slower than this for this long.
    limit_s
        A hand that is not done after this time is unsettled.
    hands
        Hands a world, for single bricks.
    """

    step_s: float = 1 / 4000
    iterations: int = 20
    erp: float = 0.0
    margin_mm: float = 0.001
    breaking_mm: float = 0.00125
    bounce_steps: float = 2.0
    look_s: float = 0.008
    by_energy: bool = True
    flights: bool = True
    rest_m_s: float = 0.001
    rest_rad_s: float = 0.1
    rest_s: float = 0.1
    limit_s: float = 10.0
    hands: int = 512

    @property
    def look_steps(self) -> int:
        """Steps between two looks."""
        return max(1, round(self.look_s / self.step_s))

    @property
    def bounce_m_s(self) -> float:
        """Slower contacts do not bounce."""
        return self.bounce_steps * GRAVITY_M_S2 * self.step_s
