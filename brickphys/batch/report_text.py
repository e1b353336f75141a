"""The table of a batch as words: what goes into a column, and how a number is written for people."""

import json
from collections.abc import Iterable, Sequence
from math import floor, isfinite, log10
from typing import Any

from brickphys.batch.kind import Estimate, Summary
from brickphys.batch.store import Store

_SHARE = "p_"
"""Names of shares begin like this; they are written in percent."""


def cell_columns(store: Store, summaries: Iterable[Summary]) -> list[str]:
    """Return the heads of the columns: factors, runs, and every estimate that some cell has."""
    names = dict.fromkeys(name for summary in summaries for name in _estimates(summary))
    return [*store.spec.factors, store.spec.kind.unit, "failed", *names]


def cell_line(store: Store, cell: int, summary: Summary, columns: Sequence[str]) -> list[str]:
    """Return a cell as the texts of its columns."""
    factors = [in_words(store.spec.cells[cell][name]) for name in store.spec.factors]
    done = store.ledger.done(cell) - store.ledger.failed(cell)
    names = columns[len(factors) + 2 :]
    estimates = [_estimate(name, summary.get(name)) for name in names]
    return [*factors, f"{done:,}", f"{store.ledger.failed(cell):,}", *estimates]


def in_words(value: Any) -> str:
    """Write the value of a factor: ranges with a colon, numbers short."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list) and len(value) == 2 and all(_is_number(end) for end in value):
        return ":".join(f"{end:g}" for end in value)
    return value if isinstance(value, str) else json.dumps(value)


def _estimates(summary: Summary) -> list[str]:
    return [
        name
        for name, value in summary.items()
        if isinstance(value, Estimate) or (value is None and name.startswith(_SHARE))
    ]


def _estimate(name: str, value: Any) -> str:
    if not isinstance(value, Estimate):
        return ""
    scale, unit = (100.0, " %") if name.startswith(_SHARE) else (1.0, "")
    doubt = scale * value.half_width
    if not isfinite(doubt):
        return f"{scale * value.value:.3g}{unit}"
    digits = min(max(1 - floor(log10(doubt)), 0), 6) if doubt else 1
    return f"{scale * value.value:.{digits}f} ±{doubt:.{digits}f}{unit}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
