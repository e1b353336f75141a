"""Sheets of figures as the command `sheet` shows them: the bricks of attack and defence, each with its reason."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

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
from brickphys.rules.report.sheets import Paint, SheetList
from brickphys.text import columns, counted, spoken

_KIND = "soldier"
"""The kind of a figure of which only the arms are named."""
_HORSE = "horse"
REASONS = {
    "attack": {
        WALL: "fights from a wall or barricade",
        "downward": "stands a brick higher or more",
        "rear": "comes from behind the defender",
    },
    "defence": {
        "higher": "stands a brick higher or more",
        WALL: "stands behind a wall",
    },
}
"""The rows that depend on where figures stand (MF Resolving Combat)."""


@dataclass(frozen=True)
class FigureSheet:
    """A figure with its arms, on foot or on a horse."""

    kind: Kind
    arms: tuple[Arm, ...]
    is_mounted: bool = False

    @property
    def name(self) -> str:
        """Its kind, its arms and its horse: ``soldier+sword+shield``."""
        arms = (arm.name for arm in self.arms)
        return "+".join([self.kind.name, *arms, *[_HORSE] * self.is_mounted])

    @property
    def title(self) -> str:
        """The same as it is read: ``soldier with sword, shield``."""
        kind, *rest = self.name.split("+")
        return f"{kind} with {', '.join(rest)}" if rest else kind

    @property
    def about(self) -> str:
        """Its bricks, in a line."""
        sums = (f"{side} {sum(chart.values())}" for side, chart in self.charts().items())
        return ", ".join([*sums, *(f"shoots ({arm.name})" for arm in self.arms if arm.missile)])

    @property
    def cost_points(self) -> None:
        """None: the book has no prices."""

    def marked(self, marks: Mapping[str, int]) -> "FigureSheet":
        """Raise InvalidValueError: nothing is marked."""
        raise InvalidValueError(f"{self.name} has nothing to mark: {', '.join(marks)}")

    def charts(self, *more: str) -> dict[str, dict[str, int]]:
        """Return the bricks by row, of attack and of defence, in its place with more rows (MF Resolving Combat)."""
        place = {*more, *[MOUNTED] * self.is_mounted}
        return {
            "attack": attack_chart(attack_rows(self.kind, self.arms) | place),
            "defence": defence_chart(defence_rows(self.arms) | place),
        }

    def more(self, side: str, row: str) -> int:
        """Return the bricks that a row of `REASONS` adds to the attack or the defence."""
        return sum(self.charts(row)[side].values()) - sum(self.charts()[side].values())

    def reason(self, side: str, row: str) -> str:
        """Return why it has the bricks of a row."""
        if row == MOUNTED:
            return "rides: doubles the rows above" if side == "attack" else "rides"
        return (
            ", ".join(arm.name for arm in self.arms if row in getattr(arm, side)) or self.kind.name
        )

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Yield the names and values of its numbers."""
        rows, held = charts().move_in, sum(not arm.is_worn for arm in self.arms)
        yield "hands", f"{held} of {self.kind.hands} full"
        if self.is_mounted:
            late, pulls = rows["cavalry"] - rows["mounting"], rows["pulling"]
            yield (
                "moves",
                f"{rows['cavalry']:g} in; {late:g} if it mounts first, {pulls:g} with a wagon",
            )
        else:
            pushes = f"; {rows['pushing']:g} with a wagon" * (self.kind.hands > 0)
            yield "moves", f"{rows[self.kind.move]:g} in{pushes}"
        for arm in self.arms:
            if arm.missile:
                row = charts().missiles[arm.missile]
                reloads = "; a round to reload" * arm.reloads
                text = f"knocks over, or {counted(row.bricks, 'brick')}"
                yield f"{arm.name}", f"{row.weapon.range_in:g} in: {text}{reloads}"

    def text(self, paint: Paint) -> str:
        """Return the numbers, and each row of attack and defence with its reason."""
        lines = [f"{self.name}: {self.about}", *columns(self.numbers(), "  ")]
        for side, chart in self.charts().items():
            rows = [(spoken(row), f"{n}", self.reason(side, row)) for row, n in chart.items()]
            rows += [
                (spoken(row), f"+{self.more(side, row)}", f"where it {reason}")
                for row, reason in REASONS[side].items()
            ]
            lines += ["", f"{side}, {counted(sum(chart.values()), 'brick')}:", *columns(rows, "  ")]
        return "\n".join(lines)

    def document(self) -> dict[str, Any]:
        """Return the sheet as values of JSON; ``more`` are the bricks that a place adds."""
        sides = {
            side: {"bricks": chart, "more": {row: self.more(side, row) for row in REASONS[side]}}
            for side, chart in self.charts().items()
        }
        return {
            "name": self.name,
            "kind": self.kind.name,
            "arms": [arm.name for arm in self.arms],
            "mounted": self.is_mounted,
            **sides,
        }


def sheet_list(source: str | None = None) -> SheetList:
    """Return the sheet of a figure; without a source those of all kinds, and of a soldier with each arm and a horse.

    Parameters
    ----------
    source
        Its kind, a soldier if none is named, its arms, and ``horse`` for a rider: ``peasant+spear``.
    """
    names = [*charts().kinds, *charts().arms, _HORSE] if source is None else [source]
    return SheetList(tuple(_sheet(name) for name in names))


def _sheet(source: str) -> FigureSheet:
    """Return the sheet of a figure by its words; InvalidValueError says what it cannot have."""
    kinds, arms = charts().kinds, charts().arms
    words = source.split("+")
    kind = kinds[words.pop(0) if words[0] in kinds else _KIND]
    is_mounted = _HORSE in words
    named = [word for word in words if word != _HORSE]
    if kind.hands == 0 and words:
        raise InvalidValueError(f"{source}: a {kind.name} neither rides nor has arms (MF Rules)")
    for number, word in enumerate(named):
        if word in kinds:
            raise InvalidValueError(f"{source}: {word} is a kind, and comes first and alone")
        if word not in arms:
            raise unknown("arms or kind", word, [*kinds, *arms, _HORSE])
        if word in named[:number]:
            raise InvalidValueError(f"{source}: {word} is named twice")
    found = tuple(arms[word] for word in named)
    if (held := sum(not arm.is_worn for arm in found)) > kind.hands:
        hands = counted(kind.hands, "hand")
        raise InvalidValueError(
            f"{source}: {held} arms to hold, a {kind.name} has {hands} (MF Rules)"
        )
    return FigureSheet(kind, found, is_mounted)
