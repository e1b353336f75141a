"""Results: the value that a finished study returns, with its table and its report."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from brickphys.arguments import public
from brickphys.batch.report.bot_wins import bot_wins
from brickphys.batch.report.files import check_report_folder, write_report
from brickphys.batch.report.frames import to_pandas
from brickphys.batch.report.sql import query
from brickphys.batch.report.table import check_begun, counts, summaries
from brickphys.batch.report.table import rows as table_rows
from brickphys.batch.run.runner import local_executor, run
from brickphys.batch.store.store import Store, open_store, running_store, stored_seed
from brickphys.batch.study.spec import Spec, find_spec
from brickphys.display import Drawn, Row
from brickphys.notes import Progress
from brickphys.progress import steps
from brickphys.rules.own_class import trusting
from brickphys.signals import StopRequest

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, eq=False)
class Study(Drawn):
    """A study whose runs are stored in a folder.

    Attributes
    ----------
    store
        Its rows.
    """

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
        found: Spec = find_spec(spec, seed, stored_seed(folder))
        with running_store(folder, found) as store:
            store.repair()
            with (
                local_executor(found, workers) as executor,
                StopRequest() as stop,
                steps(progress, "runs", found.study_type.unit) as advance,
            ):
                run(store, executor, stopped=lambda: stop.asked, progress=advance)
    return Study(store)


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
