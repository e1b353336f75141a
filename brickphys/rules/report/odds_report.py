"""Odds report: the exact odds of a roll that a game offers, as values for the command `odds` and its picture."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from brickphys.odds.comparison import Chances
from brickphys.odds.distribution import Distribution
from brickphys.odds.opposed import Doubts
from brickphys.text import shown


@dataclass(frozen=True)
class OddsTable:
    """The chance of one event for each pair of several things on either side.

    Attributes
    ----------
    rows, columns
        What stands at the left, and at the top.
    chances
        Of each row, for each column.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    chances: tuple[tuple[Fraction, ...], ...]

    def document(self) -> dict[str, Any]:
        """Return the table as values of JSON."""
        return {
            "rows": self.rows,
            "columns": self.columns,
            "p": [[float(chance) for chance in row] for row in self.chances],
            "exact": [[str(chance) for chance in row] for row in self.chances],
        }


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
    doubts
        How well the chances of events are known that rest on a law of bricks, by the words of the event.
    table
        The chances of pairs, if the report is of pairs.
    turn
        The chances of all attacks of a turn by names that all attacks share, for comparisons; None if those of the
        report itself serve.
    bricks
        How many bricks each hand has; empty if that is not known.
    """

    title: str
    chances: Mapping[str, Fraction] = field(default_factory=dict)
    laws: Mapping[str, Distribution] = field(default_factory=dict)
    doubts: Mapping[str, Doubts] = field(default_factory=dict)
    table: OddsTable | None = None
    turn: Chances | None = None
    bricks: tuple[int, ...] = ()

    @property
    def compared(self) -> Chances:
        """The chances by which this roll is compared with others."""
        return self.turn or Chances(self.title, self.chances, self.laws, self.bricks)

    def document(self) -> dict[str, Any]:
        """Return the odds as values of JSON, with exact fractions as text."""
        return {
            "title": self.title,
            "chances": {
                name: {"p": float(chance), "exact": str(chance), **self._doubts(name)}
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
            **({} if self.table is None else {"table": self.table.document()}),
        }

    def _doubts(self, name: str) -> dict[str, Any]:
        if name not in self.doubts:
            return {}
        return dict(zip(("ci95", "range90"), self.doubts[name], strict=True))


def distribution(parts: Iterable[tuple[int, Fraction]]) -> Distribution:
    """Return the distribution of a number from its values with their probabilities; equal values are added up."""
    found: dict[int, Fraction] = {}
    for number, chance in parts:
        found[number] = found.get(number, Fraction(0)) + chance
    scale = lcm(*(chance.denominator for chance in found.values()))
    return Distribution.from_counts({n: int(chance * scale) for n, chance in found.items()})


def swap_hint(attacker: str, defender: str, *, shoots: bool) -> str:
    """Return the end of a message on an attacker that does not shoot, where the defender does; else nothing."""
    if not shoots:
        return ""
    return f"; {shown(defender)} shoots: who attacks stands first, {defender} {attacker}"
