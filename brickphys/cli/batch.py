"""Batch: a study in one file, run, stored, resumed and reported.

`replay` plays one run of a study of games again, and writes it as `play --replay` does.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brickphys.battles.players import result_text
from brickphys.cli.batch_studies import pairs, rank, worth
from brickphys.cli.shared import options, output
from brickphys.cli.shared.output import CommandGroup, echo, echo_line
from brickphys.errors import CancelledRunError, InvalidValueError
from brickphys.files import check_target
from brickphys.notes import bar
from brickphys.rules.plans import thinks_long
from brickphys.signals import StopRequest
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.batch.chunk import ChunkJob, ChunkResults
    from brickphys.batch.shard import ShardProblems
    from brickphys.batch.spec import Spec
    from brickphys.batch.store import Store
    from brickphys.workers import Executor


@click.command()
@click.argument("folder", metavar="DIR", type=options.FILE)
@click.option(
    "--cell",
    type=click.IntRange(min=0),
    default=0,
    help="Cell of the game, counted from 0 in the order of the table.",
)
@click.option(
    "--run",
    type=click.IntRange(min=0),
    required=True,
    help="Number of the game in its cell, counted from 0.",
)
@click.option(
    "--out",
    "file",
    type=options.FILE,
    required=True,
    help="Record the game in this file, for `replay`.",
)
@click.option(
    "--continue-anyway",
    is_flag=True,
    help="Play the game even if another program computed it, and report a different result.",
)
@options.trust_option
@options.force_option
@options.json_options
def replay(
    folder: Path,
    cell: int,
    run: int,
    file: Path,
    continue_anyway: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Play one game of the study of battles in DIR again, and record it.

    The game has the setup, the bots and the random numbers of its run, and is compared with its row. `brickphys replay`
    can then show, draw or film it.

    \b
    Examples:
      brickphys batch report results --sql "select cell, run from rows where winner = 1"
      brickphys batch replay results --cell 3 --run 8 --out game.jsonl
      brickphys replay game.jsonl --story --animate game.gif
    """
    from brickphys.batch.results import played_again
    from brickphys.batch.store import open_store

    check_target(file, force=force)
    battle = played_again(open_store(folder), cell, run, continue_anyway=continue_anyway)
    battle.save(file, force=force)
    if as_json:
        output.print_json("batch-replay", {"cell": cell, "run": run, **battle.document()})
    else:
        echo(f"cell {cell}, run {run}: {result_text(battle.game, battle.record)}")
    output.note_written("replay", file)


_MANY = 10**7
"""A study with more runs needs --yes."""
_GIVEN = click.core.ParameterSource.COMMANDLINE
_A_MONTH_S = 31 * 24 * 3600
_folder = click.argument("folder", metavar="DIR", type=options.FILE)
continue_option = click.option(
    "--continue-anyway",
    is_flag=True,
    help="Continue a study begun with other sources, settings, versions or on another machine; mark the new rows.",
)
retry_option = click.option(
    "--retry-failed",
    is_flag=True,
    help="Repeat failed runs, with the other runs of their shards.",
)
_dask_option = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Use a Dask cluster: the scheduler's tcp://host:port, its scheduler file NAME.json, or local to start "
    "one here. With --workers N an adaptive cluster grows up to N.",
)
_dask_wait_option = click.option(
    "--dask-wait",
    metavar="SECONDS",
    type=click.IntRange(1, _A_MONTH_S),
    help="Longest wait for the scheduler and a first worker, which may be queued.  [default: 30]",
)


def dask_options(command: options.F) -> options.F:
    """Add ``--dask`` and ``--dask-wait`` to a command."""
    return _dask_option(_dask_wait_option(command))


@click.group(cls=CommandGroup)
def batch() -> None:
    """Run studies: thousands of throws, collisions or battles, described in one file.

    A study may be stopped or lose power at any time; the same command continues it.

    \b
    Examples:
      brickphys batch studies
      brickphys batch run study.toml --out results
      brickphys batch status results
      brickphys batch report results
    """


batch.add_command(worth)
batch.add_command(pairs)
batch.add_command(rank)
batch.add_command(replay)


@batch.command()
@click.argument("spec")
@click.option(
    "--out",
    "folder",
    type=options.FILE,
    help="Folder of the batch, new or begun before; optional with --dry-run.",
)
@options.workers_option
@dask_options
@click.option(
    "--dry-run",
    is_flag=True,
    help="Print the work that remains and its estimated time; run nothing.",
)
@click.option(
    "--yes",
    is_flag=True,
    help=f"Allow a study of more than {_MANY:,} runs, and slow bots.",
)
@continue_option
@retry_option
@options.trust_option
@options.seed_option
@options.json_option
def run(
    spec: str,
    folder: Path | None,
    workers: int,
    dask: str | None,
    dask_wait: int | None,
    dry_run: bool,
    yes: bool,
    continue_anyway: bool,
    retry_failed: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Run the study SPEC, a TOML file or the name of a shipped study, and store its rows in --out.

    Ctrl-C stops the study; the same command continues it. The rows are the same for any number of workers.

    \b
    Examples:
      brickphys batch run study.toml --out results --workers 2
      brickphys batch run calibration --dry-run
    """
    from brickphys.batch.spec import find_spec
    from brickphys.batch.store import existing_store, running_store, stored_seed
    from brickphys.cli.batch_status import print_status

    if folder is None and not dry_run:
        raise click.UsageError("Missing option '--out'.")
    study = find_spec(spec, seed, stored_seed(folder) if folder else None)
    told = "" if yes else too_many(study, spec)
    if dry_run or folder is None:
        existing = (
            existing_store(folder, study, continue_anyway=continue_anyway) if folder else None
        )
        if told:
            echo(told, err=True)
        _print_cost(study, existing, workers, retry_failed=retry_failed, as_json=as_json)
        return
    if told:
        raise InvalidValueError(told)
    with (
        executor_of(study, workers, dask, dask_wait) as executor,
        running_store(folder, study, continue_anyway=continue_anyway) as store,
    ):
        make_whole(store, retry_failed=retry_failed)
        complete = run_store(store, executor)
        print_status(store, as_json=as_json, kind="batch-run")
    if not complete:
        raise CancelledRunError(f"interrupted: the same command continues {folder}")


def too_many(study: "Spec", name: str) -> str:
    """Return in words that a study is larger, or its bots slower, than anybody wants by mistake; empty if not."""
    if study.most_runs <= _MANY:
        named = [study.settings(cell).get("bots", ()) for cell in range(len(study.cells))]
        return thinks_long(
            name for bots in named for name in ([bots] if isinstance(bots, str) else bots)
        )
    runs = f"{study.most_runs:,} runs"
    return f"{name}: up to {runs}, which is more than {_MANY:,}: --yes runs them"


def make_whole(store: "Store", *, retry_failed: bool) -> None:
    """Remove shards that must be done again, and print them."""
    from brickphys.cli.batch_status import print_shard_problems

    print_shard_problems(store.repair(), again=True)
    if retry_failed:
        failed = store.retry_failed()
        echo(f"{counted(failed, 'failed run')} to be tried again", err=True)


def _shard_problems(store: "Store") -> "ShardProblems":
    """Return the lost shards, and count their runs as missing; a runner may have unlisted ones."""
    from dataclasses import replace

    from brickphys.batch.store import is_running

    problems = store.shard_problems()
    store.exclude(problems.lost)
    running = bool(problems.unlisted) and is_running(store.folder)
    return replace(problems, unlisted=()) if running else problems


def run_store(store: "Store", executor: "Executor[ChunkJob, ChunkResults]") -> bool:
    """Run a study with its progress on standard error, until Ctrl-C; return whether it is complete."""
    from brickphys.batch.runner import run as run_study

    with StopRequest() as stop, bar(store.spec.study_type.unit) as advance:
        return run_study(
            store, executor, stopped=lambda: stop.asked, progress=partial(advance, "runs")
        )


@batch.command()
@_folder
@options.json_options
def status(folder: Path, as_json: bool) -> None:
    """Print the progress of the study in DIR, also while it runs.

    \b
    Example:
      brickphys batch status results
    """
    from brickphys.batch.store import open_store
    from brickphys.cli.batch_status import print_shard_problems, print_status

    store = open_store(folder)
    problems = _shard_problems(store)
    print_status(store, as_json=as_json, kind="batch-status")
    print_shard_problems(problems, again=False)


@batch.command()
@_folder
@click.option(
    "--out",
    "out_folder",
    type=options.FILE,
    help="Folder for the report: new, empty, or with an earlier report of this study, which is replaced.  "
    "[default: DIR/report]",
)
@click.option(
    "--sql",
    help="Print the result of a DuckDB query. `rows` has one row per run, `cells` one per cell.",
)
@click.option(
    "--sql-files",
    is_flag=True,
    help="Let --sql read and write files and load extensions; it can then change any of your files.",
)
@options.force_option
@options.json_options
def report(
    folder: Path,
    out_folder: Path | None,
    sql: str | None,
    sql_files: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Write the report of the study in DIR, with table, plots and failures, as Markdown and as one HTML file.

    With --json, print only the table, and write files only if --out is given.

    \b
    Examples:
      brickphys batch report results
      brickphys batch report results --sql "select surface, avg(side) from rows group by surface"
    """
    from brickphys.batch.report.report import check_report_folder, write_report
    from brickphys.batch.report.table import check_begun
    from brickphys.batch.shard import ShardProblems
    from brickphys.batch.store import open_store
    from brickphys.cli.batch_status import print_answer, print_shard_problems, print_status

    store = open_store(folder)
    check_begun(store)
    print_shard_problems(ShardProblems(lines=store.journal_faults), again=False)
    if sql is not None:
        print_answer(store, sql, files=sql_files, as_json=as_json)
        return
    files = []
    if out_folder is not None or not as_json:
        place = out_folder or folder / "report"
        check_report_folder(store, place, force=force)
        files = write_report(store, place)
    print_status(store, as_json=as_json, kind="batch-report")
    for path in files:
        echo_line(f"wrote {path}", err=as_json)


@batch.command()
@options.json_options
def studies(as_json: bool) -> None:
    """List the shipped studies.

    \b
    Example:
      brickphys batch studies
    """
    from brickphys.batch.spec import find_spec
    from brickphys.batch.spec import studies as names

    found = {name: find_spec(name) for name in names()}
    if as_json:
        output.print_json(
            "batch-studies",
            {"studies": [{"name": name, "title": spec.title} for name, spec in found.items()]},
        )
        return
    rows = [
        (name, spec.title, f"{len(spec.cells):,}", f"{spec.most_runs:,}")
        for name, spec in found.items()
    ]
    output.print_table(("study", "about", "cells", "runs"), rows)


def executor_of(
    study: "Spec", workers: int, dask: str | None, wait_s: int | None
) -> "Executor[ChunkJob, ChunkResults]":
    """Return what does the work: processes of this machine, or a Dask cluster."""
    if dask is None:
        if wait_s is not None:
            raise InvalidValueError("--dask-wait is for --dask")
        from brickphys.batch.runner import local_executor

        return local_executor(study, workers)
    from brickphys.batch.dask import LOCAL, WAIT_S, DaskExecutor

    seconds_to_wait = WAIT_S if wait_s is None else wait_s
    given = click.get_current_context().get_parameter_source("workers") is _GIVEN
    asked = workers if given or dask == LOCAL else 0
    return DaskExecutor(dask, asked, study.limits.time_s, study.limits.memory_mb, seconds_to_wait)


def _print_cost(
    study: "Spec", store: "Store | None", workers: int, *, retry_failed: bool, as_json: bool
) -> None:
    from brickphys.batch.runner import dry_run
    from brickphys.cli.batch_status import print_shard_problems

    if store is not None:
        print_shard_problems(_shard_problems(store), again=False)
        if retry_failed:
            store.exclude([shard.file for shard in store.shards if shard.failed])
    cost = dry_run(study, workers, store)
    if as_json:
        output.print_json("batch-plan", cost.document())
        return
    echo(cost.text())
