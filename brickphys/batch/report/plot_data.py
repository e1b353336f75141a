"""PlotData: one picture of a batch as values: estimates against a factor, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.report.text import is_share, labels, value_in_words
from brickphys.batch.store.store import Store

_MAX_LINES = 8
"""More lines cannot be told apart."""
_MIN_HEAT = 3
"""Values that both factors of a heat map have at least."""


class PlotType(Enum):
    """What a plot looks like."""

    BANDS = "bands"
    """Lines against a number, in bands that are intervals."""
    DOTS = "dots"
    """Dots with intervals against words."""
    HEAT = "heat"
    """A heat map of two numbers: the lines are its rows."""
    SCATTER = "scatter"
    """A dot a cell, against a number that was sampled."""


@dataclass(frozen=True)
class PlotLine:
    """One estimate along a plot.

    Attributes
    ----------
    label
        What it is of.
    estimates
        One for each place of the plot; None where a cell tells nothing.
    """

    label: str
    estimates: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class PlotData:
    """One picture.

    Attributes
    ----------
    name
        For a file.
    plot_type
        What it looks like.
    column
        What is estimated; several columns have a common name.
    factor
        Against what; empty if nothing was varied.
    places
        Values of the factor, numbers for all forms but dots.
    lines
        The estimates.
    line_factor
        What the labels of the lines are values of; empty if they are columns.
    """

    name: str
    plot_type: PlotType
    column: str
    factor: str
    places: tuple[Any, ...]
    lines: tuple[PlotLine, ...]
    line_factor: str = ""

    @property
    def share(self) -> bool:
        """Whether its estimates are shares, to be drawn in percent."""
        return is_share(self.column)

    @property
    def caption(self) -> str:
        """What it shows, in words."""
        what = self.column if self.column != "p_" else ", ".join(one.label for one in self.lines)
        lines = f", for each {self.line_factor}" if self.line_factor else ""
        return f"{what} against {self.factor}{lines}" if self.factor else what


def plots_of(store: Store, summaries: Mapping[int, Mapping[str, Any]]) -> Iterator[PlotData]:
    """Yield the pictures of a batch.

    Parameters
    ----------
    store
        The batch.
    summaries
        What its cells come to, by cell.
    """
    told = [summaries[cell] for cell in range(len(store.spec.cells))]
    factors, cells = store.spec.factors, _in_words(store)
    for group in _groups(told):
        if "sample" in store.spec.document:
            yield from _scatters(factors, cells, told, group)
        elif len(factors) <= 1:
            yield _against_one(factors, cells, told, group)
        else:
            for column in group:
                yield from _against_many(factors, cells, told, column)


def _in_words(store: Store) -> list[dict[str, Any]]:
    """Return the factors of every cell: as numbers where all cells have numbers, else in words."""
    cells = store.spec.cells
    columns = {name: [cell[name] for cell in cells] for name in store.spec.factors}
    told = {n: vs if all(map(_is_number, vs)) else labels(vs) for n, vs in columns.items()}
    return [{name: values[index] for name, values in told.items()} for index in range(len(cells))]


def _groups(told: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    """Yield columns that are drawn together: shares that follow each other, and that the same cells tell of."""
    where: dict[str, set[int]] = {}
    for cell, summary in enumerate(told):
        for name, value in summary.items():
            if isinstance(value, Estimate):
                where.setdefault(name, set()).add(cell)
    group: list[str] = []
    for name, cells in where.items():
        together = all(map(is_share, [name, *group[:1]])) and cells == where[(group or [name])[0]]
        if group and not together:
            yield group
            group = []
        group.append(name)
    if group:
        yield group


def _against_one(
    factors: Sequence[str],
    cells: Sequence[Mapping[str, Any]],
    told: Sequence[Mapping[str, Any]],
    group: Sequence[str],
) -> PlotData:
    factor = factors[0] if factors else ""
    some = [index for index, summary in enumerate(told) if _estimate(summary, group[0])]
    values = {index: cells[index].get(factor, "") for index in some}
    numeric = len(values) > 1 and all(map(_is_number, values.values()))
    order = sorted(some, key=lambda index: values[index]) if numeric else some
    places = tuple(values[i] if numeric else value_in_words(values[i]) for i in order)
    lines = tuple(PlotLine(name, tuple(_estimate(told[i], name) for i in order)) for name in group)
    column = group[0] if len(group) == 1 else "p_"
    form = PlotType.BANDS if numeric else PlotType.DOTS
    return PlotData(_name(group), form, column, factor, places, lines)


def _against_many(
    factors: Sequence[str],
    cells: Sequence[Mapping[str, Any]],
    told: Sequence[Mapping[str, Any]],
    column: str,
) -> Iterator[PlotData]:
    """Yield plots_of against the factor that shows most, a line for every value of the others; of cells that tell."""
    some = [
        (cell, one)
        for cell, summary in zip(cells, told, strict=True)
        if (one := _estimate(summary, column))
    ]
    values = {name: list(dict.fromkeys(cell[name] for cell, _ in some)) for name in factors}
    numbers = [name for name in factors if all(map(_is_number, values[name]))]
    x = max(numbers or factors, key=lambda name: len(values[name]))
    others = [name for name in factors if name != x]
    places = sorted(values[x]) if x in numbers else values[x]
    found: dict[str, dict[Any, Estimate]] = {}
    for cell, estimate in some:
        label = ", ".join(value_in_words(cell[name]) for name in others)
        while cell[x] in found.get(label, {}):  # a cell may be there twice
            label += " again"
        found.setdefault(label, {})[cell[x]] = estimate
    lines = [PlotLine(label, tuple(by.get(p) for p in places)) for label, by in found.items()]
    is_map = set(factors) == set(numbers) and min(map(len, values.values())) >= _MIN_HEAT
    form = (
        PlotType.HEAT
        if is_map and len(factors) == 2
        else PlotType.BANDS
        if x in numbers
        else PlotType.DOTS
    )
    step = len(lines) if form is PlotType.HEAT else _MAX_LINES
    for part, first in enumerate(range(0, len(lines), step)):
        name = _name([column]) + (f"_{part + 1}" if len(lines) > step else "")
        few = tuple(lines[first : first + step])
        yield PlotData(name, form, column, x, tuple(places), few, ", ".join(others))


def _scatters(
    factors: Sequence[str],
    cells: Sequence[Mapping[str, Any]],
    told: Sequence[Mapping[str, Any]],
    group: Sequence[str],
) -> Iterator[PlotData]:
    """Yield a plot for every factor that was sampled: what it does shows through what the others do."""
    for factor in factors:
        values = [cell[factor] for cell in cells]
        numeric = all(map(_is_number, values))
        order = sorted(range(len(values)), key=lambda i: values[i] if numeric else str(values[i]))
        places = tuple(values[i] if numeric else value_in_words(values[i]) for i in order)
        for name in group:
            line = PlotLine(name, tuple(_estimate(told[i], name) for i in order))
            yield PlotData(
                f"{_name([name])}_{factor}", PlotType.SCATTER, name, factor, places, (line,)
            )


def _estimate(summary: Mapping[str, Any], name: str) -> Estimate | None:
    value = summary.get(name)
    return value if isinstance(value, Estimate) else None


def _name(group: Sequence[str]) -> str:
    return group[0] if len(group) == 1 else "_".join(name.removeprefix("p_") for name in group[:3])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
