"""Table: the results of a batch so far: a row for each cell, the numbers of runs, and their texts for people.

One seat may be better than another, so the wins of a bot are counted over all the seats that it takes. Paired
comparisons say how often the same run (with the same scene or setup) has different results in two cells. Stamps tell
which programs computed the rows, where they differ.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import floor, isfinite, log10
from typing import Any, NamedTuple

import numpy as np

from brickphys.batch.chunk import CELL, ERROR, RUN
from brickphys.batch.kinds.study_type import Estimate, Summary
from brickphys.batch.plan import pending
from brickphys.batch.store import Store
from brickphys.errors import InvalidValueError, unknown
from brickphys.text import counted, listed

MAIN = "p_side"
"""The column whose interval is called ci95 without its name, as in all commands."""


@dataclass(frozen=True)
class RunCounts:
    """Numbers of runs: with a result, given up with an error, and missing, judged by the rows so far."""

    done: int
    failed: int
    pending: int

    def line(self, unit: str) -> str:
        """Return the numbers in words; ``unit`` is what the runs are, such as battles."""
        failed = f", {self.failed:,} failed" if self.failed else ""
        to_do = f", {self.pending:,} to do" if self.pending else ""
        return f"{self.done:,} {unit} done{failed}{to_do}"


def counts(store: Store) -> RunCounts:
    """Return how many runs are done, failed and pending."""
    ledger = store.ledger
    failed = ledger.total_failed
    return RunCounts(ledger.total - failed, failed, pending(store))


def check_begun(store: Store) -> None:
    """Raise InvalidValueError if a batch has no rows yet."""
    if not store.shards:
        raise InvalidValueError(f"{store.folder}: no run is done yet: there is nothing to report")


def rows(store: Store) -> list[dict[str, Any]]:
    """Return the table: factors first, then counts and estimates as JSON values, in the order of the cells.

    The rows depend only on which runs are done.
    """
    return [row(store, cell, summary) for cell, summary in summaries(store)]


def row(store: Store, cell: int, summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a cell in the table."""
    return {
        **store.spec.cells[cell],
        "failed": store.ledger.failed(cell),
        **dict(_values(summary, store.spec.columns(cell))),
    }


def summaries(store: Store) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each cell with its results; memory holds the rows of one cell."""
    for cell in range(len(store.spec.cells)):
        found = store.spec.summary(cell, store.good_rows(cell))
        yield cell, dict(found)


@dataclass(frozen=True)
class Failures:
    """Runs that failed with the same error."""

    error: str
    count: int
    """How many runs failed with it."""
    cell: int
    run: int
    """The first run with it."""


def errors(store: Store) -> Iterator[Failures]:
    """Yield the failures of each cell, an entry for each error."""
    for cell in range(len(store.spec.cells)):
        if store.ledger.failed(cell):
            found: dict[str, list[int]] = {}
            table = store.rows(cell, [CELL, RUN, ERROR])
            table = table.filter(table[ERROR].is_valid())
            for run, error in zip(table[RUN].to_pylist(), table[ERROR].to_pylist(), strict=True):
                found.setdefault(error, []).append(run)
            for error, runs in found.items():
                yield Failures(error, len(runs), cell, min(runs))


def failures(store: Store) -> list[Failures]:
    """Return the failures of all cells, an entry for each error, the most frequent one first."""
    found: dict[str, Failures] = {}
    for one in errors(store):
        before = found.get(one.error, replace(one, count=0))
        found[one.error] = replace(before, count=before.count + one.count)
    return sorted(found.values(), key=lambda one: -one.count)


def interval_name(column: str) -> str:
    """Return the name of the interval of an estimate."""
    return "ci95" if column == MAIN else f"{column}_ci95"


def _values(summary: Mapping[str, Any], columns: Collection[str]) -> Iterator[tuple[str, Any]]:
    for name, value in summary.items():
        if isinstance(value, Estimate):
            yield name, value.value
            yield interval_name(name), [end if isfinite(end) else None for end in value[1:]]
        else:
            yield name, value
            if name in columns:  # an estimate that the rows do not give
                yield interval_name(name), None


_SHARE = "p_"
"""Prefix of the names of shares, which are written in percent."""
_ASIDE = 0.1
"""Largest distance of the middle of an interval from the value, in half widths, for which ± is used."""


def cell_columns(store: Store, summaries: Iterable[Summary]) -> list[str]:
    """Return the headings of the columns: factors, runs, and every estimate that some cell has."""
    names = dict.fromkeys(name for summary in summaries for name in _estimates(summary))
    return [*store.spec.factors, store.spec.study_type.unit, "failed", *names]


def headings(store: Store, columns: Sequence[str]) -> list[str]:
    """Return what the columns are called in tables for people."""
    return [store.spec.heading(name) for name in columns]


def uneven_columns(summaries: Iterable[Summary]) -> set[str]:
    """Return the columns with an interval that is too uneven for ±; see `_ASIDE`."""
    return {
        name
        for summary in summaries
        for name, value in summary.items()
        if isinstance(value, Estimate)
        and abs(value.low + value.high - 2 * value.value) > 2 * _ASIDE * value.half_width
    }


def cell_line(
    store: Store, cell: int, summary: Summary, columns: Sequence[str], ends: Collection[str]
) -> list[str]:
    """Return the texts of the columns of a cell; columns in `ends` show intervals by their ends, others by ±."""
    factors = [value_in_words(store.spec.cells[cell][name]) for name in store.spec.factors]
    done = store.ledger.done(cell) - store.ledger.failed(cell)
    names = columns[len(factors) + 2 :]
    estimates = [
        (with_ends if name in ends else _with_half_width)(name, summary.get(name)) for name in names
    ]
    return [*factors, f"{done:,}", f"{store.ledger.failed(cell):,}", *estimates]


def value_in_words(value: Any) -> str:
    """Return the value of a factor as text: ranges with a colon, numbers short, tables key by key.

    Texts of a list have commas between them, lists of a list semicolons.
    """
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list) and len(value) == 2 and all(map(is_number, value)):
        return ":".join(f"{end:g}" for end in value)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ", ".join(value)
    if isinstance(value, list) and value and all(isinstance(part, list) for part in value):
        return "; ".join(value_in_words(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {value_in_words(part)}" for key, part in value.items())
    return value if isinstance(value, str) else json.dumps(value)


def labels(values: Sequence[Any]) -> list[str]:
    """Return values of a factor as texts; of tables only the keys in which they differ."""
    if not all(isinstance(value, dict) for value in values):
        return [value_in_words(value) for value in values]
    keys = dict.fromkeys(key for value in values for key in value)
    differ = [key for key in keys if any(value.get(key) != values[0].get(key) for value in values)]
    some = [{key: value[key] for key in differ if key in value} for value in values]
    return [value_in_words(one) or "none of it" for one in some]


def first_cells(cells: Sequence[int]) -> str:
    """Return the numbers of cells as text, at most the first ten."""
    some = ", ".join(f"{cell}" for cell in cells[:10])
    return f"numbers {some}{' and more' if len(cells) > 10 else ''}, counted from 0"


def is_share(column: str) -> bool:
    """Return whether a column is a share, which is written in percent."""
    return column.startswith(_SHARE)


def _estimates(summary: Summary) -> list[str]:
    return [
        name
        for name, value in summary.items()
        if isinstance(value, Estimate) or (value is None and is_share(name))
    ]


def _with_half_width(name: str, value: Any) -> str:
    if not isinstance(value, Estimate):
        return ""
    scale, unit = _scale(name)
    digits = decimals(scale * value.half_width)
    if not isfinite(value.half_width):
        return f"{scale * value.value:.3g}{unit}"
    return f"{scale * value.value:.{digits}f} ±{scale * value.half_width:.{digits}f}{unit}"


def with_ends(name: str, value: Any) -> str:
    """Return an estimate with the ends of its interval as text; empty if there is none."""
    if not isinstance(value, Estimate):
        return ""
    scale, unit = _scale(name)
    if not isfinite(value.half_width):
        return f"{scale * value.value:.3g}{unit}"
    digits = decimals(scale * value.half_width)
    middle, low, high = (f"{scale * number:.{digits}f}" for number in value)
    return f"{middle}{unit} ({low} to {high})"


def _scale(name: str) -> tuple[float, str]:
    return (100.0, " %") if is_share(name) else (1.0, "")


def decimals(uncertainty: float) -> int:
    """Return how many decimals show two digits of an uncertainty."""
    if not isfinite(uncertainty) or uncertainty <= 0:
        return 1
    return min(max(1 - floor(log10(uncertainty)), 0), 6)


def is_number(value: Any) -> bool:
    """Return whether a value of a factor is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


_BOTS = "bots"


@dataclass(frozen=True)
class BotWins:
    """The games of a bot against the same others, from all its seats."""

    bot: str
    against: str
    """The others as text."""
    factors: Mapping[str, Any]
    """What differs between cells, besides the bots."""
    games: int
    by_seat: Mapping[int, int]
    """Number of games by seat, counted from 0."""
    wins: Estimate
    """Share of all games that it wins."""

    def document(self) -> dict[str, Any]:
        """Return the wins as JSON values."""
        return {
            **self.factors,
            "bot": self.bot,
            "against": self.against,
            "games": self.games,
            "games_by_seat": {str(seat): count for seat, count in self.by_seat.items()},
            "p_win": self.wins.value,
            "p_win_ci95": [self.wins.low, self.wins.high],
        }


def bot_wins(store: Store, summaries: Iterable[tuple[int, Summary]]) -> list[BotWins]:
    """Return the wins of every bot of the line-ups that a study plays in several orders; none of other studies."""
    factors = [name for name in store.spec.factors if name != _BOTS]
    groups: dict[tuple[str, ...], list[tuple[list[str], Summary]]] = {}
    shared: dict[tuple[str, ...], dict[str, Any]] = {}
    for cell, summary in summaries if _BOTS in store.spec.factors else ():
        own, bots = store.spec.cells[cell], store.spec.cells[cell][_BOTS]
        if isinstance(bots, list) and summary.get("p_win_0"):
            others = {name: own[name] for name in factors}
            key = (json.dumps(others, sort_keys=True), *sorted(bots))
            groups.setdefault(key, []).append((bots, summary))
            shared[key] = others
    return [
        one
        for key, played in groups.items()
        if len({tuple(bots) for bots, _ in played}) > 1
        for one in _pooled(played, shared[key])
    ]


def bot_table(found: Iterable[BotWins]) -> tuple[list[str], list[list[str]]]:
    """Return the headings and rows of a table of wins."""
    rows, factors = [], list[str]()
    for one in found:
        factors = list(one.factors)
        values = [value_in_words(value) for value in one.factors.values()]
        seats = " + ".join(f"{count:,}" for count in one.by_seat.values())
        uneven = f" ({seats})" if len({*one.by_seat.values()}) > 1 else ""
        wins = with_ends("p_win", one.wins)
        rows.append([*values, one.bot, one.against, f"{one.games:,}{uneven}", wins])
    return [*factors, "bot", "against", "games", "wins"], rows


def _pooled(
    played: list[tuple[list[str], Summary]], factors: Mapping[str, Any]
) -> Iterator[BotWins]:
    for bot in dict.fromkeys(played[0][0]):
        by_seat, wins = Counter[int](), 0
        for bots, summary in played:
            for seat in (seat for seat, name in enumerate(bots) if name == bot):
                by_seat[seat] += summary["games"]
                wins += round(summary[f"p_win_{seat}"].value * summary["games"])
        games = sum(summary["games"] for _, summary in played)
        others = list(played[0][0])
        others.remove(bot)
        yield BotWins(
            bot=bot,
            against=" and ".join(others),
            factors=factors,
            games=games,
            by_seat=dict(sorted(by_seat.items())),
            wins=Estimate.of_share(wins, games),
        )


MOST_VALUES = 6
"""Largest number of values of a column for which the gain of each is shown, such as those of a winner."""
Values = np.ndarray[tuple[int, ...], np.dtype[np.object_]]


@dataclass(frozen=True)
class PairedComparison:
    """The comparison of two cells, by their numbers.

    `p_differs` is the share of the runs that both have in which the column differs; None without such runs. `gains`
    has, for each value of the column, its share in the second cell less that in the first one, over the same runs; it
    is empty if the column has more than `MOST_VALUES` values.
    """

    cells: tuple[int, int]
    runs: int
    p_differs: Estimate | None
    gains: Mapping[Any, Estimate] = field(default_factory=dict)


def paired_comparisons(store: Store, column: str) -> Iterator[PairedComparison]:
    """Yield the comparison of every pair of cells by a column of the rows.

    InvalidValueError if the rows have no such column.
    """
    found = {}
    for cell in range(len(store.spec.cells)):
        rows = store.good_rows(cell)
        if rows.num_rows and column not in rows.column_names:
            raise unknown("column", column, rows.column_names)
        if rows.num_rows:
            values = np.asarray(rows[column].to_pylist(), dtype=object)
            found[cell] = (rows[RUN].to_numpy(), values)
    for one, other in combinations(range(len(store.spec.cells)), 2):
        if one not in found or other not in found:
            yield PairedComparison((one, other), 0, None)
            continue
        runs, here, there = np.intersect1d(found[one][0], found[other][0], return_indices=True)
        first, second = found[one][1][here], found[other][1][there]
        share = Estimate.of_share(int((first != second).sum()), len(runs)) if len(runs) else None
        yield PairedComparison((one, other), len(runs), share, _gains(first, second))


def _gains(first: Values, second: Values) -> dict[Any, Estimate]:
    """Return by how much the share of each value is larger in the second of two paired samples."""
    known = sorted({*first, *second}, key=lambda value: (str(type(value)), value))
    if len(known) > MOST_VALUES:
        return {}
    more = {
        value: Estimate.of_mean((second == value).astype(float) - (first == value).astype(float))
        for value in known
    }
    return {value: gain for value, gain in more.items() if gain is not None}


class StampedRows(NamedTuple):
    """Rows of one stamp."""

    digest: str
    rows: int
    cells: tuple[int, ...]
    """The cells that have such rows."""
    differences: tuple[str, ...]
    """In what it differs from the first stamp of the batch."""


def stamped_rows(store: Store) -> list[StampedRows]:
    """Return the rows of a batch by their stamp, those of the first one first."""
    first = store.manifest.stamps[0]
    found = []
    for stamp in store.manifest.stamps:
        shards = [shard for shard in store.shards if shard.stamp == stamp.digest]
        if shards:
            cells = tuple(sorted({cell for shard in shards for cell in shard.cells}))
            runs, differences = sum(shard.runs for shard in shards), first.differences(stamp)
            found.append(StampedRows(stamp.digest, runs, cells, tuple(differences)))
    return found


def stamps_in_words(store: Store) -> str | None:
    """Return what differs between the stamps in one table, and which rows have which; None if there is one stamp."""
    found = stamped_rows(store)
    if len(found) < 2:
        return None
    unit = store.spec.study_type.unit
    parts = [
        f"{one.rows:,} {unit} of {counted(len(one.cells), 'cell')}, {first_cells(one.cells)}, have {one.digest}"
        + (f" ({listed(one.differences)})" if one.differences else "")
        for one in found
    ]
    return f"{len(found)} stamps in one table: {'; '.join(parts)}"
