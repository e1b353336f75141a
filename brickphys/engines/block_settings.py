"""Settings of a block world: all that can be chosen about the integration."""

from dataclasses import dataclass

from brickphys.units import GRAVITY_M_S2


@dataclass(frozen=True)
class BlockSettings:
    """What can be chosen about the integration; the defaults are those of ``docs/crash.md``.

    Attributes
    ----------
    step_s
        Time step.
    iterations
        Iterations of the contact solver in every step.
    margin_mm
        How far blocks that are no boxes grow outward.
    breaking_mm
        Distance within which a contact point exists; a large one swallows restitution.
    bounce_steps
        Contacts slower than what gravity adds in so many steps do not bounce: else blocks at rest would jitter.
    """

    step_s: float = 1 / 4000
    iterations: int = 50
    margin_mm: float = 0.001
    breaking_mm: float = 0.00125
    bounce_steps: float = 2.0

    @property
    def bounce_m_s(self) -> float:
        """Slower contacts do not bounce."""
        return self.bounce_steps * GRAVITY_M_S2 * self.step_s
