"""A measurement file keeps the readings of each test, and refuses those that mean nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.calibration.measure.drop import DropTest
from brickphys.calibration.measure.film import FilmTest
from brickphys.calibration.measure.measured import TiltTest
from brickphys.calibration.measure.measurement_file import add_measurement, read_measurements
from brickphys.errors import InvalidValueError

TILT = TiltTest((21.0, 22.5), 0.5)
DROP = DropTest(((0.5, 0.52), (0.48,)), 0.01)
FILM = FilmTest((200.0, 180.5), (1.0, 0.7), (30.0, 25.0), 0.02)
HEAD = 'schema = "brickphys.measurements/1"\n'


def test_tests_are_added_one_by_one_and_read_back(tmp_path):
    path = tmp_path / "mine.toml"
    for test in (TILT, DROP, FILM):
        kept = add_measurement(test, path, force=False)
    assert read_measurements(path) == kept
    assert (kept.tilt, kept.drop, kept.film) == (TILT, DROP, FILM)
    names = ["friction", "restitution", "height_mm", "speed_m_s", "spin_rad_s"]
    assert list(kept.quantities()) == names


def test_a_test_is_replaced_only_by_force(tmp_path):
    path = tmp_path / "mine.toml"
    add_measurement(TILT, path, force=False)
    before = path.read_bytes()
    other = TiltTest((31.0, 32.5), 0.5)
    with pytest.raises(InvalidValueError, match="has a tilt test already; --force replaces it"):
        add_measurement(other, path, force=False)
    assert path.read_bytes() == before
    assert add_measurement(other, path, force=True).tilt == other
    assert list(read_measurements(path).quantities()) == ["friction"]


@given(st.lists(st.floats(20, 40), min_size=5, max_size=9), st.floats(0.1, 5))
@settings(max_examples=30)
def test_angles_keep_all_their_digits(tmp_path_factory, angles, error):
    path = tmp_path_factory.mktemp("tilt") / "mine.toml"
    test = TiltTest(tuple(angles), error)
    add_measurement(test, path, force=False)
    assert read_measurements(path).tilt == test


BAD = [
    ("", "schema: missing"),
    (HEAD, "no measurement; known: tilt, drop, film"),
    (HEAD + "[tlt]\n", "tlt: unknown key, did you mean 'tilt'?"),
    (
        HEAD + "[tilt]\nangles_deg = [20.0, 95.0]\nerror_deg = 1.0\n",
        "tilt: angle 95 is not between",
    ),
    (HEAD + "[tilt]\nangles_deg = [20.0, nan]\nerror_deg = 1.0\n", r"tilt.angles_deg\[1\]"),
    (HEAD + "[tilt]\nangles_deg = [20.0]\n", "tilt.error_deg: missing"),
    (
        HEAD + "[drop]\nrestitution = [[1.5], [0.5]]\nerror = 0.1\n",
        "drop: restitution 1.5 is outside",
    ),
    (HEAD + "[drop]\nrestitution = [[], [0.5]]\nerror = 0.1\n", "drop: restitution nan is outside"),
    (HEAD + "[drop]\nrestitution = []\nerror = 0.1\n", "drop: drops: 0 of them"),
    ("schema = 3", "schema: "),
    ("a = = b", "not TOML"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_faults_name_file_and_key(tmp_path, text, says):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InvalidValueError, match=f"mine.toml: .*{says}"):
        read_measurements(path)
