"""Forecast: the odds of an action that is rolled for, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

OWN = "own men"
"""The word of `Forecast.strikes` for the chance that somebody of the attacker's own side is killed."""


@dataclass(frozen=True)
class Forecast:
    """The roll for an action, or for one of the choices that it leads to.

    Attributes
    ----------
    text
        The action's notation.
    question
        The question of the roll.
    outcomes
        Outcome in words -> probability; outcomes of the same meaning are one. Empty if there is no law.
    losses
        Name of a number of `Game.shrinking`, such as the units in play -> probability that it shrinks.
    strikes
        ``hit`` and ``kill``, or other such words -> probability: what the player wants to know first of an attack.
        A list of choices shows it behind the attack. Empty if it is no attack.
    """

    text: str
    question: str
    outcomes: Mapping[str, Fraction]
    losses: Mapping[str, Fraction]
    strikes: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def harms_own(self) -> bool:
        """Whether an attack is likelier to kill one of its own side than an enemy."""
        enemies = sum(chance for name, chance in self.strikes.items() if name != OWN)
        return self.strikes.get(OWN, Fraction(0)) > enemies
