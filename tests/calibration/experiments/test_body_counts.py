"""Counted rolls of any bodies: the file, chi squared, the fit, and the command with its contract."""

import numpy as np
import pytest
from scipy.stats import chi2, chisquare

from brickphys.calibration.experiments.body_comparison import (
    CONTACT,
    RollKind,
    candidates,
    compare_bodies,
)
from brickphys.calibration.experiments.body_counts import read_counted_bodies
from brickphys.errors import CountsFileError, InvalidValueError
from brickphys.throws.conditions import PRESETS, ContactCoefficients
from tests.command_line import answer, assert_refused, brickphys

D4 = """v 10 10 10
v 10 -10 -10
v -10 10 -10
v -10 -10 10
f 2 4 3
f 1 3 4
f 1 4 2
f 1 2 3
"""
HEAD = "body,face,rolls,normals"
DIE = f"""{HEAD},other_model
d4,one,26,-1 -1 -1,0.25
d4,2 or 3,49,-1 1 1;1 -1 1,0.5
d4,4,25,1 1 -1,0.25
coin:15x5.31,edge,13,,0.2
coin:15x5.31,heads+tails,87,,0.8
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "d4.obj").write_text(D4)
    (tmp_path / "dice.csv").write_text(DIE)
    return tmp_path


def test_the_contract_is_kept(folder):
    found = answer(
        "validate", "counts", str(folder / "dice.csv"), "--unit-mm", "1", "--throws", "400",
        "--seed", "1", "--workers", "1",
    )  # fmt: skip
    keys = ("chi2", "dof", "friction", "restitution", "preset", "height_mm", "speed_m_s")
    assert {*keys, "bodies", "spin_rad_s"} <= set(found)
    d4, coin = found["bodies"]
    assert (d4["name"], d4["rolls"], d4["dof"]) == ("d4", 100, 2)
    assert d4["counts"] == {"one": 26, "2 or 3": 49, "4": 25}
    assert coin["counts"] == {"edge": 13, "heads+tails": 87}
    for body in (d4, coin):
        for model in ("predicted", "quasi_static", "solid_angle"):
            assert set(body[model]) == set(body["counts"])
            assert sum(body[model].values()) == pytest.approx(1.0, abs=0.01)
        shares = np.array([body["predicted"][face] for face in body["counts"]])
        observed = np.array([*body["counts"].values()])
        pearson = (observed - body["rolls"] * shares) ** 2 / (body["rolls"] * shares)
        assert body["chi2"] == pytest.approx(pearson.sum())
    assert found["chi2"] == pytest.approx(d4["chi2"] + coin["chi2"])
    assert found["dof"] == 3
    by_throws = found["chi2"] / (1 + 100 / 400)  # 100 rolls against shares of 400 throws
    assert found["p_value"] == pytest.approx(chi2.sf(by_throws, 3))
    assert (found["friction"], found["restitution"]) == (CONTACT.friction, CONTACT.restitution)
    assert d4["quasi_static"]["one"] == pytest.approx(0.25, abs=2e-3)
    assert d4["predicted"]["2 or 3"] == pytest.approx(0.5, abs=0.1)
    assert d4["beside"] == {"other_model": {"one": 0.25, "2 or 3": 0.5, "4": 0.25}}


def test_shapes_by_name_need_no_normals_and_faces_that_are_left_out_are_told(folder):
    path = folder / "brick.csv"
    path.write_text("body,face,rolls\n2x2,studs_up,62\n2x2,side,58\n")
    kind = RollKind(PRESETS["hand"], ContactCoefficients(0.4, 0.5))
    text = compare_bodies(read_counted_bodies(path), [kind], 1000, 1).text()
    (told,) = [line for line in text.splitlines() if "none of these faces" in line]
    assert 30.0 < float(told.partition(" ")[0]) < 45.0
    whole = read_counted_bodies(folder / "dice.csv", 1.0)
    assert "none of these" not in compare_bodies(whole, [kind], 200, 1).text()


def test_chi_squared_is_pearsons(folder):
    body = read_counted_bodies(folder / "dice.csv", unit_mm=1.0)[0]
    expected = chisquare([26, 49, 25], [20, 60, 20]).statistic
    assert body.chi2({"one": 0.2, "2 or 3": 0.6, "4": 0.2}) == pytest.approx(expected)
    assert body.chi2({"one": 0.0, "2 or 3": 0.8, "4": 0.2}) == np.inf


def test_units_densities_and_radii_are_those_of_the_body(folder):
    small, large = (read_counted_bodies(folder / "dice.csv", unit)[0].body for unit in (1.0, 2.0))
    assert large.volume_mm3 == pytest.approx(8 * small.volume_mm3)
    heavy = read_counted_bodies(folder / "dice.csv", 1.0, density_g_cm3=2.2)[0].body
    assert heavy.mass_g == pytest.approx(2 * small.mass_g)
    rounded = read_counted_bodies(folder / "dice.csv", 1.0, edge_radius_mm=0.5)
    assert [one.body.edge_radius_mm for one in rounded] == [0.5, 0.5]


def made_of(folder, kind, names, throws=20_000):
    """Write the counts that a kind of throw gives, and return the bodies of the file."""
    path = folder / "made.csv"
    blank = [f"{name},{pose},1," for name in names for pose in "xyz"]
    path.write_text("\n".join([HEAD, *blank]))
    found = compare_bodies(read_counted_bodies(path), [kind], throws, 5)
    rows = [
        f"{result.counted.name},{pose},{round(throws * share)},"
        for result in found.results
        for pose, share in result.predicted.items()
    ]
    path.write_text("\n".join([HEAD, *rows]))
    return read_counted_bodies(path)


def test_the_throw_that_made_the_counts_is_found_again(folder):
    true = RollKind(PRESETS["roll"], ContactCoefficients(0.4, 0.4))
    kinds = candidates([PRESETS["drop"], PRESETS["roll"]], [0.1, 0.4], [0.05, 0.4])
    assert true in kinds
    bodies = made_of(folder, true, ["cuboid:10x12x16", "cuboid:8x14x14"])
    found = compare_bodies(bodies, kinds, 20_000, 6)
    assert found.is_fitted
    assert found.kind == true
    right = compare_bodies(bodies, [true], 20_000, 6)
    # both sides have the error of 20,000 throws: chi squared is about twice its four degrees of freedom
    assert right.chi2 < 25
    wrong = compare_bodies(bodies, [RollKind(PRESETS["drop"], true.contact)], 20_000, 6)
    assert wrong.chi2 > 200


def test_a_body_is_predicted_by_the_fit_to_the_others(folder):
    one, other = (RollKind(PRESETS["roll"], ContactCoefficients(mu, 0.4)) for mu in (0.1, 0.6))
    first = made_of(folder, one, ["cuboid:10x10x16"])
    second = made_of(folder, other, ["cuboid:9x9x15"])
    found = compare_bodies([*first, *second], [one, other], 4000, 7)
    assert [result.kind for result in found.results] == [other, one]


def test_a_fit_needs_two_bodies(folder):
    kinds = candidates([PRESETS["roll"]], [0.2, 0.4], [0.2])
    with pytest.raises(InvalidValueError, match="two bodies"):
        compare_bodies(read_counted_bodies(folder / "dice.csv", 1.0)[:1], kinds, 10, 1)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("", "it has no rows"),
        ("d4,one,3,-1 -1 -1", "only one face"),
        ("d4,one,0,-1 -1 -1\nd4,two,0,-1 1 1", "no rolls"),
        ("d4,one,-3,-1 -1 -1\nd4,two,1,-1 1 1", "rolls '-3' is not a number"),
        ("d4,one,3.5,-1 -1 -1\nd4,two,1,-1 1 1", "rolls '3.5' is not a number"),
        ("d4,one,3,-1 -1\nd4,two,1,-1 1 1", "not three numbers each"),
        ("d4,one,3,0 0 0\nd4,two,1,-1 1 1", "not three numbers each"),
        ("d4,one,3,nan 1 1\nd4,two,1,-1 1 1", "not three numbers each"),
        ("d4,one,3,-1 -1 -1\nd4,one,1,-1 1 1", "face 'one' of 'd4' again"),
        ("d4,one,3,-1 -1 -1\nd4,two,1,-1 -1 -1", "has the normals of another face"),
        ("d4,one,3,0 0 1\nd4,two,1,-1 1 1", "face 'one': no face of the hull"),
        ("d4,one,3,-1 -1 -1\nd4,two,1,", "some faces have normals"),
        ("d6,one,3,-1 -1 -1\nd6,two,1,-1 1 1", "no mesh d6.obj beside it"),
        ("d6:16,one,3,\nd6:16,two,1,", "has no pose 'one': 1, 2"),
        ("d6:16,1,3,\nd6:16,1+2,1,", "pose '1' is in two faces"),
        ("brick,one,3,\nbrick,two,1,", "so it must be a shape: unknown shape"),
        (",one,3,-1 -1 -1", "body is empty"),
        ("d4,one,3", "3 cells, where the header has 4"),
    ],
)
def test_impossible_rows_are_refused(folder, rows, told):
    path = folder / "bad.csv"
    path.write_text(f"{HEAD}\n{rows}\n")
    with pytest.raises(CountsFileError, match=told) as caught:
        read_counted_bodies(path, 1.0)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--unit-mm 0", "unit"),
        ("--unit-mm nan", "unit"),
        ("--unit-mm 1000", "outside"),
        ("--density-g-cm3 -1", "density_g_cm3"),
        ("--edge-radius-mm 9", "edge_radius_mm 9"),
        ("--throws 0", "throws 0"),
        ("--throws 1000001", "1..1000000"),
        ("--engines steam", "unknown engine 'steam'"),
        ("--engines compiled,compiled", "twice"),
        ("--preset hnad", "did you mean 'hand'"),
        ("--restitution 0.9", "0 to 0.7"),
        ("--friction nan", "friction nan"),
        ("--height-mm 1:2", "height_mm"),
        ("--plot shares.txt", ".png"),
    ],
)
def test_impossible_options_are_refused(folder, options, told):
    named = folder / "named.csv"
    named.write_text(f"{HEAD}\ncoin:15x5,edge,7,\ncoin:15x5,heads+tails,53,\n")
    file = named if "unit-mm 0" in options or "density" in options else folder / "dice.csv"
    words = ["validate", "counts", str(file), *options.split(), "--workers", "1"]
    unit = [] if "--unit-mm" in options else ["--unit-mm", "1"]
    assert_refused(brickphys(*words, *unit), told)
