"""Sheets: the kinds of units as the command `sheet` shows them, with the values of both sides of the counter."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.sheets.counters import Counter, CounterSide, counters
from brickphys.errors import unknown
from brickphys.rules.report.sheets import Paint, Sheet
from brickphys.text import columns, counted


@dataclass(frozen=True)
class CounterSheet(Sheet):
    """A kind of unit (BB 2.3.2)."""

    counter: Counter

    @property
    def name(self) -> str:
        """Its name."""
        return self.counter.name

    @property
    def about(self) -> str:
        """Its size, density and arm."""
        counter = self.counter
        arm = "cavalry" if counter.is_horse else "foot"
        return f"{counter.size.value} {counter.density.value} {arm}"

    @property
    def dice(self) -> int:
        """Its dice in melee without ranks (BB 9.3)."""
        return charts().dice[self.counter.size.value]

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield the values by name, in good order and disrupted."""
        good, bad = self.counter.good, self.counter.disrupted
        more = " + ranks" if self.counter.has_ranks else ""
        yield "melee dice", f"{self.dice}{more}", f"{self.dice}{more}, no hits"
        yield "movement points", str(good.movement), str(bad.movement)
        yield "missiles", _missiles(good), "none"
        yield "missile defence", str(good.missile_defence), str(bad.missile_defence)
        yield "fear from left, front, right", " ".join(map(str, good.fear)), "none"

    def text(self, paint: Paint) -> str:
        """Return the sheet in lines of text."""
        rows = [(f"  {name}", one, other) for name, one, other in self.rows()]
        head = ("", "good order", "disrupted")
        return "\n".join([f"{self.name}: {self.about}", *columns([head, *rows], "  ")])

    def document(self) -> dict[str, Any]:
        """Return the sheet as values of JSON."""
        counter = self.counter
        sort = (counter.size.value, counter.density.value, counter.arm.value)
        head = {"name": self.name, "about": self.about}
        values = dict(zip(("size", "density", "arm"), sort, strict=True))
        sides = {"good": asdict(counter.good), "disrupted": asdict(counter.disrupted)}
        return {**head, **values, "dice": self.dice, **sides}


def counter_sheets(names: Iterator[str] | None = None) -> tuple[CounterSheet, ...]:
    """Return the sheets of some kinds of units, or of all; InvalidValueError if there is no such kind."""
    known = counters()
    wanted = list(known if names is None else names)
    for name in wanted:
        if name not in known:
            raise unknown("kind of unit", name, known)
    return tuple(CounterSheet(known[name]) for name in wanted)


def _missiles(side: CounterSide) -> str:
    if not side.missile_dice:
        return "none"
    return f"{counted(side.missile_dice, 'die', 'dice')}, {side.missile_range} points"
