"""Rank: ranks the armies of random battles by strength."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import output
from brickphys.cli.shared.options import FILE
from brickphys.cli.shared.output_options import OutputOptions, output_options
from brickphys.errors import InvalidValueError
from brickphys.text import percent, percent_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from brickphys.batch.value.ranking import Rank


@click.command()
@click.argument("folder", metavar="DIR", type=FILE)
@output_options("Draw the shares of battles that were won")
def rank(folder: Path, out: OutputOptions) -> None:
    """Rank the armies of the battles in DIR by share of wins and Elo rating.

    The study must draw its armies: `draw` in place of `scenario`. Battles of all cells count together; a draw counts
    half. All intervals are 95 % intervals.

    \b
    Example:
      brickphys batch run ships --out results
      brickphys batch rank results --plot ranks.png
    """
    import pyarrow as pa

    from brickphys.batch.store.store import open_store
    from brickphys.batch.value.ranking import ranking

    out.check()
    store = open_store(folder)
    done = [
        store.good_rows(cell) for cell in range(len(store.spec.cells)) if store.ledger.done(cell)
    ]
    if not done or not {"setup", "winner"} <= {*done[0].column_names}:
        raise InvalidValueError(f"{folder}: no battle is done yet")
    if all(store.spec.settings(cell).get("draw") is None for cell in range(len(store.spec.cells))):
        raise InvalidValueError(
            f"{folder}: no armies were drawn: `batch rank` needs a study of battles with `draw` in place of `scenario`"
        )
    ranks = ranking(pa.concat_tables(done))
    out.write(
        "batch-rank", partial(_document, ranks), partial(_print, ranks), partial(_figure, ranks)
    )


def _document(ranks: "Sequence[Rank]") -> dict[str, Any]:
    return {
        "ranks": [
            {
                "name": one.name,
                "battles": one.battles,
                "share": one.share.value,
                "share_ci95": [one.share.low, one.share.high],
                "elo": None if one.rating is None else one.rating.elo,
                "elo_ci95": None if one.rating is None else list(one.rating.ci95),
            }
            for one in ranks
        ]
    }


def _print(ranks: "Sequence[Rank]") -> None:
    rows = [
        (
            one.name,
            f"{one.battles:,}",
            f"{percent(one.share.value)} ({percent_range(one.share.low, one.share.high)})",
            "" if one.rating is None else f"{one.rating.elo:+.0f}",
            "" if one.rating is None else "{:+.0f} to {:+.0f}".format(*one.rating.ci95),
        )
        for one in ranks
    ]
    output.print_table(("army", "battles", "won (95 % interval)", "Elo", "95 % interval"), rows)


def _figure(ranks: "Sequence[Rank]") -> "Figure":
    from matplotlib.figure import Figure

    from brickphys.plots.ranks import draw_ranks

    figure = Figure(figsize=(7, 1.2 + 0.33 * len(ranks)), layout="constrained")
    draw_ranks(ranks, figure.add_subplot())
    return figure
