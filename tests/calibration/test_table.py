"""A table with edges: bodies that stop beyond them are counted apart; shares of poses are of those that stay."""

from dataclasses import replace

import numpy as np
import pytest

import brickphys
from brickphys.calibration.throw import cell_of
from brickphys.calibration.throwers import landed, tally
from brickphys.errors import InvalidValueError
from brickphys.units import GRAVITY_M_S2
from tests.cases import few_rows
from tests.command_line import brickphys as command
from tests.landings import alike


def thrown(throws, table_mm, engine="compiled", **how):
    return brickphys.throw(
        "2x2", throws, engine=engine, table_mm=table_mm, seed=1, progress=False, **how
    )


@pytest.mark.parametrize(("engine", "throws"), few_rows([("compiled", 500), ("bullet", 60)]))
def test_a_table_of_a_kilometre_gives_the_same_counts_as_none(engine, throws):
    endless, wide = thrown(throws, None, engine), thrown(throws, 1e6, engine)
    assert (endless.counts, endless.off_table) == (wide.counts, None)
    assert wide.off_table["count"] == 0


@pytest.mark.parametrize(
    ("engine", "error"),
    few_rows([("compiled", 0.005), ("bullet", 0.01), ("mujoco", 0.02)], 2),
)
def test_a_body_that_slides_is_off_if_it_stops_beyond_the_edge(engine, error):
    """Oracle: the sliding distance v2 / (2 mu g), against half of the table, in all four directions."""
    if engine == "mujoco":
        pytest.importorskip("mujoco", reason="the extra mujoco is not installed")
    states = alike(4, 2.5)
    states.velocity_m_s[:, 0, :2] = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    cell = cell_of("cuboid:40x40x5", engine, "hand", friction=0.4, restitution=0.0)
    slid_mm = 1000 / (2 * 0.4 * GRAVITY_M_S2)
    for share, off in ((1 + error, 0), (1 - error, 4)):
        table = (2 * share * slid_mm, 2 * share * slid_mm)
        found = tally(landed(replace(cell, table_mm=table), states), ("z",))
        assert found.off_table == off
        assert (found.counts["z"], found.hands) == (4 - off, 4)
    sides = replace(cell, table_mm=(3 * slid_mm, slid_mm))
    assert tally(landed(sides, states), ("z",)).off_table == 2  # those across it


def test_larger_tables_lose_fewer_and_all_bodies_are_counted():
    sizes = (100, 300, 600, (600, 1200), 1200, 3000)
    found = [thrown(400, size) for size in sizes]
    off = [one.off_table["count"] for one in found]
    assert off == sorted(off, reverse=True)
    assert off[0] > 350 > 20 > off[-1]
    for one in found:
        assert sum(one.counts.values()) + one.off_table["count"] == one.tally.hands == 400
        assert one.complete
        assert one.p_side == one.counts["side"] / sum(one.counts.values())
    gone = thrown(20, 1, preset="roll")
    assert gone.p_side is gone.ci95 is None
    assert "off the table: 20, 100 % of all" in gone.text()


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "throws"), [("bullet", 600), ("mujoco", 200)])
def test_engines_lose_the_same_share(engine, throws):
    # a difference of four standard errors is found by chance once in 16,000
    p, q = (
        thrown(n, (1200, 800), by).off_table["share"]
        for n, by in ((3000, "compiled"), (throws, engine))
    )
    assert abs(p - q) < 4 * np.sqrt(p * (1 - p) * (1 / 3000 + 1 / throws))


def test_what_cannot_fall_off_is_refused():
    for wrong in ({"bricks": 2}, {"floor": "tray"}, {"floor": "baseplate", "engine": "bullet"}):
        with pytest.raises(InvalidValueError, match="only single bodies on a plane"):
            thrown(10, 500, **({"engine": None} | wrong))
    for wrong_mm in (0, -5, np.nan, np.inf, (100, 0.5)):
        with pytest.raises(InvalidValueError, match=r"table_mm .* is outside 1 to 1e\+06"):
            thrown(10, wrong_mm)


def test_the_command_takes_width_and_depth_or_one_number(tmp_path):
    words = ("drop", "2x2", "--throws", 50, "--seed", 1, "--workers", 1, "--table-mm")
    assert "off the table: " in command(*words, "600X400", cwd=tmp_path).stdout
    for text in ("axb", "3x4x5", ""):
        refused = command(*words, text, cwd=tmp_path)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert "is not a table in millimetres such as 1200x800" in refused.stderr
    refused = command(*words, "600", "--html", "a.html", cwd=tmp_path)
    assert refused.returncode == 2
    assert list(tmp_path.iterdir()) == []
