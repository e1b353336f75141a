"""Results: the value that a finished study returns, with its table and its report.

One game of a study of battles may be played once more, so that it can be told, drawn and filmed.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from brickphys.batch.chunk import ERROR, RUN, STAMP
from brickphys.batch.kinds.battles import BattleWork
from brickphys.batch.report.report import check_report_folder, write_report
from brickphys.batch.report.sql import query, to_pandas
from brickphys.batch.report.table import bot_wins, check_begun, counts, summaries
from brickphys.batch.report.table import rows as table_rows
from brickphys.batch.runner import run_study
from brickphys.batch.spec import find_spec
from brickphys.batch.store import Store, open_store, stored_seed
from brickphys.battles.battle import Battle
from brickphys.errors import BatchFolderError, BrokenGameError, InvalidValueError
from brickphys.interface import Drawn, Row, public
from brickphys.notes import NOTES, Progress, steps
from brickphys.rules.registry import trusting
from brickphys.signals import StopRequest
from brickphys.stamp import stamp_here
from brickphys.text import counted, listed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, eq=False)
class Study(Drawn):
    """A study whose runs are stored in a folder."""

    store: Store

    drawn_by = "batch:study_figure"

    @property
    def complete(self) -> bool:
        """Whether all runs are done."""
        return not counts(self.store).pending

    @property
    def bots(self) -> list[dict[str, Any]]:
        """The wins of each bot over all its seats, as in the JSON of ``batch status``; empty without changed seats."""
        return [one.document() for one in bot_wins(self.store, summaries(self.store))]

    def line(self) -> str:
        """Return one line: the title, and the number of runs done."""
        found, spec = counts(self.store), self.store.spec
        return (
            f"{spec.title}: {found.done:,} {spec.study_type.unit} done, {found.failed:,} failed, "
            f"{found.pending:,} pending, seed {spec.seed}"
        )

    def rows(self) -> list[Row]:
        """Return one row for each cell: its factors, then counts and estimates with their intervals."""
        return [*table_rows(self.store)]

    def runs(self) -> "pd.DataFrame":
        """Return one row for each run: its cell, the factors of the cell, its number, its results."""
        return to_pandas(self.store)

    @public()
    def sql(self, question: str) -> pa.Table:
        """Return the result of a DuckDB query; `rows` has one row per run, `cells` one per cell."""
        return query(self.store, question)


@public()
def study(
    spec: Path | str,
    folder: Path | str,
    *,
    seed: int | None = None,
    workers: int = 1,
    progress: Progress | bool = True,
    trust: bool = False,
) -> Study:
    """Run a study on this machine, or continue it, and return its results; Ctrl-C stops it.

    Parameters
    ----------
    spec
        A study file, or the name of a study that ships.
    folder
        Folder for the rows: new, or begun before by the same study.
    seed
        Replaces the seed of the study.
    workers
        Number of processes; the rows do not depend on it. One is a process of its own, too, so a script that runs a
        study needs the guard ``if __name__ == "__main__":``.
    progress
        True shows a bar at a terminal or in a notebook, after two seconds; False shows nothing. A function is called
        with the number of runs done and of all.
    trust
        Run the code of games and bots, ``module:Class``, that the study names. A file alone never runs code.

    Raises
    ------
    StudyFileError, BatchFolderError
        If the study has faults, or the folder belongs to another one.
    """
    with trusting(trust):
        found = find_spec(spec, seed, stored_seed(folder))
        with StopRequest() as stop, steps(progress, "runs", found.study_type.unit) as advance:
            return Study(
                run_study(
                    found, folder, workers=workers, stopped=lambda: stop.asked, progress=advance
                )
            )


@public()
def report(folder: Path | str, out: Path | str | None = None, *, force: bool = False) -> list[Path]:
    """Write the report of a study, with table, plots and failures, as Markdown and as one HTML file.

    Parameters
    ----------
    folder
        Folder of the study.
    out
        Folder for the report; None for ``report`` in the folder of the study.
    force
        Write even into a folder that holds other files.

    Raises
    ------
    InvalidValueError
        If the folder holds no study, nothing is done yet, or `out` holds something else.
    """
    store = open_store(folder)
    check_begun(store)
    place = Path(folder) / "report" if out is None else Path(out)
    check_report_folder(store, place, force=force)
    return write_report(store, place)


_COMPARED = ("winner", "ending", "rounds", "actions")


def played_again(store: Store, cell: int, run: int, *, continue_anyway: bool = False) -> Battle:
    """Play a game of a study once more, with the setup, the bots, the law and the random numbers of its run.

    InvalidValueError if the study is not about battles, or has no such game with a result; BatchFolderError if another
    program computed the game; BrokenGameError if the same program plays it otherwise: the game or a bot depends on more
    than its random numbers.

    Parameters
    ----------
    store
        A study of battles.
    cell, run
        Which game; both are counted from 0.
    continue_anyway
        Play even if the game was computed by another program; a note says so if the game comes out otherwise.
    """
    row = finished_row(store, cell, run)
    work = store.spec.work(cell)
    if not isinstance(work, BattleWork):
        unit = store.spec.study_type.unit
        raise InvalidValueError(
            f"{store.folder}: is a study of {unit}, but only games can be played again"
        )
    here, stamps = stamp_here(*store.spec.packages), store.manifest.stamps
    stamp = next((one for one in stamps if one.digest == row.get(STAMP)), stamps[0])
    differences = stamp.differences(here)
    other_program = (
        f"{store.folder}: the game was computed by another program: {listed(differences)}; its result may "
        "differ; --continue-anyway plays it anyway"
    )
    if stamp.setting_differences(here) and not continue_anyway:
        raise BatchFolderError(other_program)
    battle, now = work.battle(run)
    changes = [
        f"{name} {now[name]}, was {row[name]}" for name in _COMPARED if now[name] != row[name]
    ]
    if changes:
        told = (
            f"{store.folder}: run {run} of cell {cell} has a different result: {'; '.join(changes)}"
        )
        if not differences:
            raise BrokenGameError(
                f"{told}: the game or a bot depends on more than its state and random numbers"
            )
        if not continue_anyway:
            raise BatchFolderError(other_program.replace("may differ", "differs"))
        NOTES.warning("%s", told)
    return battle


def finished_row(store: Store, cell: int, run: int) -> dict[str, Any]:
    """Return the row of a run that has a result; both numbers are counted from 0.

    InvalidValueError if there is no such run, or it failed.
    """
    cells = len(store.spec.cells)
    if not 0 <= cell < cells:
        has = "has only cell 0" if cells == 1 else f"has cells 0 to {cells - 1:,}"
        raise InvalidValueError(f"{store.folder}: there is no cell {cell}: the study {has}")
    rows = store.rows(cell)
    rows = rows.filter(pc.equal(rows[RUN], run))
    if not rows.num_rows:
        done = counted(store.ledger.done(cell), "run")
        raise InvalidValueError(
            f"{store.folder}: there is no run {run} of cell {cell}, which has {done}, counted from 0"
        )
    row: dict[str, Any] = rows.to_pylist()[0]
    if row.get(ERROR) is not None:
        raise InvalidValueError(f"{store.folder}: run {run} of cell {cell} failed: {row[ERROR]}")
    return row
