"""Text: the columns of the table of a batch, and how values and estimates are written for people."""

import json
from collections.abc import Collection, Iterable, Sequence
from math import floor, isfinite, log10
from typing import Any

from brickphys.batch.kinds.study_type import Estimate, Summary
from brickphys.batch.store.store import Store

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
