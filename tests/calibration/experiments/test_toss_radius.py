"""Tracked tosses are read whole or refused, and the edge radius follows from heights alone."""

import os
from pathlib import Path

import numpy as np
import pytest

from brickphys.calibration.experiments.toss_radius import edge_radius
from brickphys.calibration.experiments.toss_tracks import (
    COLUMNS,
    FACES,
    Tracks,
    problems,
    read_tosses,
    read_tracks,
)
from brickphys.calibration.experiments.tosses import CUBE_MM, cube
from brickphys.calibration.home_counts import table
from brickphys.errors import TossFileError
from brickphys.reading import parse_csv
from brickphys.seeds import generator
from brickphys.throws.flight import States, multiply, rotate, turn, unrotate
from brickphys.units import GRAVITY_M_S2

GOOD = {
    "toss": "7",
    "x_m": "0.1",
    "y_m": "-0.2",
    "z_m": "0.15",
    "qw": "0.5",
    "qx": "0.5",
    "qy": "0.5",
    "qz": "0.5",
    "vx_m_s": "1",
    "vy_m_s": "2",
    "vz_m_s": "-0.5",
    "wx_rad_s": "1",
    "wy_rad_s": "2",
    "wz_rad_s": "3",
    "initial_bottom_face": "-x",
    "final_bottom_face": "+y",
    "final_x_m": "0.4",
    "final_y_m": "0.2",
    "duration_s": "0.8",
}


def text(*rows, columns=COLUMNS):
    lines = [",".join(columns)]
    lines += [",".join({**GOOD, **row}[name] for name in columns) for row in rows]
    return "\n".join(lines) + "\n"


def faults(content: str) -> list[str]:
    header, rows = table(parse_csv(content, "tosses"))
    return problems(header, list(rows))


@pytest.fixture
def written(tmp_path):
    def write(content, encoding="utf-8"):
        path = tmp_path / "tosses.csv"
        path.write_text(content, encoding=encoding)
        return path

    return write


def test_lengths_become_millimetres_and_the_scalar_comes_last(written):
    tosses = read_tosses(written(text({"qw": "0.8", "qx": "0.6", "qy": "0", "qz": "0"})))
    np.testing.assert_allclose(tosses.start.position_mm, [[100.0, -200.0, 150.0]])
    np.testing.assert_allclose(tosses.start.quaternion, [[0.6, 0.0, 0.0, 0.8]])
    np.testing.assert_allclose(tosses.start.velocity_m_s, [[1.0, 2.0, -0.5]])
    np.testing.assert_allclose(tosses.final_xy_mm, [[400.0, 200.0]])
    np.testing.assert_allclose(tosses.travel_mm, [500.0])
    assert tosses.labels == ("7",)
    assert FACES[tosses.initial_face[0]] == "-x"
    assert FACES[tosses.final_face[0]] == "+y"


def test_spin_about_the_bodys_axes_becomes_spin_in_the_world(written):
    # a third of a turn about (1, 1, 1) carries x to y, y to z, z to x
    tosses = read_tosses(written(text({})))
    np.testing.assert_allclose(tosses.start.spin_rad_s, [[3.0, 1.0, 2.0]], atol=1e-12)
    back = unrotate(tosses.start.quaternion, tosses.start.spin_rad_s)
    np.testing.assert_allclose(back, [[1.0, 2.0, 3.0]], atol=1e-12)
    np.testing.assert_allclose(rotate(tosses.start.quaternion, back), tosses.start.spin_rad_s)


def test_a_quaternion_with_printing_errors_is_made_exact(written):
    tosses = read_tosses(written(text({"qw": "0.5003"})))
    assert np.linalg.norm(tosses.start.quaternion) == pytest.approx(1.0, abs=1e-15)


def test_order_of_columns_other_columns_blank_lines_and_a_mark_do_not_matter(written):
    shuffled = (*reversed(COLUMNS), "remark")
    content = text({"remark": "hit the wall"}, columns=shuffled).replace("\n", "\n\n")
    path = written(content, encoding="utf-8-sig")
    assert len(read_tosses(path)) == 1
    np.testing.assert_allclose(read_tosses(path).start.position_mm, [[100.0, -200.0, 150.0]])


@pytest.mark.parametrize("name", COLUMNS)
def test_a_missing_column_is_named(written, name):
    columns = [column for column in COLUMNS if column != name]
    with pytest.raises(TossFileError, match=f"column '{name}' is missing"):
        read_tosses(written(text({}, columns=columns)))


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"x_m": "nan"}, "x_m: 'nan' is not finite"),
        ({"vz_m_s": "-inf"}, "vz_m_s: '-inf' is not finite"),
        ({"wy_rad_s": "fast"}, "wy_rad_s: 'fast' is not a number"),
        ({"z_m": ""}, "z_m: '' is not a number"),
        ({"z_m": "150"}, "z_m: 150 is outside -100 to 100"),
        ({"duration_s": "-1"}, "duration_s: -1 is negative"),
        ({"qw": "0.6"}, "quaternion of length 1.05"),
        ({"qw": "0", "qx": "0", "qy": "0", "qz": "0"}, "quaternion of length 0 "),
        ({"final_bottom_face": "up"}, "final_bottom_face: unknown face 'up'"),
        ({"initial_bottom_face": ""}, "initial_bottom_face: unknown face ''"),
    ],
)
def test_a_fault_is_named_with_its_row_and_column(row, fault):
    (found,) = faults(text({}, {}, row, {}))
    assert found.startswith("row 3 (line 4), column")
    assert fault in found


def test_a_row_of_the_wrong_length_is_named():
    broken = text({}, {}).rsplit(",", 1)[0] + "\n"
    (found,) = faults(broken)
    assert found == f"row 2 (line 3): {len(COLUMNS) - 1} values for {len(COLUMNS)} columns"


def test_every_fault_is_counted_and_the_line_stays_short(written):
    bad = {"x_m": "nan", "final_bottom_face": "?"}
    assert len(faults(text(*[bad] * 6))) == 12
    with pytest.raises(TossFileError) as caught:
        read_tosses(written(text(*[bad] * 6)))
    message = str(caught.value)
    assert "12 faults" in message
    assert "and 7 more" in message
    assert "row 1 (line 2), column x_m" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("content", "fault"), [("", "is empty"), ("\n \n", "is empty"), (text(), "no tosses")]
)
def test_a_file_without_tosses_is_refused(written, content, fault):
    with pytest.raises(TossFileError, match=fault):
        read_tosses(written(content))


def test_a_column_that_occurs_twice_is_refused():
    assert faults(text({}, columns=(*COLUMNS, "x_m"))) == ["column 'x_m' occurs twice"]


def test_what_is_no_text_file_is_refused(tmp_path):
    with pytest.raises(TossFileError, match="cannot be read"):
        read_tosses(tmp_path / "nowhere.csv")
    with pytest.raises(TossFileError, match="cannot be read"):
        read_tosses(tmp_path)
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(TossFileError, match="UTF-8"):
        read_tosses(binary)


TRACKS = Path(os.environ.get("BRICKPHYS_TOSSES", "cube_tosses.csv")).with_name(
    "cube_toss_trajectories.npz"
)
RATE, SCALE, HALF = 148.0, 1.02, CUBE_MM / 2
FLIGHT, ROLL, REST = 12, 40, 10
TILT_DEG, HEIGHT_MM = 0.45, 0.3


def to_the_floor(direction):
    """Quaternions that turn body directions (n, 3), with z below 0, to straight down."""
    axis = np.column_stack([-direction[:, 1], direction[:, 0], 0 * direction[:, 0]])
    q = np.column_stack([axis, 1 - direction[:, 2]])
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def tracked(radius_mm, tosses=60, tilt_deg=TILT_DEG, height_mm=HEIGHT_MM, root=1):
    """A tracker's view of a cube that flies, rolls over an edge or a corner and rests: lengths are short, poses wrong.

    Every toss has its own constant error of tilt and height.
    """
    rng = generator(root)
    parts = []
    for toss in range(tosses):
        along = np.linspace(1.2, 0.1, ROLL)  # angle from the face
        beside = 0.0 if toss % 2 else rng.uniform(0.2, 0.6)
        rolling = np.column_stack([np.sin(along), np.full(ROLL, beside), -np.cos(along)])
        face = np.tile([0.0, 0.0, -1.0], (1, 1))
        down = np.vstack([face.repeat(FLIGHT, 0), rolling, face.repeat(REST, 0)])
        down /= np.linalg.norm(down, axis=1, keepdims=True)
        z = (HALF - radius_mm) * np.abs(down).sum(axis=1) + radius_mm
        t = np.arange(len(z)) / RATE
        z[:FLIGHT] += 300.0 - 500.0 * GRAVITY_M_S2 * t[:FLIGHT] ** 2
        error = np.radians(tilt_deg) * np.array([*rng.normal(size=2), 0.0])
        quaternion = multiply(turn(error[None]), to_the_floor(down))
        z += height_mm * rng.normal()
        parts.append((np.full(len(z), 2.0 * toss), t, z, quaternion))
    toss_of, time_s, z, quaternion = (np.concatenate(column) for column in zip(*parts, strict=True))
    position = np.column_stack([0 * z, 0 * z, z]) / SCALE
    still = np.zeros_like(position)
    return Tracks(toss_of, time_s, States(position, quaternion, still, still))


@pytest.mark.parametrize("radius", [0.0, 1.7, 3.5])
@pytest.mark.parametrize("root", [1, 2])
def test_a_known_radius_is_found_within_its_error(radius, root):
    found = edge_radius(tracked(radius, root=root), cube())
    # six pairs of figures: three standard errors each fail by chance once in some 30 seeds
    for one in (found.edge, found.corner):
        assert abs(one.radius_mm - radius) < 3 * one.error_mm
        assert one.error_mm < 0.5
    assert found.scale == pytest.approx(SCALE, rel=1e-6)
    assert found.tilt_deg == pytest.approx(TILT_DEG, rel=0.25)
    assert found.ci95_mm[0] - 0.3 < radius < found.ci95_mm[1] + 0.3


def test_perfect_tracks_give_the_radius_itself():
    found = edge_radius(tracked(2.0, tilt_deg=0.0, height_mm=0.0, tosses=8), cube())
    assert found.edge.radius_mm == pytest.approx(2.0, abs=1e-6)
    assert found.corner.radius_mm == pytest.approx(2.0, abs=1e-6)
    assert found.rest_mm == pytest.approx(HALF, abs=1e-6)


def test_errors_of_the_tilt_would_look_like_a_radius_along_edges():
    found = edge_radius(tracked(0.0, tosses=200), cube())
    assert found.edge.uncorrected_mm > 0.5
    assert abs(found.edge.radius_mm) < 0.35
    assert found.corner.uncorrected_mm == found.corner.radius_mm


def test_intervals_cover_the_truth():
    inside = 0
    for root in range(20):
        low, high = edge_radius(tracked(1.7, root=root), cube()).ci95_mm
        inside += low <= 1.7 <= high
    # 95 % intervals: 16 or fewer of 20 in 1.6 % of such tests
    assert inside >= 17


def test_tracks_without_corners_are_refused():
    tracks = tracked(1.0, tosses=9)
    edges = tracks.toss % 4 == 2
    only = Tracks(tracks.toss[edges], tracks.time_s[edges], tracks.states[edges])
    with pytest.raises(TossFileError, match=r"only 0 of the tracked tosses stand on a corner"):
        edge_radius(only, cube())


def test_the_real_cube_has_rounded_edges():
    if not TRACKS.exists():
        pytest.skip(
            "no tracked tosses: BRICKPHYS_TOSSES names the file, docs/validation.md makes it"
        )
    found = edge_radius(read_tracks(TRACKS), cube())
    assert 2.5 < found.ci95_mm[0] < found.ci95_mm[1] < 4.5
