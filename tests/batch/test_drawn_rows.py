"""A row has what was drawn for its run: the start of the move, or the release of the hand."""

import numpy as np
import pyarrow as pa
import pytest

from brickphys.batch.kinds.scenes import Scenes, SceneWork
from brickphys.batch.kinds.study_type import DRAWN, Limits
from brickphys.batch.report.report import checks
from brickphys.batch.report.sql import query, to_arrow
from brickphys.errors import InvalidValueError
from brickphys.vehicles.validation.random_scenes import IN_TURN, random_scene
from tests.batch.batches import InProcess, run_here, spec, table_bytes
from tests.jeep_scene import JEEP

pytestmark = pytest.mark.usefixtures("quick_disk")

WALL = '[[decor]]\nid = "wall"\npolygon = [[30, 0], [31, 0], [31, 32], [30, 32]]\n'
MOVES = {
    "kind": "collide",
    "seed": 3,
    "repeats": 20,
    "fixed": {"scene": "jeep.toml", "y": [14.0, 16.0], "heading_deg": 0.0, "speed": 6},
    "grid": {"x": [[8.0, 12.0], 9.0]},
}
THROWS = {
    "kind": "drop",
    "seed": 3,
    "repeats": 40,
    "fixed": {"height_mm": [100, 300], "speed_m_s": 0.5},
    "grid": {"bricks": [1, 2]},
}

NOW = SceneWork.rows
DRAWN_COLUMNS = ("drawn_x", "drawn_y", "drawn_heading_deg", "drawn_speed")


@pytest.fixture
def moves(tmp_path, monkeypatch):
    (tmp_path / "jeep.toml").write_text(JEEP + WALL)
    monkeypatch.chdir(tmp_path)
    return run_here(tmp_path / "moves", MOVES)


def test_a_move_tells_where_it_began(moves):
    """The jeep is 10 studs long, and stops at the wall: it travels 25 - x."""
    rows = to_arrow(moves)
    x = np.array(rows["drawn_x"])
    assert np.array(rows["travelled"]) == pytest.approx(25.0 - x, abs=1e-9)
    drawn, fixed = x[:20], x[20:]
    assert len(set(drawn.tolist())) == 20
    assert ((drawn >= 8) & (drawn <= 12)).all()
    assert set(fixed.tolist()) == {9.0}
    assert len(set(rows["drawn_y"].to_pylist())) == 20  # the same in both cells
    assert set(rows["drawn_heading_deg"].to_pylist()) == {0.0}
    assert set(rows["drawn_speed"].to_pylist()) == {6.0}
    assert rows["x"].to_pylist()[:1] == ["8:12"]  # the factor stays as it was


def test_a_random_scene_tells_where_its_mover_began():
    made = spec({"kind": "collide", "seed": 3, "repeats": 5})
    work = made.work(0)
    rows = work.rows(2, 3).to_pylist()
    for run, row in enumerate(rows, start=2):
        mover = work.scene(run).mover
        pose = (mover.x_studs, mover.y_studs, mover.heading_deg, mover.speed)
        assert pose == tuple(row[f"{DRAWN}{key}"] for key in ("x", "y", "heading_deg", "speed"))


def test_a_layout_draws_random_scenes_of_its_kind():
    for kind in IN_TURN:
        settings = {"scene": "random", "layout": kind.value}
        drawn = Scenes().work(settings, {}, 3, 0, Limits(time_s=60.0)).scene(1)
        assert drawn == random_scene(3, len(IN_TURN) + IN_TURN.index(kind)).scene


def test_what_was_drawn_is_asked_for_in_sql(moves):
    found = query(moves, "select max(abs(travelled + drawn_x - 25)) as off from rows")
    assert found["off"][0].as_py() < 1e-9


def test_a_throw_tells_how_it_was_released(tmp_path):
    rows = to_arrow(run_here(tmp_path / "throws", THROWS))
    one, two = (rows.slice(first, 40) for first in (0, 40))
    height = np.array(one["drawn_height_mm"])
    assert len(set(height.tolist())) == 40
    assert ((height >= 100) & (height <= 300)).all()
    assert np.std(np.array(two["drawn_height_mm"])) < np.std(height)  # the mean of two bricks
    # the mean square of 80 components: within 4 sigma, false alarm 1 in 10,000
    square = np.mean(np.array(one["drawn_speed_m_s"]) ** 2) / 2
    assert square == pytest.approx(0.25, rel=4 * (2 / 80) ** 0.5)
    assert (np.array(rows["drawn_spin_rad_s"]) > 0).all()


@pytest.mark.parametrize(
    "tables", [THROWS | {"repeats": 8}, {"kind": "collide", "seed": 3, "repeats": 40}]
)
def test_what_was_drawn_depends_on_the_run_alone(tables, tmp_path):
    whole = run_here(tmp_path / "whole", tables)
    assert any(name.startswith(DRAWN) for name in whole.rows().column_names)
    run_here(tmp_path / "parts", tables, InProcess(2, seed=5), chunk_s=1e-9, stop=2)
    parts = run_here(tmp_path / "parts", tables, InProcess(3, seed=6), chunk_s=1e-9)
    assert table_bytes(parts) == table_bytes(whole)


def older(work: SceneWork, first: int, count: int) -> pa.Table:
    """Return rows as the versions made them that stored nothing that was drawn."""
    rows = NOW(work, first, count)
    return rows.select([name for name in rows.column_names if not name.startswith(DRAWN)])


def test_a_folder_of_an_earlier_version_is_read_and_continued(tmp_path, monkeypatch):
    random = {"kind": "collide", "seed": 3, "repeats": 40}
    with monkeypatch.context() as patch:
        patch.setattr(SceneWork, "rows", older)
        first = run_here(tmp_path / "old", random, InProcess(), chunk_s=1e-9, stop=1)
    begun = first.ledger.total
    assert 0 < begun < 40
    assert [one.fault for one in checks(first.folder) if one.fault] == []
    assert set(query(first, "select * from rows").column_names) & set(DRAWN_COLUMNS) == set()
    whole = run_here(tmp_path / "old", random, InProcess(), chunk_s=1e-9)
    rows = whole.rows()
    assert rows["drawn_x"].null_count == begun
    assert (
        rows["travelled"].to_pylist()
        == run_here(tmp_path / "new", random).rows()["travelled"].to_pylist()
    )
    assert query(whole, "select count(drawn_x) as n from rows")["n"].to_pylist() == [40 - begun]


def test_a_row_that_lacks_some_of_what_was_drawn_is_damaged(tmp_path, monkeypatch):
    def cut(work, first, count):
        return NOW(work, first, count).drop_columns(["drawn_y"])

    with monkeypatch.context() as patch:
        patch.setattr(SceneWork, "rows", cut)
        store = run_here(tmp_path / "cut", {"kind": "collide", "seed": 3, "repeats": 4})
    with pytest.raises(InvalidValueError, match="lacks the column drawn_y"):
        store.rows()
