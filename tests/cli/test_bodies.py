"""Bodies and surfaces of files at the command line: what they give, and what is refused in one line."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh

from brickphys.calibration import plan as module
from brickphys.calibration.calibrate import throw_law
from brickphys.calibration.plan import Plan
from brickphys.calibration.response import fit_response
from brickphys.calibration.response_design import (
    ANY_SURFACE,
    causes,
    design_cell,
    moved,
    throw_design,
)
from brickphys.calibration.throwers import ThrowChunk, throw
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.registry import ENGINES
from brickphys.odds.distribution import wilson
from brickphys.odds.law_file import default_law, read_law
from brickphys.odds.provenance import MeasuredSources
from brickphys.plots.law import law_figure
from brickphys.shapes.body_file import read_body_file
from tests.command_line import answer, assert_refused
from tests.command_line import brickphys as run

BLOCK = """name = "block"
source = "a test"
mesh = "block.stl"
mass_g = 2.0
edge_radius_mm = [0.2, 0.6]
scores = ["end", "wide"]

[poses]
end = [[0, 0, 1], [0, 0, -1]]
wide = [[0, 1, 0], [0, -1, 0]]
flat = [[1, 0, 0], [-1, 0, 0]]
"""
FELT = 'name = "felt"\nfriction = [0.5, 0.8]\nrestitution = [0.1, 0.3]\nsource = "supposed"\n'


def write_block(folder: Path) -> None:
    trimesh.creation.box((10, 12, 14)).export(folder / "block.stl")
    (folder / "block.toml").write_text(BLOCK)
    (folder / "felt.toml").write_text(FELT)


def write_bodies(folder: Path) -> None:
    """Write the block, counts and a law of it, measurements, and bodies that cannot be used."""
    write_block(folder)
    write_counts_and_law(folder)
    (folder / "unscored.toml").write_text(BLOCK.replace('["end", "wide"]', "[]"))
    (folder / "heavy.toml").write_text(BLOCK.replace("mass_g = 2.0", "mass_g = 2.5"))
    # a cone without its tip, which falls over from the narrow end
    frustum = trimesh.creation.revolve([[0, 0], [10, 0], [3, 20], [0, 20]], sections=24)
    frustum.export(folder / "frustum.stl")
    tilt = "[tilt]\nangles_deg = [20.0, 22.0]\nerror_deg = 1.0\n"
    (folder / "mine.toml").write_text(f'schema = "brickphys.measurements/1"\n{tilt}')
    head, _ = BLOCK.replace("block", "frustum").split("edge_radius")
    head += "centre_of_mass_mm = [5, 0, 4]\n"
    edge = "[poses]\nedge = [[0, 0, 1]]\n"
    (folder / "leaning.toml").write_text(head + edge)
    (folder / "unstable.toml").write_text(f'{head}scores = ["edge"]\n{edge}base = [[0, 0, -1]]\n')


@pytest.fixture
def folder(tmp_path):
    write_block(tmp_path)
    return tmp_path


def test_poses_and_drop_take_a_body_and_a_surface(folder: Path) -> None:
    poses = answer("poses", "block.toml", cwd=folder)
    assert (poses["shape"], poses["edge_radius_mm"], poses["mass_g"]) == ("block", 0.4, 2.0)
    assert [pose["name"] for pose in poses["poses"]] == ["end", "wide", "flat"]
    cuboid = answer("poses", "cuboid:10x12x14:r0.4")
    for own, known in zip(poses["poses"], reversed(cuboid["poses"]), strict=True):
        for key in ("faces", "rest_height_mm", "barrier_mm", "solid_angle_share"):
            assert own[key] == pytest.approx(known[key], rel=1e-6)
    words = ["--surface", "felt.toml", "--throws", "200", "--seed", "3", "--workers", "1", "--json"]
    found = json.loads(run("drop", "block.toml", *words, cwd=folder).stdout)
    counts = [found["counts"][pose] for pose in ("end", "wide", "flat")]
    assert sum(counts) == 200
    assert found["scoring"] == ["end", "wide"]
    assert found["p_side"] == sum(counts[:2]) / 200
    assert (found["surface"], found["friction"]) == ("felt", 0.65)
    assert set(found["poses_ci95"]) == set(found["counts"])
    for pose, (low, high) in found["poses_ci95"].items():
        assert low <= found["counts"][pose] / 200 <= high
    rounder = run("poses", "block.toml", "--edge-radius-mm", 1, "--json", cwd=folder).stdout
    assert json.loads(rounder)["shape"] == "block:r1"


def write_counts_and_law(folder: Path, scored: int = 60) -> None:
    """Write 180 counted blocks, and a law of the block as if 1,000 had been thrown."""
    rows = "1,1\n" * scored + "1,0\n" * (180 - scored)
    (folder / "counts.csv").write_text(f"bricks,score\n{rows}")
    usual = default_law()
    assert usual.systematic is not None
    law = replace(
        usual,
        stamp=None,
        nominal=None,
        posterior=None,
        systematic=replace(usual.systematic, nominal_error=None),
        shape="block",
        counts={"end": 150, "wide": 200, "flat": 650},
        scores={1: (650, 350)},
        share_ci95=wilson(350, 1000),
        p_range90=(0.32, 0.39),
        scoring=("end", "wide"),
        hands_engine=None,
        overdispersion=None,
        files=dict(read_body_file(folder / "block.toml").files),
    )
    law.save(folder / "block.json")


@pytest.mark.slow
def test_sensitivity_takes_a_body(folder: Path) -> None:
    words = [
        "--surface",
        "felt.toml",
        "--points",
        "128",
        "--throws",
        "6400",
        "--seed",
        "1",
        "--workers",
        "1",
    ]
    result = run("sensitivity", "block.toml", *words, "--json", "--plot", "a.svg", cwd=folder)
    found = json.loads(result.stdout)
    assert (found["shape"], found["scoring"]) == ("block", ["end", "wide"])
    assert "wall_mm" not in found["causes"]
    edges = found["causes"]["edge_radius_mm"]
    assert (edges["low"]["value"], edges["high"]["value"]) == (0.2, 0.6)
    # a cuboid of the same size stops so in 44.2 % of 40,000 throws at the middle of all ranges
    assert found["p_side"] == pytest.approx(0.442, abs=0.04)
    assert (folder / "a.svg").stat().st_size > 10_000


@pytest.mark.slow
def test_engines_are_compared_by_a_body(folder: Path) -> None:
    words = [
        "--engines",
        "bullet,compiled",
        "--throws",
        "100",
        "--seed",
        "1",
        "--workers",
        "1",
        "--heights-mm",
        "100:300",
    ]
    shapes = ("--shapes", "block.toml", "--surfaces", "felt.toml")
    found = answer("validate", "engines", *shapes, *words, cwd=folder)
    (cell,) = found["cells"]
    assert (cell["shape"], cell["pose"], cell["friction"]) == ("block", "end", 0.65)
    for own in cell["engines"].values():
        assert set(own["counts"]) >= {"end", "wide", "flat"}
    known = answer("poses", "cuboid:10x12x14:r0.4")["poses"][-1]
    assert cell["quasi_static"] == pytest.approx(known["solid_angle_share"], abs=0.003)


@pytest.mark.slow
def test_infer_finds_friction_and_chance_of_a_body(folder: Path) -> None:
    words = ["--friction", 0.15, "--restitution", 0.2, "--throws", 4000, "--seed", 3, "--json"]
    fallen = json.loads(run("drop", "block.toml", *words, cwd=folder).stdout)
    write_counts_and_law(folder)
    sides = round(4000 * fallen["p_side"])
    rows = "1,1\n" * sides + "1,0\n" * (4000 - sides)
    (folder / "counts.csv").write_text(f"bricks,score\n{rows}")
    (folder / "any.toml").write_text(
        'name = "any"\nfriction = [0.1, 0.8]\nrestitution = [0.15, 0.25]\nsource = "a test"\n'
    )
    law = ("--law", "block.json", "--shape", "block.toml", "--throws", 100_000)
    words = ("infer", "counts.csv", "--surface", "any.toml", *law, "--seed", 1)
    found = answer(*words, cwd=folder)
    (one,) = found["surfaces"]
    # the score alone binds friction and restitution loosely; the truth explains it
    for name, truth in (("friction", 0.15), ("restitution", 0.2)):
        low, high = one[name]["ci95"]
        assert low < truth < high
    assert one["fit_p_value"] > 0.05
    assert found["response"]["p_value"] > 0.001


@pytest.mark.slow
def test_the_response_surface_of_a_body_is_what_is_thrown(folder: Path) -> None:
    cell = design_cell(str(folder / "block.toml"), "hand", ANY_SURFACE)
    response = fit_response(throw_design(cell, ANY_SURFACE, 256, 400, 1))
    uncertain = causes(cell, ANY_SURFACE)
    middle = np.mean(list(response.ranges.values()), axis=1)
    for number, contact in enumerate(((0.15, 0.2), (0.3, 0.5), (0.7, 0.3))):
        point = np.array([*contact, *middle[2:]])
        tally = throw(2, ThrowChunk(moved(cell, uncertain, point, 1000 + number), 0, 20_000))
        p = tally.sides / tally.bricks
        drawn = response.shares(point[None, :], response.draws(200, np.random.default_rng(1)))
        error = np.hypot(drawn[:, 0, -1].std(), (p * (1 - p) / tally.bricks) ** 0.5)
        # four standard errors: a false alarm once in 5,000
        assert response.shares(point[None, :])[0, -1] == pytest.approx(p, abs=4 * error)
        assert error < 0.02


@pytest.mark.slow
def test_a_law_of_a_body_file_tells_what_scores_and_what_it_was_thrown_from(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENGINES, "bullet", BulletEngine(chunk_bricks=128))
    monkeypatch.setitem(ENGINES, "compiled", CompiledEngine(chunk_bricks=128))
    monkeypatch.setattr(module, "_MIN_HANDS", 20)
    plan = Plan(
        shape=str(folder / "block.toml"),
        surface=str(folder / "felt.toml"),
        half_width=0.05,
        max_bricks=2,
        seed=5,
    )
    law = throw_law(plan)
    assert law.scoring == ("end", "wide")
    assert law.p == law.sides / sum(law.counts.values())
    assert law.sides == law.counts["end"] + law.counts["wide"]
    assert list(law.files) == [str(folder / "block.toml"), "block.stl", str(folder / "felt.toml")]
    assert law.systematic is not None
    assert "wall_mm" not in law.systematic.sources
    assert law.systematic.sources["edge_radius_mm"].low == 0.2
    assert law.systematic.sources["friction"].high == 0.8
    path = law.save(folder / "block.json")
    assert read_law(path) == law
    document = json.loads(path.read_text())
    assert document["poses_ci95"] == {pose: list(ends) for pose, ends in law.poses_ci95.items()}
    listed = answer("laws", "block.json", cwd=folder)["laws"][-1]
    assert (listed["shape"], listed["scoring"]) == ("block", ["end", "wide"])
    assert listed["files"] == dict(law.files)
    odds = run("odds", 3, 2, "--law", "block.json", cwd=folder).stdout
    assert "a brick stops as end or wide in" in odds
    assert "as end or wide in" in law_figure(law).get_suptitle()
    (folder / "counts.csv").write_text("bricks,score,surface\n" + "1,1,felt\n1,0,felt\n" * 20)
    words = ["infer", "counts.csv", "--surface", "felt.toml", "--law", "block.json", "--seed", "1"]
    told = run(*words, "--out", "mine.json", cwd=folder)
    assert "40 bodies one at a time, 20 as end or wide" in told.stdout
    mine = read_law(folder / "mine.json")
    assert (mine.scoring, mine.files) == (law.scoring, law.files)
    assert mine.sides == mine.scores[1][1]
    assert "no response surface ships for block" in told.stdout


def test_a_roll_tells_the_poses_that_score(tmp_path: Path) -> None:
    law = default_law()
    up = law.counts["studs_up"]
    own = replace(
        law,
        scoring=("studs_up",),
        scores={1: (law.throws - up, up)},
        share_ci95=law.poses_ci95["studs_up"],
        hands_engine=None,
        overdispersion=None,
        files={"up.toml": "0" * 64},
    )
    own.save(tmp_path / "up.json")
    told = run("roll", 5, "--law", "up.json", "--seed", 1, cwd=tmp_path).stdout
    assert re.fullmatch(r"[0-5] of 5 as studs_up \(seed 1\)\n", told)
    usual = run("roll", 5, "--seed", 1, cwd=tmp_path).stdout
    assert re.fullmatch(r"[0-5] of 5 on a side \(seed 1\)\n", usual)


def test_laws_takes_shipped_names_and_shows_no_counting_error_of_a_measured_law(
    tmp_path: Path,
) -> None:
    law = default_law()
    own = replace(
        law,
        measured=MeasuredSources("mine.toml", {}, ("supposed",)),
        scores={1: law.scores[1]},
        hands_engine=None,
        prior_hands=law.tested_hands,
        p_range90=None,
        nominal=None,
        posterior=None,
        systematic=None,
        stamp=None,
    )
    own.save(tmp_path / "mine.json")
    told = run("laws", "default", "mine.json", cwd=tmp_path).stdout
    rows = {line.split()[0]: line for line in told.splitlines()[::-1] if line and ": " not in line}
    assert "+- " in rows["default"]
    assert "+- " not in rows["mine.json"]
    assert re.search(r" % +- +1 ", rows["mine.json"])
    assert told.splitlines()[-1].startswith("mine.json: no stamp: ")
    assert_refused(run("laws", "defalt", cwd=tmp_path), "nor a shipped law")


def test_a_law_whose_poses_contradict_is_refused(folder: Path) -> None:
    path = folder / "law.json"
    law = read_law(Path(module.__file__).parent.parent / "laws" / "cloth.json")
    for spoil, says in (
        ({"poses_ci95": {"side": [0.9, 0.95]}}, "poses_ci95.side"),
        ({"poses_ci95": {"sideways": [0.0, 1.0]}}, "poses_ci95.sideways"),
        ({"scoring": ["end"]}, "counts.end: missing"),
        ({"scoring": []}, "scoring"),
        ({"files": {"a.toml": "abc"}}, "files.'a.toml'"),
    ):
        document = json.loads(replace(law).save(path, force=True).read_text())
        path.write_text(json.dumps(document | spoil))
        assert_refused(run("laws", "law.json", cwd=folder), says)
