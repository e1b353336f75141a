"""A measurement file keeps the readings of each test; their law says where it comes from."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brickphys.calibration.law_origin import checks
from brickphys.calibration.measure import measurement_file
from brickphys.calibration.measure.drop import DropTest
from brickphys.calibration.measure.film import FilmTest
from brickphys.calibration.measure.measured import TiltTest
from brickphys.calibration.measure.measured_law import filmed_conditions, measured_law
from brickphys.calibration.measure.measured_posterior import (
    ASSUMPTIONS,
    COUNTS_ASSUMPTION,
    measured_posterior,
)
from brickphys.errors import InvalidValueError, LawFileError
from brickphys.odds.law_file import default_law, parse_law, read_law
from brickphys.throws.conditions import surface
from tests.fitted import shipped_response

TILT = TiltTest((21.0, 22.5), 0.5)
DROP = DropTest(((0.5, 0.52), (0.48,)), 0.01)
FILM = FilmTest((200.0, 180.5), (1.0, 0.7), (30.0, 25.0), 0.02)
HEAD = 'schema = "brickphys.measurements/1"\n'


def test_tests_are_added_one_by_one_and_read_back(tmp_path):
    path = tmp_path / "mine.toml"
    for test in (TILT, DROP, FILM):
        kept = measurement_file.add_measurement(test, path, force=False)
    assert measurement_file.read_measurements(path) == kept
    assert (kept.tilt, kept.drop, kept.film) == (TILT, DROP, FILM)
    names = ["friction", "restitution", "height_mm", "speed_m_s", "spin_rad_s"]
    assert list(kept.quantities()) == names


def test_a_test_is_replaced_only_by_force(tmp_path):
    path = tmp_path / "mine.toml"
    measurement_file.add_measurement(TILT, path, force=False)
    before = path.read_bytes()
    other = TiltTest((31.0, 32.5), 0.5)
    with pytest.raises(InvalidValueError, match="has a tilt test already; --force replaces it"):
        measurement_file.add_measurement(other, path, force=False)
    assert path.read_bytes() == before
    assert measurement_file.add_measurement(other, path, force=True).tilt == other
    assert list(measurement_file.read_measurements(path).quantities()) == ["friction"]


@given(st.lists(st.floats(20, 40), min_size=5, max_size=9), st.floats(0.1, 5))
@settings(max_examples=30)
def test_angles_keep_all_their_digits(tmp_path_factory, angles, error):
    path = tmp_path_factory.mktemp("tilt") / "mine.toml"
    test = TiltTest(tuple(angles), error)
    measurement_file.add_measurement(test, path, force=False)
    assert measurement_file.read_measurements(path).tilt == test


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
        measurement_file.read_measurements(path)


MEASURED = measurement_file.Measurements(
    TiltTest((21.0, 22.0, 23.0, 22.5), 0.5),
    film=FilmTest((150.0, 200.0, 260.0), (1.2, 1.6, 1.3), (), 0.02),
)


@pytest.fixture(scope="module")
def made(thrown):
    """The posterior and law of two tests and 800 bricks."""
    rng = np.random.default_rng(1)
    counts = thrown(rng, 200, 4, (0.33, 0.36, 0.31))
    response = shipped_response()
    found = measured_posterior(MEASURED.quantities(), response, surface("wood"), counts, rng)
    law = measured_law(
        default_law(),
        found,
        MEASURED,
        counts,
        surface="wood",
        files=("mine.toml", "counts.csv"),
        seed=3,
        command="brickphys measure law",
    )
    return found, law


def test_the_law_is_as_sure_as_the_posterior(made):
    found, law = made
    assert float(law.p) == pytest.approx(found.p.mean, abs=0.001)
    assert law.ci95 == pytest.approx(found.p.ci95, abs=0.001)
    assert law.throws == pytest.approx(found.p.mean * (1 - found.p.mean) / found.p.sd**2, rel=0.01)
    for pose, share in found.shares.items():
        assert law.counts[pose] / law.throws == pytest.approx(share, abs=0.002)
    assert law.systematic is None
    assert law.p_range90 == found.p.range90
    assert law.range_meaning == "this table and hand"
    assert law.has_all_doubt


def test_the_law_says_what_was_measured(made):
    found, law = made
    measured = {name for name, cause in law.measured.causes.items() if cause.measured}
    assert measured == {"friction", "height_mm", "speed_m_s"}
    assert law.measured.assumptions == (*ASSUMPTIONS, COUNTS_ASSUMPTION, *found.cut_off)
    assert law.stamp is not None
    assert law.surface.friction == found.causes["friction"].mean
    assert law.conditions.speed_m_s == found.causes["speed_m_s"].mean
    assert sum(law.conditions.height_mm) / 2 == pytest.approx(MEASURED.film.height.value)
    assert law.combined.prior_p == found.measured_p.mean
    assert sum(law.combined.scores[4]) == 200


def test_it_is_written_and_read_back(made, tmp_path):
    _, law = made
    path = law.save(tmp_path / "mine.json")
    assert read_law(path) == law
    assert [check.fault for check in checks(path) if check.fault] == []


def test_an_interval_without_its_mean_is_a_fault(made):
    _, law = made
    document = law.document()
    document["measured"]["causes"]["friction"]["ci95"] = [0.0, 0.1]
    with pytest.raises(LawFileError, match=r"measured\.causes\.friction: .* does not contain"):
        parse_law(json.dumps(document))


def test_conditions_of_a_film_never_begin_inside_the_table():
    low = FilmTest((15.0, 60.0, 20.0), (1.0, 1.0, 1.0), (10.0, 12.0, 11.0), 0.02)
    conditions = filmed_conditions(low, "2x2", default_law().conditions)
    assert conditions.height_mm[0] > 12
    assert conditions.spin_rad_s == low.spin.value
    assert conditions.preset == "custom"
