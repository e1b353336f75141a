"""A study of throws throws what `drop` throws."""

import json
import shutil
from pathlib import Path

import pytest
import trimesh

from brickphys.batch.report.table import rows
from brickphys.batch.spec import parse_spec, spec_of
from brickphys.calibration.throw import cell_of
from brickphys.calibration.throwers import ThrowChunk, side_interval, throw
from brickphys.errors import InvalidValueError
from brickphys.notes import NOTES
from brickphys.throws.conditions import surface
from tests.batch.batches import DROP, InProcess, in_process, run_here
from tests.command_line import brickphys

BODIES = Path(__file__).parents[2] / "docs" / "bodies"


def test_the_same_address_gives_the_same_throws_and_the_same_interval(tmp_path):
    found = rows(run_here(tmp_path / "batch", DROP, InProcess(2, 1), 0.003))
    for number, row in enumerate(found):
        cell = cell_of(
            "2x2",
            "compiled",
            "hand",
            surface(row["surface"]),
            1,
            "plane",
            address=(number,),
            height_mm=tuple(row["height_mm"]),
        )
        tally = throw(5, ThrowChunk(cell, 0, 60))
        assert row["counts"] == tally.counts
        assert row["p_side"] == tally.sides / 60
        assert row["ci95"] == list(side_interval(tally))


def test_cells_do_not_share_their_throws(tmp_path):
    tables = {key: part for key, part in DROP.items() if key != "grid"} | {
        "cell": [{"spin_rad_s": 20.0}, {"spin_rad_s": 20.0}]
    }
    first, second = rows(run_here(tmp_path / "batch", tables, InProcess()))
    assert first["counts"] != second["counts"]


def test_a_surface_file_is_kept_with_the_study(tmp_path):
    felt = tmp_path / "felt.toml"
    felt.write_text(
        'name = "felt"\nfriction = [0.5, 0.7]\nrestitution = [0.1, 0.3]\nsource = "supposed"\n'
    )
    study = 'kind = "drop"\nseed = 1\nrepeats = 20\nfixed = {surface = "felt.toml"}\n'
    spec = parse_spec(study, "study", tmp_path)
    assert spec.attached == {"felt.toml": felt.read_text()}
    felt.unlink()  # a run needs no file
    work = spec.study_type.work(spec.settings(0), spec.attached, 1, 0, spec.limits)
    cell = cell_of("2x2", None, "hand", friction=0.6, restitution=0.2, address=(0,))
    assert work.rows(0, 20)["side"].to_numpy().sum() == throw(1, ThrowChunk(cell, 0, 20)).sides
    with pytest.raises(InvalidValueError, match=r"surface: .*felt\.toml: cannot be read"):
        parse_spec(study, "study", tmp_path)


def test_a_study_of_a_body_file_runs_and_runs_on(tmp_path):
    """The example of docs/bodies.md: its manifest gives back the body that was read."""
    for file in ("bottle_cap.toml", "bottle_cap.obj", "felt.toml"):
        shutil.copy(BODIES / file, tmp_path)
    study = 'kind = "drop"\nseed = 1\nrepeats = 20\nfixed = {shape = "bottle_cap.toml"}\n'
    (tmp_path / "caps.toml").write_text(study + 'grid = {surface = ["wood", "felt.toml"]}\n')
    for _ in range(2):
        with in_process(lambda *_: InProcess()):
            result = brickphys("batch", "run", "caps.toml", "--out", "caps", cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        assert "40 throws done, 0 failed, 0 pending" in result.stdout


def test_cells_that_name_one_body_file_make_one_note_of_it(tmp_path, caplog):
    caplog.set_level("INFO", NOTES.name)
    study = 'kind = "drop"\nseed = 1\nrepeats = 20\ngrid = {surface = ["wood", "glass"]}\n'
    text = f'{study}fixed = {{shape = "jeep.toml"}}\n'
    for times in (1, 2):  # another study makes its own
        parse_spec(text, "study", BODIES)
        assert caplog.messages == times * [
            "thrown_jeep is not convex: it collides as its convex hull"
        ]


def test_an_edge_radius_is_a_factor(tmp_path):
    study = 'kind = "drop"\nseed = 1\nrepeats = 60\ngrid = {edge_radius_mm = [0.0, 0.3]}\n'
    spec = parse_spec(study, "study", tmp_path)
    for cell, name in enumerate(("2x2:r0", "2x2:r0.3")):
        work = spec.study_type.work(spec.settings(cell), spec.attached, 1, cell, spec.limits)
        thrown = throw(1, ThrowChunk(cell_of(name, None, "hand", address=(cell,)), 0, 60))
        assert work.rows(0, 60)["side"].to_numpy().sum() == thrown.sides


def test_a_body_file_is_kept_with_the_study(tmp_path):
    trimesh.creation.box((10, 12, 16)).export(tmp_path / "block.obj")
    block = tmp_path / "block.toml"
    block.write_text(
        'name = "block"\nsource = "a test"\nmesh = "block.obj"\nmass_g = 2.0\nscores = ["end"]\n'
        "edge_radius_mm = 0.3\n[poses]\nend = [[0, 0, 1], [0, 0, -1]]\nflat = [[1, 0, 0], [-1, 0, 0]]\n"
    )
    study = 'kind = "drop"\nseed = 1\nrepeats = 60\nfixed = {shape = "block.toml"}\n'
    spec = spec_of(json.loads(json.dumps(parse_spec(study, "study", tmp_path).content)))
    cell = cell_of(str(block), None, "hand", address=(0,))
    block.unlink()  # a run needs no file
    assert list(spec.columns(0)) == ["p_end", "p_flat", "p_leaning", "p_unsettled"]
    work = spec.study_type.work(spec.settings(0), spec.attached, 1, 0, spec.limits)
    table, thrown = work.rows(0, 60), throw(1, ThrowChunk(cell, 0, 60))
    found = spec.summary(0, table)
    assert found["counts"] == thrown.counts
    assert found["poses_ci95"] == {pose: list(ends) for pose, ends in thrown.poses_ci95.items()}
    assert found["p_end"].value == thrown.sides / 60
    with pytest.raises(InvalidValueError, match=r"shape: .*block\.toml: cannot be read"):
        parse_spec(study, "study", tmp_path)
