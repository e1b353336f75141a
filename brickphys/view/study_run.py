"""Study run: one run of a study, done once more, in space and time."""

from brickphys.batch.kinds.battles import BattleWork
from brickphys.batch.kinds.drops import DropWork
from brickphys.batch.kinds.scenes import SceneWork
from brickphys.batch.kinds.study_type import CellWork
from brickphys.batch.results import finished_row, played_again
from brickphys.batch.store import Store
from brickphys.battles.battle import Battle
from brickphys.errors import BatchFolderError, InvalidValueError
from brickphys.rules.registry import builder
from brickphys.text import as_title, counted, spoken
from brickphys.vehicles.collision import resolve
from brickphys.view.battle import battle_recording
from brickphys.view.collision import sweep_recording
from brickphys.view.recording import SceneRecording
from brickphys.view.throw import hand_recording


def row_recording(store: Store, cell: int, run: int) -> SceneRecording:
    """Return one run of a study of battles, scenes or throws, after a check that it comes out as its row says.

    Cells and runs are counted from 0. InvalidValueError if there is no such run with a result, or its kind is not
    shown; BatchFolderError if it comes out otherwise here: another program computed it.
    """
    row = finished_row(store, cell, run)
    work = store.spec.work(cell)
    if isinstance(work, BattleWork):
        return _battle(played_again(store, cell, run))
    if not isinstance(work, SceneWork | DropWork):
        unit = store.spec.study_type.unit
        raise InvalidValueError(f"{store.folder}: runs of a study of {unit} cannot be shown")
    _check_same(store, work, row, cell, run)
    if isinstance(work, SceneWork):
        return sweep_recording(resolve(work.scene(run)))
    return hand_recording(work.cell, work.root, run)


def _battle(battle: Battle) -> SceneRecording:
    found = battle.game.trajectories(battle.record)
    title = f"{as_title(battle.game.name)}: {' against '.join(map(spoken, found.names))}"
    return battle_recording(found, builder(battle.game), title)


def _check_same(store: Store, work: CellWork, row: dict[str, object], cell: int, run: int) -> None:
    """Refuse a run that comes out otherwise than its row says."""
    (now,) = work.rows(run, 1).to_pylist()
    changes = [name for name, value in now.items() if name in row and row[name] != value]
    if changes:
        raise BatchFolderError(
            f"{store.folder}: run {run} of cell {cell} has a different result here, in "
            f"{counted(len(changes), 'column')} ({', '.join(changes[:3])}): another program computed it"
        )
