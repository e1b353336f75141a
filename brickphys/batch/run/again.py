"""Again: one game of a study of battles, played once more, so that it can be told, drawn and filmed."""

from typing import Any

import pyarrow.compute as pc

from brickphys.batch.kinds.battles import BattleWork
from brickphys.batch.run.chunk import ERROR, RUN, STAMP
from brickphys.batch.store.store import Store
from brickphys.battles.battle import Battle
from brickphys.errors import BatchFolderError, BrokenGameError, InvalidValueError
from brickphys.notes import NOTES
from brickphys.stamp import Stamp, stamp_here
from brickphys.text import counted, listed

_COMPARED = ("winner", "ending", "rounds", "actions")


def played_again(store: Store, cell: int, run: int, *, continue_anyway: bool = False) -> Battle:
    """Play a game of a study once more, with the setup, the bots, the law and the random numbers of its run.

    Parameters
    ----------
    store
        A study of battles.
    cell, run
        Which game; both are counted from 0.
    continue_anyway
        Play even if the game was computed by another program; a note says so if the game comes out otherwise.

    Raises
    ------
    InvalidValueError
        If the study is not about battles, or has no such game with a result.
    BatchFolderError
        If another program computed the game.
    BrokenGameError
        If the same program plays it otherwise: the game or a bot depends on more than its random numbers.
    """
    row = finished_row(store, cell, run)
    work = store.spec.work(cell)
    if not isinstance(work, BattleWork):
        unit = store.spec.study_type.unit
        raise InvalidValueError(
            f"{store.folder}: is a study of {unit}, but only games can be played again"
        )
    here, stamp = stamp_here(*store.spec.packages), _stamp_of_row(store, row.get(STAMP))
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

    Raises
    ------
    InvalidValueError
        If there is no such run, or it failed.
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


def _stamp_of_row(store: Store, mark: str | None) -> Stamp:
    first, *others = store.manifest.stamps
    return next((one for one in others if one.digest == mark), first)
