"""The report of a batch, its pictures as values, and its rows for SQL, Arrow and pandas."""

import json

import pytest
import tomli_w
from batches import DROP, spec
from click.testing import CliRunner
from matplotlib.figure import Figure

from brickphys.batch.frames import query, to_arrow, to_pandas
from brickphys.batch.panel import Form, panels
from brickphys.batch.runner import run_study
from brickphys.batch.store import running_store
from brickphys.batch.table import rows, summaries
from brickphys.cli.main import cli
from brickphys.errors import InvalidValueError
from brickphys.plots.batch import draw_panel

THROWS = 40


def study(tables, folder):
    wanted = {**DROP, "repeats": THROWS, **tables}
    return run_study(spec({key: part for key, part in wanted.items() if part != {}}), folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return study({}, tmp_path_factory.mktemp("made") / "batch")


def report(folder, *words):
    told = CliRunner().invoke(
        cli, ["batch", "report", str(folder), *words], standalone_mode=False, catch_exceptions=False
    )
    return told.stdout


def test_the_report_holds_table_pictures_study_and_origin(made):
    report(made.folder)
    text = (made.folder / "report" / "report.md").read_text()
    assert "160 throws in 4 cells, 0 failed, seed 5." in text
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert table[0].startswith("| surface | height_mm | throws | failed | p_side |")
    assert [line.split(" | ")[:3] for line in table[2:]] == [
        [f"| {surface}", height, str(THROWS)]
        for surface in ("wood", "glass")
        for height in ("50:100", "200:300")
    ]
    assert 'shape = "2x2"' in text
    assert "fingerprint of the study" in text
    (picture,) = (made.folder / "report").glob("*.png")
    assert f"]({picture.name})" in text


def test_the_page_needs_nothing_else(made):
    report(made.folder)
    page = (made.folder / "report" / "report.html").read_text()
    assert "<table>" in page
    assert 'src="data:image/png;base64,' in page
    assert page.count("src=") == page.count('src="data:')


def test_what_is_not_finished_or_not_narrow_is_said(tmp_path):
    until = {"column": "p_side", "half_width": 0.0001, "first": 20, "at_most": 40}
    tables = {key: part for key, part in DROP.items() if key != "repeats"} | {"until": until}
    run_study(spec(tables), tmp_path / "wide")
    report(tmp_path / "wide")
    assert "4 of 4 cells" in (tmp_path / "wide" / "report" / "report.md").read_text()


def test_a_batch_without_rows_has_no_report_and_the_same_keys(tmp_path, made):
    with running_store(tmp_path / "empty", spec(DROP)) as store:
        assert [list(row) for row in rows(store)] == [list(row) for row in rows(made)]
        assert rows(store)[0]["ci95"] is None
    for words in ([], ["--json"], ["--sql", "select * from rows"]):
        with pytest.raises(InvalidValueError, match="nothing is done yet"):
            report(tmp_path / "empty", *words)
    assert not (tmp_path / "empty" / "report").exists()


@pytest.mark.parametrize(
    ("tables", "forms"),
    [
        ({"grid": {"friction": [0.2, 0.4, 0.6]}}, [Form.BANDS]),
        ({"grid": {"surface": ["wood", "cloth"]}}, [Form.DOTS]),
        ({"grid": {}}, [Form.DOTS]),
        ({"grid": {"friction": [0.2, 0.4, 0.6], "restitution": [0.2, 0.3, 0.4]}}, [Form.HEAT]),
        ({"grid": {"surface": ["wood", "cloth"], "spin_rad_s": [5.0, 50.0]}}, [Form.BANDS]),
        (
            {
                "grid": {},
                "sample": {
                    "method": "sobol",
                    "cells": 4,
                    "ranges": {"friction": [0.2, 0.6]},
                    "choices": {"surface": ["wood", "glass"]},
                },
            },
            [Form.SCATTER, Form.SCATTER],
        ),
    ],
    ids=["one number", "words", "one cell", "two numbers", "number and words", "sample"],
)
def test_pictures_are_chosen_by_what_is_varied(tables, forms, tmp_path):
    batch = study({"repeats": 20, **tables}, tmp_path / "batch")
    drawn = list(panels(batch, dict(summaries(batch))))
    assert [panel.form for panel in drawn] == forms
    told = sum(e is not None for panel in drawn for line in panel.lines for e in line.estimates)
    assert told == len(batch.spec.cells) * len(drawn)
    for panel in drawn:
        ax = Figure().add_subplot()
        draw_panel(panel, ax)
        words = [place for place in panel.places if isinstance(place, str)]
        assert {label.get_text() for label in ax.get_xticklabels()} >= set(words)


def test_rows_are_asked_in_sql(made):
    asked = "select surface, count(*) as n, sum(side) as sides from rows group by all order by 1"
    found = query(made, asked).to_pylist()
    assert [(row["surface"], row["n"]) for row in found] == [("glass", 80), ("wood", 80)]
    cells = query(made, "select p_side from cells").to_pylist()
    assert [row["p_side"] for row in cells] == [row["p_side"] for row in rows(made)]
    with pytest.raises(InvalidValueError, match=r"--sql: .*nowhere"):
        query(made, "select * from nowhere")
    shown = json.loads(report(made.folder, "--sql", asked, "--json"))
    assert [row["n"] for row in shown["rows"]] == [80, 80]


def test_every_run_is_a_row_with_its_factors(made):
    table = to_arrow(made)
    assert table.column_names[:4] == ["cell", "surface", "height_mm", "run"]
    assert table.num_rows == 4 * THROWS
    frame = to_pandas(made)
    sides = frame.groupby("cell").side.mean().tolist()
    assert sides == pytest.approx([row["p_side"] for row in rows(made)])


def test_a_study_reads_back_from_the_report(made):
    report(made.folder)
    text = (made.folder / "report" / "report.md").read_text()
    shown = text.split("```toml\n")[1].split("```")[0]
    assert shown == tomli_w.dumps(dict(made.spec.document))
