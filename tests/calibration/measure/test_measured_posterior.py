"""Measurements and counts together: the interval of p holds the truth, and each of them narrows it."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.calibration.home_counts import POSES, HomeCounts
from brickphys.calibration.measure.drop import DropTest
from brickphys.calibration.measure.film import FilmTest, Flight, film_test
from brickphys.calibration.measure.measured import TiltTest, Uniform
from brickphys.calibration.measure.measured_posterior import CONTACT_LAW_LOGITS, measured_posterior
from brickphys.calibration.measure.measurement_file import Measurements
from brickphys.calibration.response import Response, with_side_odds
from brickphys.calibration.response_design import ANY_SURFACE, causes, design_cell, moved
from brickphys.calibration.throwers import ThrowChunk, body_of, land, throw
from brickphys.errors import InvalidValueError
from brickphys.throws.conditions import surface
from brickphys.throws.release import release
from brickphys.units import GRAVITY_M_S2
from tests.cases import few
from tests.fitted import shipped_response

WOOD = surface("wood")
FRICTION, RESTITUTION = 0.4, 0.5


@pytest.fixture(scope="module")
def response() -> Response:
    return shipped_response()


def tilted(rng, friction, repetitions=10):
    """Angles with a scatter of 1.5 degrees and a protractor that is wrong by up to 1."""
    angles = np.degrees(np.arctan(friction)) + rng.uniform(-1, 1) + rng.normal(0, 1.5, repetitions)
    return TiltTest(tuple(np.clip(angles, 0.5, 85)), 1.0)


def dropped(rng, restitution, drops=10):
    """Drops that differ by 0.04, read with an error of up to 0.01."""
    read = rng.normal(restitution, 0.04, drops) + rng.uniform(-0.01, 0.01)
    return DropTest(tuple((value,) for value in np.clip(read, 0.01, 0.99)), 0.01)


def filmed(rng, middle_mm, speed, spin, throws=30):
    heights = rng.uniform(middle_mm / 2, 1.5 * middle_mm, throws)
    speeds, spins = (
        np.linalg.norm(rng.normal(0, rms, (throws, axes)), axis=1)
        for rms, axes in ((speed, 2), (spin, 3))
    )
    return FilmTest(tuple(heights), tuple(speeds), tuple(spins), 0.01)


def someone(response, rng):
    """A table, a mould and a hand of the response surface, what they measure, and the truth of the shares."""
    low, high = np.array(list(response.ranges.values())).T
    truth = rng.uniform(low, high)
    sliding = rng.uniform(0.2, 0.8)
    truth[0] = sliding * rng.uniform(0.5, 1)
    least, most = CONTACT_LAW_LOGITS
    logits = rng.triangular(least, 0, most)
    shares = with_side_odds(response.drawn_shares(truth[None, :], rng)[0], logits)
    values = dict(zip(response.ranges, truth, strict=True))
    measurements = Measurements(
        tilted(rng, sliding),
        dropped(rng, values["restitution"]),
        filmed(rng, values["height_mm"], values["speed_m_s"], values["spin_rad_s"]),
    )
    return values, shares, measurements


def within(quantities, ranges):
    """Whether measurements near the ends of the ranges lie inside of them, as the command asks for."""
    return all(
        ends[0] <= quantities[name].quantiles(np.array([0.5]))[0] <= ends[1]
        for name, ends in ranges.items()
        if name in quantities
    )


def coverage(response, people, thrown, bricks, draws):
    rng = np.random.default_rng(1)
    held, asked = np.zeros(3), 0
    while asked < people:
        values, shares, measurements = someone(response, rng)
        quantities = measurements.quantities()
        if not within(quantities, response.ranges):
            continue
        asked += 1
        counts = thrown(rng, bricks, 1, shares) if bricks else None
        found = measured_posterior(quantities, response, WOOD, counts, rng, draws)
        found_of = {"p": found.p, **found.causes}
        truth_of = {"p": shares[2], **values}
        for place, name in enumerate(("p", "friction", "spin_rad_s")):
            low, high = found_of[name].ci95
            held[place] += low <= truth_of[name] <= high
    return held / people


@pytest.mark.parametrize("bricks", few([400, 0]))
def test_intervals_hold_the_truth(response, thrown, bricks):
    # 20 people: intervals of 95 % hold fewer than 16 once in 390
    assert coverage(response, 20, thrown, bricks, 800).min() >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("bricks", [0, 400])
def test_intervals_hold_the_truth_as_often_as_they_say(response, thrown, bricks):
    # 400 people: standard error 1.1 points
    assert coverage(response, 400, thrown, bricks, 4000) == pytest.approx(0.95, abs=0.033)


def test_each_measurement_narrows_the_interval(response, thrown):
    rng = np.random.default_rng(2)
    all_tests = Measurements(tilted(rng, 0.4), dropped(rng, 0.5), filmed(rng, 200, 1.0, 30.0))
    counts = thrown(rng, 2000, 1, response.shares(middle(response))[0])
    widths = []
    for measurements, thrown_bricks in (
        (replace(all_tests, film=None), None),
        (all_tests, None),
        (all_tests, counts),
    ):
        quantities = measurements.quantities()
        found = measured_posterior(
            quantities, response, WOOD, thrown_bricks, np.random.default_rng(3)
        )
        widths.append(found.p.sd)
        assert sum(found.shares.values()) == pytest.approx(1.0)
    assert widths[0] > 1.1 * widths[1]
    assert widths[1] > 1.15 * widths[2]


def middle(response):
    values = {name: sum(ends) / 2 for name, ends in response.ranges.items()}
    return np.array([list((values | {"friction": FRICTION, "restitution": RESTITUTION}).values())])


def test_without_a_measurement_causes_keep_the_ranges_of_the_surface(response):
    found = measured_posterior({}, response, WOOD, None, np.random.default_rng(4))
    assert found.causes["friction"].ci95 == pytest.approx((0.159, 0.491), abs=0.008)
    assert found.causes["wall_mm"].mean == pytest.approx(1.35, abs=0.005)
    assert found.agreement is None
    assert found.draws == pytest.approx(20_000)


def test_many_counts_decide_the_chance(response, thrown):
    # 20,000 bricks know p to 0.3 points, far better than any measurement
    rng = np.random.default_rng(5)
    quantities = Measurements(tilted(rng, 0.4), dropped(rng, 0.5)).quantities()
    shares = response.shares(middle(response))[0]
    counts = thrown(rng, 20_000, 1, shares)
    found = measured_posterior(quantities, response, WOOD, counts, rng)
    assert found.p.mean == pytest.approx(counts.sides / counts.thrown, abs=0.002)
    assert found.p.sd == pytest.approx(0.0032, rel=0.15)
    assert found.agreement > 0.05


@pytest.mark.parametrize(
    ("poses", "hand", "rho"), [(True, 1, 0.0), (False, 1, 0.0), (True, 4, 0.2)]
)
def test_counts_that_contradict_the_measurements_win(response, thrown, poses, hand, rho):
    rng = np.random.default_rng(6)
    quantities = Measurements(tilted(rng, 0.4), dropped(rng, 0.5)).quantities()
    alone = measured_posterior(quantities, response, WOOD, None, rng)
    many = thrown(rng, 1000 // hand, hand, (0.2, 0.2, 0.6), rho, poses=poses)
    found = measured_posterior(quantities, response, WOOD, many, rng)
    assert found.agreement < 1e-6
    assert found.counts_weight == pytest.approx(1)
    # as with Jeffreys' prior, or that of one brick in each outcome: a tenth of the standard deviation between both
    assert found.p.mean == pytest.approx(found.counted_p.mean, abs=0.004)
    assert found.p.sd == pytest.approx(found.counted_p.sd, rel=0.1)
    assert found.causes["friction"].mean == pytest.approx(alone.causes["friction"].mean, abs=0.004)
    assert found.draws > 1000


def test_counts_that_agree_leave_the_measurements_as_they_are(response, thrown):
    quantities = Measurements(TiltTest((22.0, 21.0, 23.0), 1.0)).quantities()
    counts = thrown(np.random.default_rng(1), 50, 1)
    found = measured_posterior(quantities, response, WOOD, counts, np.random.default_rng(6))
    assert found.counts_weight == 0
    assert found.p.sd < found.measured_p.sd


def test_bricks_that_all_leaned_say_nothing(response, thrown):
    counts = thrown(np.random.default_rng(7), 5, 1)
    leaned = np.tile([0, 0, 0, 1], (5, 1))
    all_leaned = replace(counts, score=np.zeros(5, dtype=np.int64), poses=leaned)
    with pytest.raises(InvalidValueError, match="all counted bricks leaned"):
        measured_posterior({}, response, WOOD, all_leaned, np.random.default_rng(1))


def test_measurements_beyond_the_response_surface_are_refused(response):
    ice = Measurements(tilt=TiltTest((3.0, 3.2), 0.1)).quantities()
    with pytest.raises(
        InvalidValueError, match=r"friction 0\.0404 .* is outside the response surface"
    ):
        measured_posterior(ice, response, WOOD, None, np.random.default_rng(1))
    fast = {"spin_rad_s": Uniform(200.0, 210.0)}
    with pytest.raises(
        InvalidValueError, match=r"\d; throws=1000000 \(--throws 1000000\) makes one around it$"
    ):
        measured_posterior(fast, response, WOOD, None, np.random.default_rng(1))


def film_of(states, rng, fps=240):
    """Flights of bricks that the engine throws, filmed to 1 mm until they are 40 mm above the table."""
    flights = []
    for start, velocity, spin in zip(
        states.position_mm, states.velocity_m_s, states.spin_rad_s, strict=True
    ):
        last = np.sqrt(2 * max(start[2] - 40, 5) / 1000 / GRAVITY_M_S2)
        time = np.arange(max(3, int(last * fps))) / fps
        place = start + np.outer(time, 1000 * velocity)
        place[:, 2] -= 500 * GRAVITY_M_S2 * time**2
        turns = np.round(4 * np.linalg.norm(spin) * time[-1] / (2 * np.pi)) / 4
        flights.append(Flight(time, place + rng.normal(0, 1, place.shape), float(turns), time[-1]))
    return flights


def counted(landing):
    """Count settled single bricks by pose."""
    names = [landing.poses[pose] for pose in landing.pose[:, 0]]
    poses = np.array([[name == pose for pose in POSES] for name in names if name in POSES]).astype(
        int
    )
    return HomeCounts(poses.sum(axis=1), poses[:, POSES.index("side")], poses)


@pytest.mark.slow
def test_people_who_throw_in_the_engine_find_their_chance_of_a_side(response):
    # 40 people: intervals of 95 % hold fewer than 34 once in 280; the truth is known to 0.6 points
    rng = np.random.default_rng(8)
    cell = design_cell("2x2", "hand", ANY_SURFACE)
    uncertain = causes(cell, ANY_SURFACE)
    low, high = np.array([(cause.low, cause.high) for cause in uncertain.values()]).T
    held, asked, widths = 0, 0, []
    while asked < 40:
        values = low + (0.1 + 0.8 * rng.random(len(low))) * (high - low)
        own = moved(cell, uncertain, values, asked)
        states = release(body_of("2x2"), own.conditions, 8, (*own.address, 1), 0, 30).flat()
        film = film_test(film_of(states, rng), 0.01)
        quantities = Measurements(
            tilted(rng, values[0] / rng.uniform(0.5, 1)), dropped(rng, values[1]), film
        ).quantities()
        if not within(quantities, response.ranges):
            continue
        asked += 1
        truth = throw(8, ThrowChunk(own, 0, 6_000))
        counts = counted(land(8, ThrowChunk(replace(own, address=(*own.address, 2)), 0, 300)))
        found = measured_posterior(quantities, response, WOOD, counts, rng)
        held += found.p.ci95[0] <= truth.sides / truth.bricks <= found.p.ci95[1]
        widths.append(found.p.ci95[1] - found.p.ci95[0])
    assert held >= 34
    assert np.mean(widths) < 0.06


@pytest.mark.parametrize(("spin", "told"), [(20.0, False), (33.0, True)])
def test_a_measurement_that_reaches_beyond_the_response_surface_is_told(response, spin, told):
    film = filmed(np.random.default_rng(5), 200, 1.0, spin)
    quantities = Measurements(film=film).quantities()
    found = measured_posterior(quantities, response, WOOD, None, np.random.default_rng(6))
    assert any(text.startswith("spin_rad_s (") for text in found.cut_off) == told
