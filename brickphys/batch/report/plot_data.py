"""Plot data: one picture of a batch as values: estimates against a factor, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice
from typing import Any

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.report.table import is_number, is_share, labels, value_in_words
from brickphys.batch.store import Store

_MAX_LINES = 8
"""Most lines of a plot; more cannot be distinguished."""
_MOST_PICTURES = 24
"""The most pictures of a report: a study of many cells would have thousands."""
_MIN_HEAT = 3
"""Fewest values of each factor of a heat map."""

Rows = Sequence[Mapping[str, Any]]
"""Of each cell its factors, or its results."""


class PlotType(Enum):
    """How a plot is drawn."""

    BANDS = "bands"
    """Lines against a number; bands show the intervals."""
    DOTS = "dots"
    """Dots with intervals against texts."""
    HEAT = "heat"
    """A heat map over two numbers; its rows are the lines."""
    SCATTER = "scatter"
    """A dot for each cell, against a number that was sampled."""


@dataclass(frozen=True)
class PlotLine:
    """A line of a plot by its label in the legend: an estimate for each place; None where a cell has none.

    `column` is what it shows, where columns tell the lines apart.
    """

    label: str
    estimates: tuple[Estimate | None, ...]
    column: str = ""


@dataclass(frozen=True)
class PlotData:
    """One plot."""

    name: str
    """File name without suffix."""
    plot_type: PlotType
    """How it is drawn."""
    column: str
    """The column that is estimated; ``p_`` stands for several shares."""
    factor: str
    """The factor on the horizontal axis; empty if nothing was varied."""
    places: tuple[Any, ...]
    """Values of the factor: numbers, or texts for dots."""
    lines: tuple[PlotLine, ...]
    line_factor: str = ""
    """The factors whose values label the lines; empty if columns do."""
    heading: str = ""
    """What the column is called."""
    sides: tuple[str, ...] = ()
    """Names of the sides whose wins are counted, if there are sides."""
    colours: tuple[str, ...] = ()

    @property
    def share(self) -> bool:
        """Whether its estimates are shares, which are drawn in percent."""
        return is_share(self.column)

    @property
    def file(self) -> str:
        """File name of its picture."""
        return f"{self.name}.png"

    @property
    def caption(self) -> str:
        """The caption of the plot."""
        what = self.heading if self.column != "p_" else ", ".join(one.label for one in self.lines)
        lines = f", for each {self.line_factor}" if self.line_factor else ""
        return f"{what} against {self.factor}{lines}" if self.factor else what


def plots_of_report(store: Store, summaries: Mapping[int, Mapping[str, Any]]) -> list[PlotData]:
    """Return the plots that a report shows: at most `_MOST_PICTURES` of those of `plots_of`."""
    return list(islice(plots_of(store, summaries), _MOST_PICTURES))


def plots_of(store: Store, summaries: Mapping[int, Mapping[str, Any]]) -> Iterator[PlotData]:
    """Yield the plots of a batch from the results of its cells, by number of the cell."""
    named = store.spec.heading
    for plot in _plots(store, summaries):
        lines = plot.lines
        if not plot.line_factor:
            lines = tuple(replace(line, label=named(line.label)) for line in lines)
        heading = named(plot.column)
        sides, colours = store.spec.sides, store.spec.side_colours
        yield replace(plot, lines=lines, heading=heading, sides=sides, colours=colours)


def _plots(store: Store, summaries: Mapping[int, Mapping[str, Any]]) -> Iterator[PlotData]:
    """Yield the plots, in which everything is called by its column."""
    results = [summaries[cell] for cell in range(len(store.spec.cells))]
    factors, cells = store.spec.factors, _in_words(store)
    for group in _groups(results):
        if "sample" in store.spec.document:
            yield from _scatters(factors, cells, results, group)
        elif len(factors) <= 1:
            yield _against_one(factors, cells, results, group)
        else:
            for column in group:
                yield from _against_many(factors, cells, results, column)


def _in_words(store: Store) -> list[dict[str, Any]]:
    """Return the factors of every cell: as numbers if all cells have numbers, else as texts."""
    cells = store.spec.cells
    columns = {name: [cell[name] for cell in cells] for name in store.spec.factors}
    shown = {n: vs if all(map(is_number, vs)) else labels(vs) for n, vs in columns.items()}
    return [{name: values[index] for name, values in shown.items()} for index in range(len(cells))]


def _groups(results: Rows) -> Iterator[list[str]]:
    """Yield columns that are drawn together: consecutive shares that the same cells have."""
    where: dict[str, set[int]] = {}
    for cell, summary in enumerate(results):
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
    factors: Sequence[str], cells: Rows, results: Rows, group: Sequence[str]
) -> PlotData:
    factor = factors[0] if factors else ""
    some = [index for index, summary in enumerate(results) if _estimate(summary, group[0])]
    values = {index: cells[index].get(factor, "") for index in some}
    numeric = len(values) > 1 and all(map(is_number, values.values()))
    order = sorted(some, key=lambda index: values[index]) if numeric else some
    places = tuple(values[i] if numeric else value_in_words(values[i]) for i in order)
    lines = tuple(_line(name, results, order) for name in group)
    column = group[0] if len(group) == 1 else "p_"
    form = PlotType.BANDS if numeric else PlotType.DOTS
    return PlotData(_name(group), form, column, factor, places, lines)


def _against_many(
    factors: Sequence[str], cells: Rows, results: Rows, column: str
) -> Iterator[PlotData]:
    """Yield plots against the factor with most values, with a line for every value of the others."""
    some = [
        (cell, one)
        for cell, summary in zip(cells, results, strict=True)
        if (one := _estimate(summary, column))
    ]
    values = {name: list(dict.fromkeys(cell[name] for cell, _ in some)) for name in factors}
    numbers = [name for name in factors if all(map(is_number, values[name]))]
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
    form = PlotType.BANDS if x in numbers else PlotType.DOTS
    if is_map and len(factors) == 2:
        form = PlotType.HEAT
    step = len(lines) if form is PlotType.HEAT else _MAX_LINES
    for part, first in enumerate(range(0, len(lines), step)):
        name = column + (f"_{part + 1}" if len(lines) > step else "")
        few = tuple(lines[first : first + step])
        yield PlotData(name, form, column, x, tuple(places), few, ", ".join(others))


def _scatters(
    factors: Sequence[str], cells: Rows, results: Rows, group: Sequence[str]
) -> Iterator[PlotData]:
    """Yield a plot for every factor that was sampled, a dot for each cell."""
    for factor in factors:
        values = [cell[factor] for cell in cells]
        numeric = all(map(is_number, values))
        order = sorted(range(len(values)), key=lambda i: values[i] if numeric else str(values[i]))
        places = tuple(values[i] if numeric else value_in_words(values[i]) for i in order)
        for name in group:
            lines = (_line(name, results, order),)
            yield PlotData(f"{name}_{factor}", PlotType.SCATTER, name, factor, places, lines)


def _line(column: str, results: Rows, order: Sequence[int]) -> PlotLine:
    """Return the estimates of a column, for the cells in an order."""
    return PlotLine(column, tuple(_estimate(results[cell], column) for cell in order), column)


def _estimate(summary: Mapping[str, Any], name: str) -> Estimate | None:
    value = summary.get(name)
    return value if isinstance(value, Estimate) else None


def _name(group: Sequence[str]) -> str:
    return group[0] if len(group) == 1 else "_".join(name.removeprefix("p_") for name in group[:3])
