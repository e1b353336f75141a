"""Forecast: what may come of an action that is rolled for, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Forecast:
    """What is rolled for an action, or for one of the choices that it leads to.

    Attributes
    ----------
    text
        The action's notation.
    question
        What is rolled.
    outcomes
        Outcome in words -> probability; outcomes of the same meaning are one. Empty if there is no law.
    losses
        What the game says can only shrink, such as the units in play -> probability that it does.
    """

    text: str
    question: str
    outcomes: Mapping[str, Fraction]
    losses: Mapping[str, Fraction]
