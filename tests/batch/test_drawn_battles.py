"""A study of drawn battles, run for real: paired cells, worth and paired_comparisons on the command line."""

import json
from pathlib import Path

import pytest

from brickphys.batch.report.table import paired_comparisons
from brickphys.batch.store import open_store
from brickphys.cli.batch_studies import _prices
from brickphys.errors import InvalidValueError
from tests.batch.batches import batch
from tests.command_line import assert_refused, brickphys

pytestmark = pytest.mark.usefixtures("quick_disk")

SPEC = """
kind = "battle"
seed = 4
repeats = 60
[fixed]
game = "bow"
bots = "random"
[grid]
draw = [{ points = 20, apart = 4, rounds = 5 }, { points = 20, apart = 4, rounds = 1 }]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("drawn")
    (path / "study.toml").write_text(SPEC)
    batch("run", path / "study.toml", "--out", path / "results", "--workers", "1")
    return path / "results"


def test_every_cell_meets_the_same_armies(folder):
    store = open_store(folder)
    labels = [store.good_rows(cell)["setup"].to_pylist() for cell in (0, 1)]
    assert labels[0] == labels[1]
    assert len(set(labels[0])) > 20
    assert next(paired_comparisons(store, "setup")).p_differs.value == 0


def test_units_of_a_file_are_kept_with_the_study(tmp_path):
    """The rows stay the same when the file is changed: its text is stored, as those of scenarios and laws are."""
    (tmp_path / "own.toml").write_text('[[unit]]\nname = "reaver"\nbase = "trooper"\n')
    draw = 'draw = { points = 20, rounds = 1, units = ["own.toml", "basic_trooper"] }'
    head = SPEC.partition("[grid]")[0].replace("60", "4")
    (tmp_path / "study.toml").write_text(head + draw)
    batch("run", tmp_path / "study.toml", "--out", tmp_path / "results", "--workers", 1)
    store = open_store(tmp_path / "results")
    labels = store.good_rows(0)["setup"].to_pylist()
    assert any("reaver" in label for label in labels)
    (tmp_path / "own.toml").unlink()
    assert open_store(tmp_path / "results").spec.attached["own.toml"].startswith("[[unit]]")
    assert "reaver" in _prices(store, 0)


def test_a_file_of_units_that_is_not_there_is_told(tmp_path):
    (tmp_path / "study.toml").write_text(
        SPEC.partition("[grid]")[0] + 'draw = { units = ["own.toml,reaver"] }'
    )
    refused = brickphys("batch", "run", "study.toml", "--out", "results", cwd=tmp_path)
    assert_refused(refused, "own.toml: ")
    assert not (tmp_path / "results").exists()


def test_pairs_count_the_runs_that_differ(folder):
    store = open_store(folder)
    winners = [store.good_rows(cell)["winner"].to_pylist() for cell in (0, 1)]
    differ = sum(a != b for a, b in zip(*winners, strict=True))
    (pair,) = paired_comparisons(store, "winner")
    assert (pair.cells, pair.runs) == ((0, 1), 60)
    assert pair.p_differs.value == differ / 60
    told = json.loads(batch("pairs", folder, "--column", "winner", "--json").stdout)
    assert told["pairs"][0]["p_differs"] == differ / 60
    gains = {
        value: [(b == value) - (a == value) for a, b in zip(*winners, strict=True)]
        for value in {*winners[0], *winners[1]}
    }
    assert {value: gain.value for value, gain in pair.gains.items()} == {
        value: pytest.approx(sum(changes) / 60) for value, changes in gains.items()
    }
    assert sum(gain.value for gain in pair.gains.values()) == pytest.approx(0)
    assert told["pairs"][0]["gains"].keys() == {str(value) for value in gains}
    text = batch("pairs", folder, "--column", "winner").stdout
    assert "0: draw" in text
    assert "gain of each winner over the same runs" in text
    assert "red" in text.splitlines()[-3]


def test_values_of_many_kinds_have_no_gains(folder):
    assert next(paired_comparisons(open_store(folder), "setup")).gains == {}


def test_an_unknown_column_is_refused(folder):
    with pytest.raises(InvalidValueError, match="unknown column 'winer': did you mean 'winner'"):
        list(paired_comparisons(open_store(folder), "winer"))


def test_worth_is_told_of_every_cell_and_drawn(folder, tmp_path):
    picture = tmp_path / "worth.png"
    told = json.loads(batch("worth", folder, "--json", "--plot", picture).stdout)
    assert [cell["battles"] for cell in told["cells"]] == [60, 60]
    units = {unit["name"]: unit for unit in told["cells"][0]["units"]}
    assert units["basic_trooper"]["price"] == 9
    assert all(
        unit["worth_ci95"][0] < unit["worth"] < unit["worth_ci95"][1] for unit in units.values()
    )
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert told["cells"][1]["settings"]["draw"]["rounds"] == 1
    text = batch("worth", folder, folder).stdout
    assert text.count("random bots (draw") == 2  # the same twice is one
    assert "worth / price" in text
    assert "winning odds = (cost ratio) ^" in text


def test_armies_that_met_are_ranked_and_drawn(folder, tmp_path):
    picture = tmp_path / "ranks.png"
    told = json.loads(batch("rank", folder, "--json", "--plot", picture).stdout)["ranks"]
    assert sum(one["battles"] for one in told) <= 2 * 120
    assert all(one["share_ci95"][0] <= one["share"] <= one["share_ci95"][1] for one in told)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert batch("rank", folder).stdout.startswith("army ")


def test_worth_needs_drawn_armies(tmp_path):
    (tmp_path / "study.toml").write_text(
        'kind = "battle"\nseed = 1\nrepeats = 1\n[fixed]\ngame = "bow"\nscenario = "duel"\nbots = "random"\n'
    )
    folder = tmp_path / "results"
    batch("run", tmp_path / "study.toml", "--out", folder, "--workers", "1")
    with pytest.raises(
        InvalidValueError,
        match=r"no armies were drawn: .* a study of battles with `draw`.* the study's grid",
    ):
        batch("worth", folder)
    with pytest.raises(InvalidValueError, match="no armies were drawn: `batch rank` needs"):
        batch("rank", folder)
