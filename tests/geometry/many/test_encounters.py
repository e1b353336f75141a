"""Encounters: dense samples by shapely, fractions, symmetries, conservation, and refusals."""

from cmath import exp
from fractions import Fraction
from math import inf, nan, pi, radians

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brickphys
from brickphys.errors import InvalidValueError
from brickphys.geometry.shape import mass_centre, solid_of
from tests.geometry.many import test_shapes as shapes
from tests.geometry.many.test_pairs import random_outlines

SEEDS = st.integers(0, 2**32 - 1)
CAR = [(-5, -3), (5, -3), (5, 3), (-5, 3)]


def random_ways(rng, count, kinds="straight turn wait", pieces=3):
    """Return ways of several pieces, about and among places 20 studs apart."""
    rows = []
    for _ in range(count * pieces):
        kind = rng.choice(kinds.split())
        speed, growth = rng.uniform(2, 12), rng.uniform(-0.3, 2) * rng.integers(0, 2)
        place = rng.uniform(-15, 15, 2)
        if kind == "turn":
            turn = rng.uniform(-200, 200)
            rows.append((*place, turn, speed * 8, growth * 8 if growth > 0 else 0, 0))
        elif kind == "straight":
            rows.append((*place, nan, speed, max(growth, -speed / 40), 0))
        else:
            rows.append((0, 0, nan, 0, 0, rng.uniform(0, 2)))
    return np.array(rows), pieces * np.arange(count + 1)


def corners_at(corners, pieces, times):
    """Return where corners are at times, shape (t, k, 2), and a bound of their speeds; in complex numbers."""
    ring = corners[:, 0] + 1j * corners[:, 1]
    found, begin, most = np.tile(ring, (len(times), 1)), 0.0, 0.0
    for x, y, turn_deg, speed, growth, wait in pieces:
        extent = abs(turn_deg) if turn_deg == turn_deg else abs(complex(x, y))
        end_speed = max(speed**2 + 2 * growth * extent, 0) ** 0.5
        needs = 2 * extent / (speed + end_speed) if extent else 0.0
        late = np.clip(times - begin, 0, needs)
        done = speed * late + growth * late**2 / 2
        fastest = max(speed, end_speed)
        if turn_deg == turn_deg:
            pivot = complex(x, y)
            turned = (
                pivot
                + (ring - pivot) * np.exp(1j * np.radians(np.copysign(done, turn_deg)))[:, None]
            )
            most = max(most, radians(fastest) * abs(ring - pivot).max())
            last = pivot + (ring - pivot) * exp(1j * radians(turn_deg))
        elif extent:
            turned = ring + (done / extent * complex(x, y))[:, None]
            last, most = ring + complex(x, y), max(most, fastest)
        else:
            turned, last = np.tile(ring, (len(times), 1)), ring
        found = np.where((times >= begin)[:, None], turned, found)
        begin, ring = begin + needs + wait, last
    return np.stack([found.real, found.imag], axis=-1), most, begin


class Samples:
    """A pair at many times, by shapely."""

    def __init__(self, bodies, ways, number):
        self.shapely = pytest.importorskip("shapely")
        self.corners = [body.corners_studs(number) for body in bodies]
        self.pieces = [rows[offsets[number] : offsets[number + 1]] for rows, offsets in ways]
        ends = [corners_at(*side, np.zeros(1)) for side in self.sides]
        self.fastest, self.end = ends[0][1] + ends[1][1], max(ends[0][2], ends[1][2])

    @property
    def sides(self):
        return list(zip(self.corners, self.pieces, strict=True))

    def shapes(self, first, second):
        times = np.atleast_1d(first), np.atleast_1d(second)
        return [
            self.shapely.polygons(corners_at(*side, t)[0])
            for side, t in zip(self.sides, times, strict=True)
        ]

    def gaps(self, first, second=None):
        return self.shapely.distance(*self.shapes(first, first if second is None else second))

    def areas(self, first, second=None):
        common = self.shapely.intersection(*self.shapes(first, first if second is None else second))
        return self.shapely.area(common)


@given(SEEDS)
def test_dense_samples_agree(seed):
    rng = np.random.default_rng(seed)
    bodies = [random_outlines(rng, 3, 20.0) for _ in range(2)]
    ways = [random_ways(rng, 3) for _ in range(2)]
    found = brickphys.encounter(bodies[0], ways[0], bodies[1], ways[1]).array
    for number, one in enumerate(found):
        samples = Samples(bodies, ways, number)
        times = np.linspace(0, samples.end, 4001)
        gaps, step = samples.gaps(times), samples.end / 4000
        if one["overlaps_at_start"]:
            assert samples.areas(0.0) > 0
            continue
        contact = one["time_s"]
        assert (samples.areas(times[times < contact - 1e-9]) < 1e-9).all()
        if contact < inf:
            check_contact(samples, one)
            continue
        assert gaps.min() >= one["gap_studs"] - 1e-9
        assert gaps.min() <= one["gap_studs"] + samples.fastest * step / 2 + 1e-9
        assert samples.gaps(one["gap_at_s"])[0] == pytest.approx(one["gap_studs"], abs=2e-9)
        check_lag(samples, one)


def check_contact(samples, one):
    """The bodies touch then, not before, at that point, and close as fast as their gap says."""
    t, point = one["time_s"], samples.shapely.Point(one["x_studs"], one["y_studs"])
    shapes = samples.shapes(t, t)
    assert samples.gaps(t)[0] < 1e-9
    assert max(samples.shapely.distance(shape[0], point) for shape in shapes) < 1e-8
    before = max(t - 1e-6, 0.0)
    if one["closing_studs_s"] > 0.1 and t > 1e-6:
        assert samples.gaps(before)[0] <= one["closing_studs_s"] * 1e-6 + 1e-9
        assert samples.gaps(before)[0] >= one["closing_studs_s"] * 1e-6 * 0.5 - 1e-9
        assert samples.areas(t + 1e-6)[0] > 0


def check_lag(samples, one):
    """At no shorter lag do they share a place, and at this one they do."""
    times = np.linspace(0, samples.end, 401)
    step, lag = samples.end / 400, one["pet_s"]
    for share in (0.3, 0.9, 0.999):
        shorter = share * min(lag, samples.end)
        for first, second in ((times, times + shorter), (times + shorter, times)):
            inside = np.maximum(first, second) <= samples.end
            assert (samples.areas(first[inside], second[inside]) < 1e-9).all()
    if lag < inf:
        there = (times, times + lag) if one["first_passes_first"] else (times + lag, times)
        inside = np.maximum(*there) <= samples.end + 1e-9
        assert samples.gaps(there[0][inside], there[1][inside]).min() <= samples.fastest * step


WHOLE = st.integers(-12, 12)
SIZES = st.integers(1, 6)
SPEEDS = st.integers(1, 9)


@given(
    st.tuples(WHOLE, WHOLE, SIZES, SIZES),
    st.tuples(WHOLE, WHOLE, SIZES, SIZES),
    st.tuples(st.integers(1, 30), SPEEDS),
    st.tuples(st.integers(1, 30), SPEEDS),
)
def test_crossings_at_right_angles_are_those_of_fractions(one, other, east, north):
    """The first body goes east, the second north: when each is in the lane of the other, in exact numbers."""
    (x, y, w, h), (x2, y2, w2, h2) = one, other
    spans = []
    for low, size, (way, speed), lane_low, lane_size in (
        (x, w, east, x2, w2),
        (y2, h2, north, y, h),
    ):
        enters, leaves = lane_low - low - size, lane_low + lane_size - low
        is_in = enters < way and leaves > 0
        enters = Fraction(max(enters, 0), speed) if is_in else inf
        spans.append((enters, Fraction(leaves, speed) if leaves <= way else inf))
    found = brickphys.encounter(
        box(*one), [(east[0], 0, nan, east[1])], box(*other), [(0, north[0], nan, north[1])]
    ).array[0]
    (a0, a1), (b0, b1) = spans
    contact = max(a0, b0) if max(a0, b0) < min(a1, b1) else inf
    assert found["time_s"] == pytest.approx(float(contact), abs=1e-9)
    if contact == inf and max(a0, b0) < inf:
        assert found["pet_s"] == pytest.approx(float(max(b0 - a1, a0 - b1)), abs=1e-8)
        assert found["first_passes_first"] == (b0 > a0)
    elif contact == inf:
        assert found["pet_s"] == inf
    elif contact > 0:
        is_first = a0 > b0
        assert (found["normal_x"], found["normal_y"]) == (
            (-1, 0) if is_first else (0, 1)
        ) or a0 == b0
        assert found["closing_studs_s"] == (east[1] if is_first else north[1]) or a0 == b0


def box(x, y, width, height):
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def pairs(seed, kinds="straight turn wait", pieces=3):
    rng = np.random.default_rng(seed)
    bodies = [random_outlines(rng, 30, 20.0) for _ in range(2)]
    return rng, bodies, [random_ways(rng, 30, kinds, pieces) for _ in range(2)]


NUMBERS = ("time_s", "gap_studs", "pet_s")


@given(SEEDS)
def test_it_is_the_same_for_swapped_bodies(seed):
    _, (one, other), (way, their_way) = pairs(seed)
    found = brickphys.encounter(one, way, other, their_way, masses=(2, 3), moments_s=[0, 1])
    back = brickphys.encounter(other, their_way, one, way, masses=(3, 2), moments_s=[0, 1])
    check_alike(found, back)
    assert found.array["delta_v_first_studs_s"] == pytest.approx(
        back.array["delta_v_second_studs_s"], nan_ok=True
    )
    assert found.array["normal_x"] == pytest.approx(-back.array["normal_x"], nan_ok=True)


def check_alike(found, other):
    sure = ~(found.array["closing_studs_s"] < 0.1)
    for name in NUMBERS:
        assert found.array[name][sure] == pytest.approx(other.array[name][sure], abs=1e-7), name
    assert found.ttc_s == pytest.approx(other.ttc_s, abs=1e-7, nan_ok=True)
    assert found.drac_studs_s2 == pytest.approx(other.drac_studs_s2, rel=1e-6, nan_ok=True)


@given(SEEDS)
def test_a_rigid_motion_of_all_changes_nothing(seed):
    rng, bodies, ways = pairs(seed)
    angle, shift = rng.uniform(0, 2 * pi), complex(*rng.uniform(-50, 50, 2))

    def carried(points, moves=1):
        there = (points[:, 0] + 1j * points[:, 1]) * exp(1j * angle) + moves * shift
        return np.column_stack([there.real, there.imag])

    def moved(body, rows, offsets):
        rings = [carried(body.corners_studs(n)) for n in range(len(body))]
        moves = ~np.isnan(rows[:, 2])
        return brickphys.outlines(rings), (
            np.hstack([carried(rows[:, :2], moves), rows[:, 2:]]),
            offsets,
        )

    found = brickphys.encounter(bodies[0], ways[0], bodies[1], ways[1], moments_s=[0, 1])
    there = [moved(body, *way) for body, way in zip(bodies, ways, strict=True)]
    check_alike(found, brickphys.encounter(*there[0], *there[1], moments_s=[0, 1]))


@given(SEEDS)
def test_of_straight_ways_only_the_difference_of_velocities_counts(seed):
    rng, bodies, _ = pairs(seed)
    span = rng.uniform(1, 4, 30)
    velocities, more = rng.uniform(-9, 9, (2, 30, 2)), rng.uniform(-9, 9, 2)

    def ways(extra):
        rows = []
        for own in velocities:
            velocity = own + extra
            rows.append(
                np.column_stack([velocity * span[:, None], np.full(30, nan), np.hypot(*velocity.T)])
            )
        return rows

    found = []
    for extra in (0.0, more):
        one, other = ways(extra)
        found.append(brickphys.encounter(bodies[0], one, bodies[1], other, moments_s=[0]))
    sure = ~(found[0].array["closing_studs_s"] < 0.1)
    for name in ("time_s", "gap_studs", "closing_studs_s"):
        one, other = (each.array[name][sure] for each in found)
        assert one == pytest.approx(other, abs=1e-7, nan_ok=True)
    assert found[0].ttc_s == pytest.approx(found[1].ttc_s, abs=1e-7, nan_ok=True)


@given(SEEDS)
def test_backwards_in_time_the_smallest_gap_and_the_lag_are_the_same(seed):
    _, bodies, ways = pairs(seed)
    samples = [Samples(bodies, ways, number) for number in range(30)]
    ends = [sample.end for sample in samples]
    back = []
    for side in range(2):
        rings, rows = [], []
        for sample in samples:
            corners, pieces = sample.sides[side]
            times = np.array([sample.end])
            rings.append(corners_at(corners, pieces, times)[0][0])
            rows += backwards(pieces, sample.end - corners_at(corners, pieces, times)[2])
        back += [brickphys.outlines(rings), (np.array(rows), 7 * np.arange(31))]
    found = brickphys.encounter(bodies[0], ways[0], bodies[1], ways[1]).array
    other = brickphys.encounter(*back).array
    free = (found["time_s"] == inf) & (np.array(ends) > 0)
    assert (other["time_s"][free] == inf).all()
    for name in ("gap_studs", "pet_s"):
        assert found[name][free] == pytest.approx(other[name][free], abs=1e-7)
    lags = np.isfinite(found["pet_s"]) & (found["pet_s"] > 0) & free
    assert (found["first_passes_first"] != other["first_passes_first"])[lags].all()


def backwards(pieces, spare_s):
    """Return a way back: seven pieces, of which each second one waits."""
    rows = [(0, 0, nan, 0, 0, spare_s)]
    for x, y, turn_deg, speed, growth, wait in pieces[::-1]:
        is_turn = turn_deg == turn_deg
        extent = abs(turn_deg) if is_turn else abs(complex(x, y))
        speed = max(speed**2 + 2 * growth * extent, 0.0) ** 0.5
        move = (x, y, -turn_deg) if is_turn else (-x, -y, nan)
        rows += [(0, 0, nan, 0, 0, wait), (*move, speed, -growth, 0)]
    return rows


@given(SEEDS, st.floats(0, 1))
def test_an_impact_conserves_momentum_and_adds_no_energy(seed, restitution):
    shapely = pytest.importorskip("shapely")
    rng, bodies, ways = pairs(seed, "straight", 1)
    masses = rng.uniform(0.5, 5, (30, 2))
    found = brickphys.encounter(
        bodies[0], ways[0], bodies[1], ways[1], masses=masses, restitution=restitution
    ).array
    for number in np.flatnonzero((found["time_s"] < inf) & ~found["overlaps_at_start"]):
        one = found[number]
        normal, point = (
            complex(one["normal_x"], one["normal_y"]),
            complex(one["x_studs"], one["y_studs"]),
        )
        changes = one["delta_v_first_studs_s"] * normal, -one["delta_v_second_studs_s"] * normal
        assert masses[number] @ changes == pytest.approx(0, abs=1e-12)
        energies, closing = np.zeros(2), []
        for side in range(2):
            mass, (rows, offsets) = masses[number, side], ways[side]
            x, y, _, speed, growth, _ = rows[offsets[number]]
            (ring,), _, end = corners_at(
                bodies[side].corners_studs(number),
                rows[offsets[number]][None],
                np.array([one["time_s"]]),
            )
            speed = speed + growth * one["time_s"] if one["time_s"] < end else 0.0
            velocity = speed * complex(x, y) / abs(complex(x, y))
            centre = shapely.Polygon(ring).centroid
            arm = point - complex(centre.x, centre.y)
            inertia = mass * gyration(ring, centre)
            spin = (arm.conjugate() * changes[side] * mass).imag / inertia
            after = velocity + changes[side]
            energies += (
                mass / 2 * abs(velocity) ** 2,
                mass / 2 * abs(after) ** 2 + inertia / 2 * spin**2,
            )
            closing.append((velocity, after + 1j * spin * arm))
        before, later = (((a - b) * normal.conjugate()).real for a, b in zip(*closing, strict=True))
        if before < -1e-6:
            assert later == pytest.approx(-restitution * before, abs=1e-9)
            assert energies[1] <= energies[0] * (1 + 1e-9)
            if restitution == 1:
                assert energies[1] == pytest.approx(energies[0])


def gyration(ring, centre):
    """Return the square of the radius of gyration about the centre of an area, from many thin strips."""
    (x, y), (u, v) = (
        (ring - (centre.x, centre.y)).T,
        np.roll(ring - (centre.x, centre.y), -1, axis=0).T,
    )
    crosses = x * v - u * y
    return (crosses * (x * x + x * u + u * u + y * y + y * v + v * v)).sum() / 6 / crosses.sum()


def test_a_pass_of_two_cars_in_a_bend_keeps_its_gap():
    """Both turn about one point as one: nothing changes, however long."""
    found = brickphys.encounter(
        CAR,
        [(0, 30, 360, 1)],
        [(-5, -9), (5, -9), (5, -4), (-5, -4)],
        [(0, 30, 360, 1)],
        moments_s=[0],
    )
    assert found.array["gap_studs"] == pytest.approx(1.0, abs=1e-12)
    assert found.array["time_s"] == inf


@pytest.mark.parametrize("growth", [0, 3])
def test_a_slide_along_a_flush_side_is_no_contact(growth):
    lane = [(x, y - 6) for x, y in CAR]
    found = brickphys.encounter(CAR, [(40, 0, nan, 5, growth)], lane, [(-40, 0, nan, 7)])
    assert found.array[["time_s", "gap_studs", "pet_s"]].tolist() == [(inf, 0.0, inf)]


def test_who_follows_has_the_headway_as_lag():
    behind = [(x - 14, y) for x, y in CAR]
    found = brickphys.encounter(CAR, [(80, 0, nan, 8)], behind, [(80, 0, nan, 8)], moments_s=[0, 2])
    assert found.array["pet_s"] == pytest.approx(4 / 8, abs=1e-8)
    assert found.array["gap_studs"] == pytest.approx(4.0, abs=1e-9)
    assert found.ttc_s.tolist() == [[inf, inf]]
    assert found.drac_studs_s2.tolist() == [[0.0, 0.0]]


def test_conflict_measures_of_a_rear_end_conflict_are_those_of_their_formulas():
    """The gap is 4 studs, the difference of speeds 6: TTC 4/6 s; the deceleration is 6^2 / (2 * 4)."""
    ahead = [(x + 14, y) for x, y in CAR]
    found = brickphys.encounter(
        CAR, [(80, 0, nan, 8)], ahead, [(80, 0, nan, 2)], masses=(1, 3), moments_s=[0, 0.5, 9]
    )
    assert found.array["time_s"] == pytest.approx(4 / 6)
    assert found.ttc_s[0] == pytest.approx([4 / 6, 1 / 6, nan], nan_ok=True)
    assert found.drac_studs_s2[0] == pytest.approx([36 / 8, 36 / 2, nan], nan_ok=True)
    assert found.array["delta_v_first_studs_s"] == pytest.approx(6 * 3 / 4)
    assert found.array["delta_v_second_studs_s"] == pytest.approx(6 * 1 / 4)


def test_heights_that_do_not_overlap_never_meet():
    flyer = brickphys.outlines(CAR, bottom_plates=9, top_plates=12)
    low = brickphys.outlines([(x + 14, y) for x, y in CAR], top_plates=9)
    found = brickphys.encounter(flyer, [(30, 0, nan, 8)], low, [(1, 0, nan, 8)], moments_s=[0])
    assert found.array[["time_s", "gap_studs", "pet_s"]].tolist() == [(inf, inf, inf)]
    assert found.ttc_s.tolist() == [[inf]]


def test_threads_change_nothing_and_a_single_body_or_way_is_that_of_all():
    _, (one, other), (way, their_way) = pairs(1)
    found = brickphys.encounter(one, way, other, their_way, threads=1).array
    many = [np.tile(side.vertices_studs, (20, 1)) for side in (one, other)]
    offsets = [
        np.concatenate(
            [side.firsts[:-1] + n * len(side.vertices_studs) for n in range(20)]
            + [[20 * len(side.vertices_studs)]]
        )
        for side in (one, other)
    ]
    ways = [(np.tile(rows, (20, 1)), 3 * np.arange(601)) for rows, _ in (way, their_way)]
    again = brickphys.encounter(
        brickphys.outlines(many[0], offsets[0]),
        ways[0],
        brickphys.outlines(many[1], offsets[1]),
        ways[1],
        threads=3,
    )
    assert again.array.tobytes() == np.tile(found, 20).tobytes()
    assert len(again.rows()) == 600
    assert again.to_arrow().num_rows == 600
    shared = brickphys.encounter(CAR, (way[0][:3], [0, 3]), other, their_way).array
    each = brickphys.encounter(
        [CAR] * 30, (np.tile(way[0][:3], (30, 1)), 3 * np.arange(31)), other, their_way
    )
    assert shared.tobytes() == each.array.tobytes()


def straight_or_turn(rng):
    """A motion of `tests.geometry.many.test_shapes.moved`, and the way with a speed."""
    turn, place = rng.uniform(-300, 300) if rng.integers(2) else nan, rng.uniform(-25, 25, 2)
    speed = rng.uniform(20, 90) if turn == turn else rng.uniform(2, 12)
    extent = abs(turn) if turn == turn else np.hypot(*place)
    return (*place, turn), [(*place, turn, speed)], extent / speed


@given(SEEDS)
def test_outlines_of_any_form_are_those_of_whole_shapes(seed):
    """Shapely has the whole outlines at many times: nothing touches before, and no gap is less."""
    rng = np.random.default_rng(seed)
    bodies = [shapes.random_outline(rng, *spot) for spot in rng.uniform(-14, 14, (2, 2))]
    motions, ways, needs = zip(*(straight_or_turn(rng) for _ in range(2)), strict=True)
    cores = [cores for _, cores in bodies]
    found = brickphys.encounter([bodies[0][0]], ways[0], [bodies[1][0]], ways[1]).array[0]

    def gap_at(t):
        shares = [min(t / need, 1.0) for need in needs]
        there = [shapes.moved(*one) for one in zip(cores, motions, shares, strict=True)]
        return shapes.gap(*there)

    contact, times = found["time_s"], np.linspace(0, max(needs), 200)
    if found["overlaps_at_start"]:
        assert gap_at(0.0) < 1e-9
        return
    gaps = np.array([gap_at(t) for t in times[times < contact]])
    assert (gaps > -1e-9).all()
    if contact < inf:
        assert abs(gap_at(contact)) < 1e-8
        assert min(found["first_part"], found["second_part"]) >= 0
        return
    fastest = sum(np.pi * 90 / 180 * 45 if m[2] == m[2] else 12 for m in motions)
    assert -1e-9 <= gaps.min() - found["gap_studs"] <= fastest * times[1]
    assert gap_at(found["gap_at_s"]) == pytest.approx(found["gap_studs"], abs=2e-9)


@given(SEEDS)
def test_discs_meet_when_their_centres_are_so_near(seed):
    rng = np.random.default_rng(seed)
    spots, ways = rng.uniform(-15, 15, (2, 2)), rng.uniform(-40, 40, (2, 2))
    radii = rng.uniform(1, 4, 2)
    p, v, reach = complex(*(spots[1] - spots[0])), complex(*(ways[1] - ways[0])), radii.sum()
    if abs(p) <= reach:
        return
    discs = [
        [{"circle": spot, "radius": radius}] for spot, radius in zip(spots, radii, strict=True)
    ]
    pieces = [[(*way, nan, np.hypot(*way))] for way in ways]  # each takes a second
    found = brickphys.encounter(discs[0], pieces[0], discs[1], pieces[1], masses=(1, 3)).array[0]
    nearest = min(max(-(p * v.conjugate()).real / abs(v) ** 2, 0.0), 1.0)
    half = ((reach**2 - abs((p.conjugate() * v).imag / abs(v)) ** 2 + 0j) ** 0.5).real / abs(v)
    when = -(p * v.conjugate()).real / abs(v) ** 2 - half
    if abs(p + nearest * v) > reach:
        assert found["time_s"] == inf
        assert found["gap_studs"] == pytest.approx(abs(p + nearest * v) - reach, abs=1e-8)
    elif abs(p + nearest * v) < reach - 1e-6:
        assert found["time_s"] == pytest.approx(when, abs=1e-7)
        closing = -(v * (p + when * v).conjugate()).real / reach
        assert found["closing_studs_s"] == pytest.approx(closing, abs=1e-5)
        assert found["delta_v_first_studs_s"] == pytest.approx(closing * 3 / 4, abs=1e-5)


@given(SEEDS)
def test_the_way_of_splitting_does_not_matter(seed):
    """An L, cut in two ways, meets the same at the same time."""
    rng = np.random.default_rng(seed)
    (way, *_), moments = random_ways(rng, 1, "straight turn", 1), [0, 0.3]
    spot = np.array([-20.0, 0.0]) + rng.uniform(-6, 6, 2)
    ell = [shapes.L, {"part": [{"polygon": part} for part in (shapes.BAR, shapes.POST)]},
           {"part": [{"polygon": part} for part in (shapes.LOW, shapes.SIDE)]}]  # fmt: skip
    found = [
        brickphys.encounter([one], way, np.add(CAR, spot), [(25, 0, nan, 9)], moments_s=moments)
        for one in ell
    ]
    for other in found[1:]:
        check_alike(found[0], other)


def test_the_mass_of_a_frame_is_that_of_its_box_without_that_of_its_hole():
    frame = brickphys.outlines([shapes.RING], poses=(7, 3, 30))
    (border, _), areas = frame.edges, np.array([20.0**2, 12.0**2])
    x, y, square = mass_centre(solid_of(border))
    middle = 10 * (np.cos(pi / 6) - np.sin(pi / 6)), 10 * (np.cos(pi / 6) + np.sin(pi / 6))
    assert (x, y) == pytest.approx((7 + middle[0], 3 + middle[1]))
    assert square == pytest.approx((areas**2 / 6) @ (1, -1) / (areas @ (1, -1)))


def test_a_tolerance_says_which_overlap_is_a_contact():
    lane = [(x + 20, y - 6 + 1e-6) for x, y in CAR]
    for tolerance, contact in ((1e-9, 1.0), (2e-6, inf)):
        found = brickphys.encounter(
            CAR, [(40, 0, nan, 5)], lane, [(-40, 0, nan, 5)], tolerance_studs=tolerance
        )
        assert found.array["time_s"] == pytest.approx(contact)


AHEAD = [(9, 0, nan, 3)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first_ways": [(9, 0, nan, 0)]}, "first_ways: piece 0: at speed 0 it never comes to its end, 9 away"),
        ({"second_ways": [(9, 0, nan, 3, -1)]}, "second_ways: piece 0: it stops after 4.5 of 9"),
        ({"first_ways": [(9, 0, nan, -3)]}, "first_ways: piece 0: speed -3 is below 0"),
        ({"first_ways": [(0, 0, nan, 0, 0, -1)]}, "first_ways: piece 0: wait -1 is below 0"),
        ({"first_ways": [(9, 0, nan, nan)]}, "first_ways: piece 0 has a number that is not finite"),
        ({"first_ways": [(9, nan, nan, 3)]}, "motion 0 has a number that is not finite"),
        ({"first_ways": [(0, 0, 400, 3)]}, "piece 0 turns by 400 degrees, more than a full circle"),
        ({"first_ways": [(9, 0, nan, 1e-9)]}, "first_ways: piece 0: it takes more than 100000 s"),
        ({"first_ways": [(9, 0)]}, r"first_ways: its shape is \(1, 2\), not \(n, 4\) or \(n, 5\)"),
        ({"first_ways": (np.empty((0, 4)), [0, 0])}, "first_ways: a way has no piece"),
        ({"first_ways": AHEAD * 2, "second_ways": AHEAD * 3}, "these are not pairs: 1 of first, 2 of first_ways"),
        ({"second": [[(0, 0), (4, 0), (1, 1), (9, 1)]]}, "outline 0: its edges cross"),
        ({"tolerance_studs": 0.0}, "tolerance 0 is outside 1e-12..0.1"),
        ({"masses": (1, 0)}, "masses: 0 is not above 0"),
        ({"restitution": 1.1}, r"restitution 1.1 is outside 0..1"),
        ({"moments_s": [-1]}, "moments_s: -1 is outside 0"),
        ({"threads": 0}, "threads 0 is outside"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(change, message):
    given_ = {"first": CAR, "first_ways": AHEAD, "second": CAR, "second_ways": AHEAD, **change}
    with pytest.raises(InvalidValueError, match=message):
        brickphys.encounter(**given_)
