"""Batch studies: commands on a study beyond its table.

`worth` is the worth of units, `pairs` how often the same run of two cells differs, and `rank` ranks the armies of
random battles by strength.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import echo
from brickphys.errors import InvalidValueError
from brickphys.rules.report.sheets import Price
from brickphys.text import percent, percent_range, signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from brickphys.batch.kinds.study_type import Estimate
    from brickphys.batch.report.table import PairedComparison
    from brickphys.batch.store import Store
    from brickphys.batch.unit_values import Rank, UnitValues

_folder = click.argument("folder", metavar="DIR", type=options.FILE)


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=options.FILE)
@options.trust_option
@options.output_options("Draw worths beside prices, and wins against cost ratios")
def worth(folders: tuple[Path, ...], out: options.OutputOptions) -> None:
    """Estimate the value of units from the battles in each DIR.

    The study must draw its armies (`draw` in place of `scenario`) in a game whose units have prices (BOW). A cell needs
    at least 50 battles, and thousands for narrow intervals. For each cell this prints the value of every unit beside
    its price, the weights and powers of the price formula that fit best, and the share of wins by the ratio of costs,
    all with 95 % intervals.

    \b
    Example:
      brickphys batch run fairness --out results
      brickphys batch worth results --plot worth.png
    """
    from brickphys.batch.store import open_store

    out.check()
    found, documents = {}, []
    for store in [open_store(folder) for folder in folders]:
        for cell in range(len(store.spec.cells)):
            if store.ledger.done(cell):
                one = _worth(store, cell)
                found[_battles_name(store, cell)] = one
                settings = dict(store.spec.settings(cell))
                documents.append(
                    {"seed": store.spec.seed, "settings": settings, **_worth_document(one)}
                )
    if not found:
        raise InvalidValueError(f"{', '.join(map(str, folders))}: no battle is done yet")
    out.write(
        "batch-worth",
        lambda: {"cells": documents},
        partial(_print_worth, found),
        partial(_worth_figure, found),
    )


@click.command()
@_folder
@click.option("--column", required=True, help="Column to compare: winner, hit_id, ...")
@options.json_options
def pairs(folder: Path, column: str, as_json: bool) -> None:
    """Show how often the same run has different results in two cells of the study in DIR.

    The same run of every cell has the same scene or the same armies, but new throws. For a column of few values, such
    as the winner, a second table shows how the share of each value changes from one cell to the other.

    \b
    Example:
      brickphys batch pairs results --column winner
    """
    from brickphys.batch.report.table import paired_comparisons
    from brickphys.batch.store import open_store

    store = open_store(folder)
    found = list(paired_comparisons(store, column))
    if as_json:
        documents = [_pair_document(store, pair) for pair in found]
        output.print_json("batch-pairs", {"column": column, "pairs": documents})
        return
    if not found:
        echo(f"{folder}: has one cell: there is nothing to compare")
        return
    rows = [
        (
            *(f"{cell}: {_cell_name(store, cell)}" for cell in pair.cells),
            f"{pair.runs:,}",
            _share(pair.p_differs),
        )
        for pair in found
    ]
    output.print_table(
        ("cell", "other cell", store.spec.study_type.unit, f"{column} differs (95 % interval)"),
        rows,
    )
    _print_gains(store, column, found)


def _prices(store: "Store", cell: int) -> Mapping[str, Price]:
    from brickphys.batch.kinds.game_facts import study_game

    settings = store.spec.settings(cell)
    if settings.get("draw") is None:
        raise InvalidValueError(
            f"{store.folder}: no armies were drawn: `batch worth` needs a study of battles with `draw` in place of "
            "`scenario`, such as draw = {}; what a figure or its gear is worth is also the difference between two "
            "scenario files, with it and without it, in the study's grid (docs/how-to/scenario.md)"
        )
    game = study_game(settings["game"])
    files = game.draw_files(settings["draw"])
    return game.prices({name: store.spec.attached[name] for name in files})


def _worth(store: "Store", cell: int) -> "UnitValues":
    """Return the worth of units by the battles of a cell; an error names the folder and the cell."""
    from brickphys.batch.unit_values import unit_values

    prices = _prices(store, cell)
    try:
        return unit_values(store.good_rows(cell), prices)
    except InvalidValueError as error:
        which = f", cell {cell} ({_cell_name(store, cell)})" if store.spec.factors else ""
        raise InvalidValueError(f"{store.folder}{which}: {error}") from None


def _cell_name(store: "Store", cell: int) -> str:
    from brickphys.batch.report.table import value_in_words

    return ", ".join(
        f"{name} {value_in_words(value)}" for name, value in store.spec.cells[cell].items()
    )


def _battles_name(store: "Store", cell: int) -> str:
    """Return the name of a set of battles: its players, and the cell's factors."""
    bots = store.spec.settings(cell).get("bots", "greedy")
    players = bots if isinstance(bots, str) else " against ".join(bots)
    more = _cell_name(store, cell)
    return f"{players} bots" + (f" ({more})" if more else "")


def _worth_document(found: "UnitValues") -> dict[str, Any]:
    return {
        "battles": found.battles,
        "undecided": found.undecided,
        "units": [
            {
                "name": unit.name,
                "price": unit.price,
                "drawn": unit.drawn,
                **_json("worth", unit.worth),
            }
            for unit in found.units
        ],
        "weights": {name: _json("value", one) for name, one in found.weights.items()},
        "powers": {name: _json("value", one) for name, one in found.powers.items()},
        **_json("slope", found.slope),
        **_json("p_first_seat", found.seat),
        "curve": [
            {"ratio": share.ratio, "battles": share.battles, **_json("p_win", share.wins)}
            for share in found.curve
        ],
        "foretold": {name: one and _json("p", one) for name, one in found.predicted.items()},
    }


def _json(name: str, estimate: "Estimate") -> dict[str, Any]:
    return {name: estimate.value, f"{name}_ci95": [estimate.low, estimate.high]}


def _pair_document(store: "Store", pair: "PairedComparison") -> dict[str, Any]:
    settings = [dict(store.spec.cells[cell]) for cell in pair.cells]
    differs = _json("p_differs", pair.p_differs) if pair.p_differs else {"p_differs": None}
    gains = {str(value): _json("more", gain) for value, gain in pair.gains.items()}
    return {
        "cells": list(pair.cells),
        "settings": settings,
        "runs": pair.runs,
        **differs,
        "gains": gains,
    }


def _print_gains(store: "Store", column: str, found: "Sequence[PairedComparison]") -> None:
    """Print by how much each value of a column has a larger share in the second cell of a pair."""
    values = list(dict.fromkeys(value for pair in found for value in pair.gains))
    if not values:
        return
    names = [_value_name(store, column, value) for value in values]
    rows = [
        (
            f"{pair.cells[1]} minus {pair.cells[0]}",
            *(_points(pair.gains.get(value)) for value in values),
        )
        for pair in found
    ]
    echo(f"\ngain of each {column} over the same runs, in percentage points (95 % interval)\n")
    output.print_table(("cells", *names), rows)


def _value_name(store: "Store", column: str, value: Any) -> str:
    """Return what a value of a column is called: a winner by the name of the player."""
    sides = store.spec.sides
    if column == "winner" and sides and isinstance(value, int):
        return sides[value] if 0 <= value < len(sides) else "no winner"
    return "none" if value is None else str(value)


def _points(gain: "Estimate | None") -> str:
    if gain is None:
        return "-"
    value, low, high = (signed(100 * number, 1) for number in gain)
    return f"{value} ({low} to {high})"


def _print_worth(found: "Mapping[str, UnitValues]") -> None:
    for name, one in found.items():
        _print_cell(name, one)


def _print_cell(name: str, found: "UnitValues") -> None:
    echo(f"{name}: {found.battles:,} battles, {found.undecided:,} of them undecided\n")
    rows = [
        (
            unit.name,
            f"{unit.drawn:,}",
            f"{unit.price:g}",
            _range(unit.worth, 1),
            f"{unit.worth.value / unit.price:.2f}",
            _verdict(unit.worth, unit.price),
        )
        for unit in sorted(found.units, key=lambda unit: -unit.worth.value / unit.price)
    ]
    output.print_table(
        ("unit", "drawn", "price", "worth (95 % interval)", "worth / price", ""), rows
    )
    echo("\nbest weights and powers of the price formula, where the book has 1:\n")
    terms = [("weight", found.weights), ("power", found.powers)]
    output.print_table(
        ("ability", "term", "best fit (95 % interval)", ""),
        [
            (ability, kind, _range(value, 2), _verdict(value, 1.0))
            for kind, values in terms
            for ability, value in values.items()
        ],
    )
    echo()
    output.print_table(
        ("cost ratio", "battles", "first army wins (95 % interval)"),
        [(f"{one.ratio:.2f}", f"{one.battles:,}", _share(one.wins)) for one in found.curve],
    )
    shares = ", ".join(f"{model} {_share(one)}" for model, one in found.predicted.items())
    echo(
        f"\nwinning odds = (cost ratio) ^ {_range(found.slope, 2)}; "
        f"the first seat wins {_share(found.seat)} at equal cost\n"
        f"winners predicted in other battles: {shares}\n"
    )


def _range(estimate: "Estimate", digits: int) -> str:
    value, low, high = (f"{number:.{digits}f}" for number in estimate)
    return f"{value} ({low} to {high})"


def _share(estimate: "Estimate | None") -> str:
    from brickphys.batch.report.table import with_ends

    return with_ends("p_", estimate) or "-"


def _verdict(estimate: "Estimate", price: float) -> str:
    if estimate.low > price:
        return "too cheap"
    return "too expensive" if estimate.high < price else ""


def _worth_figure(found: "dict[str, UnitValues]") -> "Figure":
    from matplotlib.figure import Figure

    from brickphys.plots.batch import draw_wins, draw_worths

    figure = Figure(figsize=(11, 6), dpi=120, layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    draw_worths(found, left)
    draw_wins(found, right)
    figure.suptitle("Cost points and what decides battles, with 95 % intervals")
    return figure


@click.command()
@click.argument("folder", metavar="DIR", type=options.FILE)
@options.output_options("Draw the shares of battles that were won")
def rank(folder: Path, out: options.OutputOptions) -> None:
    """Rank the armies of the battles in DIR by share of wins and Elo rating.

    The study must draw its armies: `draw` in place of `scenario`. Battles of all cells count together; a draw counts
    half. All intervals are 95 % intervals.

    \b
    Example:
      brickphys batch run ships --out results
      brickphys batch rank results --plot ranks.png
    """
    import pyarrow as pa

    from brickphys.batch.store import open_store
    from brickphys.batch.unit_values import ranking

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
        "batch-rank",
        partial(_rank_document, ranks),
        partial(_print_ranks, ranks),
        partial(_rank_figure, ranks),
    )


def _rank_document(ranks: "Sequence[Rank]") -> dict[str, Any]:
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


def _print_ranks(ranks: "Sequence[Rank]") -> None:
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


def _rank_figure(ranks: "Sequence[Rank]") -> "Figure":
    from matplotlib.figure import Figure

    from brickphys.plots.batch import draw_ranks

    figure = Figure(figsize=(7, 1.2 + 0.33 * len(ranks)), layout="constrained")
    draw_ranks(ranks, figure.add_subplot())
    return figure
