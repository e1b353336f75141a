"""Odds report: the exact odds of a roll that a game offers, as values for the command `odds` and its picture."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from brickphys.odds.distribution import Distribution


@dataclass(frozen=True)
class OddsReport:
    """Exact odds.

    Attributes
    ----------
    title
        What is rolled, in words.
    chances
        Probability of each event, by its words.
    laws
        Distribution of each number, by its words.
    """

    title: str
    chances: Mapping[str, Fraction] = field(default_factory=dict)
    laws: Mapping[str, Distribution] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return the odds as values of JSON, with exact fractions as text."""
        return {
            "title": self.title,
            "chances": {
                name: {"p": float(chance), "exact": str(chance)}
                for name, chance in self.chances.items()
            },
            "laws": {
                name: {
                    "mean": float(law.mean()),
                    "p": {str(number): float(chance) for number, chance in law.items()},
                    "exact": {str(number): str(chance) for number, chance in law.items()},
                }
                for name, law in self.laws.items()
            },
        }


def distribution(parts: Iterable[tuple[int, Fraction]]) -> Distribution:
    """Return the distribution of a number from its values with their probabilities; equal values are added up."""
    found: dict[int, Fraction] = {}
    for number, chance in parts:
        found[number] = found.get(number, Fraction(0)) + chance
    scale = lcm(*(chance.denominator for chance in found.values()))
    return Distribution.from_counts({n: int(chance * scale) for n, chance in found.items()})
