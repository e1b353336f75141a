"""The table of a batch for people."""

from collections.abc import Sequence
from itertools import accumulate, islice
from typing import TYPE_CHECKING

import click

from brickphys.cli.shared import output

if TYPE_CHECKING:
    from brickphys.batch.store.store import Store

_SHOWN = 40
"""Cells that are printed; the report has all."""
_WIDTH = 118
_GAP = 3


def print_rows(store: "Store") -> None:
    """Print the estimates of each cell with their intervals: as ± if all of a column are even, else with their ends."""
    from brickphys.batch.report.table import summaries
    from brickphys.batch.report.text import cell_columns, cell_line, uneven_columns

    found = list(islice(summaries(store), _SHOWN))
    results = [summary for _, summary in found]
    columns, ends = cell_columns(store, results), uneven_columns(results)
    lines = [cell_line(store, cell, summary, columns, ends) for cell, summary in found]
    fitting = _fitting(columns, lines)
    output.print_table(columns[:fitting], [line[:fitting] for line in lines])
    if left := columns[fitting:]:
        click.echo(f"\nno room for {', '.join(left)}: `batch report` has all columns")
    if len(store.spec.cells) > _SHOWN:
        click.echo(f"... and {len(store.spec.cells) - _SHOWN:,} cells more")


def _fitting(columns: Sequence[str], lines: Sequence[Sequence[str]]) -> int:
    """Return how many columns fit into a terminal."""
    widths = [max(map(len, column)) + _GAP for column in zip(columns, *lines, strict=True)]
    return sum(end <= _WIDTH for end in accumulate(widths))
