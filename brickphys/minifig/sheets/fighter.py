"""Fighter: a figure in hand-to-hand, as the command line names it (MF Resolving Combat, MF Experience)."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from brickphys.errors import InvalidValueError, unknown
from brickphys.minifig.sheets.bricks import (
    MOUNTED,
    WALL,
    attack_chart,
    attack_rows,
    defence_chart,
    defence_rows,
)
from brickphys.minifig.sheets.charts import Arm, Kind, charts
from brickphys.text import counted, spoken

DOWNWARD, REAR, HIGHER = "downward", "rear", "higher"
EXPERIENCE = "experience"
_Rows = Callable[[Kind, Iterable[Arm]], set[str]]


@dataclass(frozen=True)
class Side:
    """The chart of a side: the rows by place, those by kind and arms, and the bricks of rows."""

    places: tuple[str, ...]
    rows: _Rows
    chart: Callable[[Collection[str]], dict[str, int]]


ATTACK = Side((MOUNTED, WALL, DOWNWARD, REAR), attack_rows, attack_chart)
DEFENCE = Side((MOUNTED, HIGHER, WALL), lambda _kind, arms: defence_rows(arms), defence_chart)


@dataclass(frozen=True)
class Fighter:
    """A figure on one side of a fight.

    Attributes
    ----------
    text
        The words that it was made from.
    kind, arms, experience
        What it is, what it has, and its level.
    places
        The rows by its place.
    bricks
        Its bricks by row.
    points
        What experience adds to its score.
    """

    text: str
    kind: Kind
    arms: tuple[Arm, ...]
    experience: int
    places: frozenset[str]
    bricks: Mapping[str, int]
    points: int

    @property
    def total(self) -> int:
        """Its bricks together."""
        return sum(self.bricks.values())

    @property
    def words(self) -> str:
        """The figure with its bricks, row by row, and its experience."""
        rows = ", ".join(f"{spoken(row)} {bricks}" for row, bricks in self.bricks.items())
        more = f" and {self.points} of experience" if self.points else ""
        return f"{self.text}, {counted(self.total, 'brick')}{f' ({rows})' if rows else ''}{more}"


def fighter_kind(text: str) -> str:
    """Return the word that says what kind of figure words name."""
    return text.partition(",")[0]


_HANDLESS = ", so it can neither ride nor wear anything"


def fighter(text: str, side: Side, *, experience_bricks: bool = False) -> Fighter:
    """Return the figure that words with commas between them name.

    Parameters
    ----------
    text
        Its kind; then in any order its arms, its places, and the colour of its base: its experience.
    side
        Whether it attacks or defends.
    experience_bricks
        Whether experience adds bricks, and not points.

    Raises
    ------
    InvalidValueError
        If a word is unknown, or the figure cannot hold its arms or ride.
    """
    chart, (first, *words) = charts(), text.split(",")
    if first not in chart.kinds:
        raise InvalidValueError(f"figure {text!r}: {unknown('kind', first, chart.kinds)}")
    known = (*chart.arms, *side.places, *chart.colours)
    for word in words:
        if word not in known:
            raise InvalidValueError(f"figure {text!r}: {unknown('word', word, known)}")
    kind = chart.kinds[first]
    arms = tuple(chart.arms[word] for word in words if word in chart.arms)
    places = frozenset(words).intersection(side.places)
    held = sum(not arm.is_worn for arm in arms)
    if held > kind.hands or (not kind.hands and (arms or MOUNTED in places)):
        raise InvalidValueError(
            f"figure {text!r}: a {first} has {counted(kind.hands, 'hand')}{_HANDLESS * (not kind.hands)} "
            "(MF Resolving Combat)"
        )
    colours = [word for word in words if word in chart.colours]
    if len(colours) > 1:
        raise InvalidValueError(
            f"figure {text!r}: a base has one colour, not {len(colours)} (MF Experience)"
        )
    level = chart.colours.index(colours[0]) if colours else 0
    bricks = side.chart(side.rows(kind, arms) | places)
    points = level
    if experience_bricks and level:
        bricks, points = {**bricks, EXPERIENCE: level}, 0
    return Fighter(text, kind, arms, level, places, bricks, points)
