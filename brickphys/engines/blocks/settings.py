"""Settings of the integration of blocks."""

from dataclasses import dataclass

from brickphys.units import GRAVITY_M_S2


@dataclass(frozen=True)
class BlockSettings:
    """Settings of the integration; the defaults are explained in ``docs/crash.md``.

    Attributes
    ----------
    step_s
        Time step.
    iterations
        Iterations of the contact solver in every step.
    margin_mm
        Outward growth of the collision shape of blocks that are not boxes.
    breaking_steps
        A contact point exists within the distance that gravity moves a block in so many steps. A large distance
        reduces restitution; with a small one, what lies on the floor sinks.
    bounce_steps
        Contacts slower than the speed that gravity adds in this number of steps do not bounce; else blocks at rest
        would jitter.
    """

    step_s: float = 1 / 1000
    iterations: int = 50
    margin_mm: float = 0.001
    breaking_steps: float = 2.0
    bounce_steps: float = 2.0

    @property
    def bounce_m_s(self) -> float:
        """Speed below which contacts do not bounce."""
        return self.bounce_steps * GRAVITY_M_S2 * self.step_s

    @property
    def sunk_mm(self) -> float:
        """Depth of what stands in the floor: gravity moves a block so far in one step, and more would not matter."""
        return 1000.0 * GRAVITY_M_S2 * self.step_s**2

    @property
    def breaking_mm(self) -> float:
        """Distance within which a contact point exists."""
        return 1000.0 * self.breaking_steps * GRAVITY_M_S2 * self.step_s**2
