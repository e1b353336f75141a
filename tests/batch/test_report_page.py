"""The report of a batch, its pictures as values, and its rows for SQL, Arrow and pandas."""

import json
import re

import numpy as np
import pytest
import tomli_w
from matplotlib.figure import Figure

from brickphys.batch.kinds.study_type import Estimate
from brickphys.batch.report.plot_data import PlotData, PlotLine, PlotType, plots_of
from brickphys.batch.report.sql import query, to_arrow, to_pandas
from brickphys.batch.report.table import labels, rows, summaries, value_in_words
from brickphys.batch.store import running_store
from brickphys.errors import InvalidValueError
from brickphys.plots.batch import draw_plot
from tests.batch.batches import DROP, asked, run_here, spec, until
from tests.cases import few

pytestmark = pytest.mark.usefixtures("quick_disk")

THROWS = 40


def study(tables, folder):
    wanted = {**DROP, "repeats": THROWS, **tables}
    return run_here(folder, {key: part for key, part in wanted.items() if part != {}})


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return study({}, tmp_path_factory.mktemp("made") / "batch")


def report(folder, *words):
    return asked("report", folder, *words).stdout


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


def everything(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["report.md", "report.html", "notes.txt", "side.png"])
def test_a_report_overwrites_nothing_that_is_not_its_own(name, made, tmp_path):
    folder = tmp_path / "mydocs"
    folder.mkdir()
    (folder / name).write_bytes(b"my own \xff")
    with pytest.raises(
        InvalidValueError,
        match=rf"mydocs: holds something .*\({name}\).*--force .*\(from Python force=True\)$",
    ):
        report(made.folder, "--out", folder)
    assert everything(folder) == {name: b"my own \xff"}
    report(made.folder, "--out", folder, "--force")
    assert {"report.md", "report.html"} <= everything(folder).keys()
    assert b"fingerprint" in everything(folder)["report.md"]


def test_a_report_replaces_an_earlier_one_of_its_study_only(made, tmp_path):
    folder = tmp_path / "told"
    folder.mkdir()
    (folder / ".DS_Store").write_bytes(b"")
    report(made.folder, "--out", folder)
    (folder / "report.html").write_text("old")
    report(made.folder, "--out", folder)
    assert (folder / "report.html").read_text() != "old"
    other = study({"seed": 6, "repeats": 4}, tmp_path / "other")
    before = everything(folder)
    with pytest.raises(InvalidValueError, match="other than a report of this study"):
        report(other.folder, "--out", folder)
    assert everything(folder) == before


def test_what_is_not_finished_or_not_narrow_is_said(tmp_path):
    tables = until(DROP, column="p_side", half_width=0.0001, first=20, at_most=40)
    run_here(tmp_path / "wide", tables)
    report(tmp_path / "wide")
    text = (tmp_path / "wide" / "report" / "report.md").read_text()
    assert "4 of 4 cells" in text
    assert "until the interval of p_side is ±0.0001 or narrower, or 40 runs are done" in text


def test_a_batch_without_rows_has_no_report_and_the_same_keys(tmp_path, made):
    with running_store(tmp_path / "empty", spec(DROP)) as store:
        assert [list(row) for row in rows(store)] == [list(row) for row in rows(made)]
        assert rows(store)[0]["ci95"] is None
    for words in ([], ["--json"], ["--sql", "select * from rows"]):
        with pytest.raises(InvalidValueError, match="no run is done yet"):
            report(tmp_path / "empty", *words)
    assert not (tmp_path / "empty" / "report").exists()


@pytest.mark.parametrize(
    ("tables", "forms"),
    [
        ({"grid": {"friction": [0.2, 0.4, 0.6]}}, [PlotType.BANDS]),
        ({"grid": {"surface": ["wood", "cloth"]}}, [PlotType.DOTS]),
        ({"grid": {}}, [PlotType.DOTS]),
        ({"grid": {"friction": [0.2, 0.4, 0.6], "restitution": [0.2, 0.3, 0.4]}}, [PlotType.HEAT]),
        ({"grid": {"surface": ["wood", "cloth"], "spin_rad_s": [5.0, 50.0]}}, [PlotType.BANDS]),
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
            [PlotType.SCATTER, PlotType.SCATTER],
        ),
    ],
    ids=["one number", "words", "one cell", "two numbers", "number and words", "sample"],
)
def test_pictures_are_chosen_by_what_is_varied(tables, forms, tmp_path):
    batch = study({"repeats": 20, **tables}, tmp_path / "batch")
    drawn = list(plots_of(batch, dict(summaries(batch))))
    assert [plot.plot_type for plot in drawn] == forms
    told = sum(e is not None for plot in drawn for line in plot.lines for e in line.estimates)
    assert told == len(batch.spec.cells) * len(drawn)
    for plot in drawn:
        ax = Figure().add_subplot()
        draw_plot(plot, ax)
        words = [place for place in plot.places if isinstance(place, str) and place]
        assert {label.get_text() for label in ax.get_xticklabels()} >= set(words)


def pictures(tables, folder):
    batch = study({"repeats": 20, **tables}, folder)
    for plot in plots_of(batch, dict(summaries(batch))):
        figure = Figure(layout="constrained")
        draw_plot(plot, figure.add_subplot())
        figure.draw_without_rendering()
        yield plot, figure.axes[0]


MIXED = {"shape": ["2x2", "coin:24x2", "2x4"]}


@pytest.mark.parametrize(
    "more", few([{"surface": ["wood", "glass"]}, {}, {"spin_rad_s": [5.0, 50.0]}])
)
def test_shapes_that_tell_different_things_are_not_mixed(more, tmp_path):
    tables = {"fixed": {"preset": "hand"}, "grid": MIXED | more}
    shown = list(pictures(tables, tmp_path / "batch"))
    assert {"p_side", "p_heads"} <= {plot.column for plot, _ in shown} | {
        line.label for plot, _ in shown for line in plot.lines
    }
    for plot, ax in shown:
        assert all(one for line in plot.lines for one in line.estimates)
        bars = [part for part in ax.containers if part.has_yerr]
        assert len(bars) == (0 if plot.plot_type is PlotType.BANDS else len(plot.lines))


def test_dots_stand_beside_each_other_around_their_place(tmp_path):
    tables = {"grid": {"surface": ["wood", "glass"], "height_mm": [[50, 100], [200, 300]]}}
    ((_, ax),) = pictures(tables, tmp_path / "batch")
    places = [part.lines[0].get_xdata().tolist() for part in ax.containers]
    assert np.mean(places, axis=0) == pytest.approx([0, 1])
    assert len({place for some in places for place in some}) == 4


def test_a_line_of_one_dot_has_a_bar_where_others_have_a_band(tmp_path):
    cells = [{"surface": "wood", "spin_rad_s": spin} for spin in (5.0, 50.0)]
    tables = {"grid": {}, "cell": [*cells, {"surface": "glass", "spin_rad_s": 5.0}]}
    ((plot, ax),) = pictures(tables, tmp_path / "batch")
    assert plot.plot_type is PlotType.BANDS
    assert [part.has_yerr for part in ax.containers] == [True]


def test_a_map_tells_values_with_intervals_and_equal_decimals(tmp_path):
    tables = {"grid": {"friction": [0.2, 0.4, 0.6], "restitution": [0.2, 0.3, 0.4]}}
    ((plot, ax),) = pictures(tables, tmp_path / "batch")
    told = [text.get_text() for text in ax.texts]
    assert len(told) == 9
    assert all(re.fullmatch(r"\d+\n\(\d+ to \d+\)", text) for text in told)
    value = plot.lines[0].estimates[0]
    assert told[0] == f"{100 * value.value:.0f}\n({100 * value.low:.0f} to {100 * value.high:.0f})"


def test_a_map_without_room_tells_how_wide_its_intervals_are():
    estimates = tuple(Estimate(0.3 + at / 1000, 0.28, 0.32 + at / 1000) for at in range(9))
    lines = tuple(PlotLine(f"0.{row}", estimates) for row in range(3))
    plot = PlotData("p", PlotType.HEAT, "p_side", "friction", tuple(range(9)), lines, "restitution")
    ax = Figure().add_subplot()
    draw_plot(plot, ax)
    assert {text.get_text() for text in ax.texts} == {f"{30 + at / 10:.1f}" for at in range(9)}
    assert ax.get_title(loc="right") == "95 % intervals: ±2.0 to ±2.4"


def test_a_map_of_many_cells_has_few_labels_and_no_numbers():
    """Of 100,000 cells they would take two minutes and 1.7 GB."""
    estimates = tuple(Estimate(0.3 + at / 10_000, 0.28, 0.4) for at in range(1000))
    lines = tuple(PlotLine(f"0.{row}", estimates) for row in range(40))
    places = tuple(range(1000))
    plot = PlotData("p", PlotType.HEAT, "p_side", "friction", places, lines, "restitution")
    ax = Figure().add_subplot()
    draw_plot(plot, ax)
    assert not ax.texts
    assert [label.get_text() for label in ax.get_xticklabels()][:3] == ["0", "34", "68"]
    assert max(len(ax.get_xticks()), len(ax.get_yticks())) <= 30
    assert ax.get_title(loc="right").startswith("95 % intervals: ±")


def test_a_legend_hides_nothing(tmp_path):
    for _, ax in pictures({}, tmp_path / "batch"):
        assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1
        assert ax.get_legend().get_window_extent().x1 <= ax.figure.bbox.x1


def test_a_cell_that_is_there_twice_is_drawn_twice(tmp_path):
    cells = [{"surface": surface, "spin_rad_s": 5.0} for surface in ("wood", "wood", "glass")]
    ((plot, _),) = pictures({"grid": {}, "cell": cells}, tmp_path / "batch")
    assert sum(one is not None for line in plot.lines for one in line.estimates) == 3


def test_tables_are_told_by_what_differs_in_them():
    draws = [
        {"points": 26, "ratio": [0.8, 1.25], "apart": 6},
        {"points": 26, "ratio": [1, 1], "apart": 6, "cover": 3},
    ]
    assert labels(draws) == ["ratio 0.8:1.25", "ratio 1:1, cover 3"]
    assert labels(["wood", [50, 100]]) == ["wood", "50:100"]
    assert value_in_words(draws[0]) == "points 26, ratio 0.8:1.25, apart 6"


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
