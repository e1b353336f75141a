"""Each kernel of contacts alone, against linear algebra and the conditions of Signorini and Coulomb."""

import math
from functools import partial

import numpy as np
import pytest

from brickphys.engines.compiled import kernel_body
from brickphys.shapes.catalogue import parse_shape
from tests.plain_kernels import PLAIN, SHAPES, points, random_motions, turned

close = partial(pytest.approx, rel=1e-11, abs=1e-9)
UPPER = np.triu_indices(3)


@pytest.fixture(params=SHAPES)
def solid(request):
    return kernel_body(parse_shape(request.param), 1e-3)


def contacts_of(solid, motion, corners):
    """Return prepared contacts of these corners without impulses."""
    contacts = PLAIN.workspace(len(solid.x)).contacts
    contacts.corner[: len(corners)] = corners
    contacts.impulse[:], contacts.target[:] = 0.0, 0.0
    PLAIN.prepare(solid, motion, contacts, len(corners))
    return contacts


def arms(solid, motion):
    """Return the lowest points of the balls around the corners, from the centre of mass, in the world."""
    return turned(motion).apply(points(solid)) - [0, 0, solid.edge]


def inverse_masses(count, seed=1, mass_g=2.0):
    """Return random matrices from impulse to change of velocity, shape (count, 3, 3)."""
    rng = np.random.default_rng(seed)
    found = np.zeros((count, 3, 3))
    for matrix in found:
        arm = 6.0 * rng.normal(size=3)
        moments = mass_g * rng.uniform(10.0, 80.0, 3)
        lever = np.cross(arm, np.eye(3))
        matrix[:] = np.eye(3) / mass_g + lever @ np.diag(1 / moments) @ lever.T
    return found


def packed(matrix):
    return tuple(matrix[UPPER].tolist())


def check_impulse(matrix, free, target, friction, impulse, tolerance=1e-4):
    """Check the laws of a contact that moves at `free` without its impulse: it sticks, or slips against friction."""
    after = free + matrix @ impulse
    push, pull = impulse[2], impulse[:2]
    assert after[2] == close(target)
    assert push > 0
    slip = np.linalg.norm(after[:2])
    if slip < 1e-9 * np.linalg.norm(free):
        assert np.linalg.norm(pull) <= friction * push * (1 + 1e-9)
        return "sticks"
    assert pull == pytest.approx(-friction * push * after[:2] / slip, abs=tolerance * push)
    return "slips"


# --- levers, matrices and pushes ---


def test_levers_and_matrices_are_those_of_the_point_of_contact(solid):
    corners = [3, 0, len(solid.x) - 1]
    for motion in random_motions(3):
        contacts = contacts_of(solid, motion, corners)
        world = turned(motion).as_matrix()
        inverse_inertia = world @ np.diag(solid.per_inertia) @ world.T
        for i, arm in enumerate(arms(solid, motion)[corners]):
            across = np.cross(arm, np.eye(3))  # rows: arm x axis
            assert contacts.lever[i].reshape(3, 3) == close(across @ world)
            expected = solid.per_mass * np.eye(3) + across @ inverse_inertia @ across.T
            assert contacts.inverse_mass[i] == close(expected[UPPER])
            assert PLAIN._inverse_mass(contacts.inverse_mass, i) == tuple(contacts.inverse_mass[i])


def test_only_the_contacts_asked_for_are_prepared(solid):
    contacts = PLAIN.workspace(len(solid.x)).contacts
    contacts.corner[:], contacts.lever[:], contacts.inverse_mass[:] = 0, 7.0, 7.0
    contacts.impulse[:] = 7.0
    PLAIN.prepare(solid, random_motions(1)[0], contacts, 1)
    assert np.all(contacts.lever[1:] == 7.0)
    assert np.all(contacts.inverse_mass[1:] == 7.0)
    assert np.all(contacts.impulse == 7.0)


def test_a_push_changes_momentum_and_angular_momentum(solid):
    moments, impulse = np.array(solid.inertia), np.array([3.0, -2.0, 5.0])
    for motion in random_motions(3):
        contacts, before = contacts_of(solid, motion, [2, 1]), motion.copy()
        PLAIN.push(solid, motion, contacts.lever, 1, *impulse)
        assert motion[:7].tolist() == before[:7].tolist()
        assert (motion[7:10] - before[7:10]) / solid.per_mass == close(impulse)
        gained = turned(motion).apply(moments * (motion[10:] - before[10:]))
        assert gained == close(np.cross(arms(solid, motion)[1], impulse))


def test_velocity_of_a_point_of_contact(solid):
    for motion in random_motions(3):
        contacts = contacts_of(solid, motion, [2, 1])
        spin = turned(motion).apply(motion[10:])
        expected = motion[7:10] + np.cross(spin, arms(solid, motion)[1])
        assert PLAIN._corner_velocity(motion, contacts.lever, 1) == close(expected)


# --- first guesses ---


def test_a_cold_start_forgets_the_last_step():
    contacts = PLAIN.workspace(5).contacts
    contacts.impulse[:], contacts.before[:] = 1.0, 3
    PLAIN.start_cold(contacts, 2)
    assert contacts.impulse[:, 0].tolist() == [0, 0, 1, 1, 1]
    assert contacts.before.tolist() == [-1] * 5


def test_a_warm_start_applies_the_impulses_of_the_contacts_that_stay():
    solid, motion = kernel_body(parse_shape("2x2"), 1e-3), random_motions(1)[0]
    contacts = contacts_of(solid, motion, [4, 1, 6])
    contacts.before[:] = -1
    contacts.before[:4] = [4, 2, 6, 7]
    given = np.arange(1.0, 10.0).reshape(3, 3)
    contacts.impulse[:3] = given
    expected = motion.copy()
    for i in (0, 2):
        PLAIN.push(solid, expected, contacts.lever, i, *given[i])
    PLAIN.start_warm(solid, motion, contacts, 3)
    assert motion == close(expected)
    assert contacts.impulse[:3].tolist() == [[1, 2, 3], [0, 0, 0], [7, 8, 9]]
    assert contacts.before.tolist() == [4, 1, 6] + [-1] * (len(solid.x) - 3)


# --- one contact ---


@pytest.mark.parametrize("friction", [0.0, 0.05, 0.4, 1.0])
def test_the_impulse_of_one_contact_obeys_signorini_and_coulomb(friction):
    rng, found = np.random.default_rng(2), []
    for matrix in inverse_masses(60):
        free, target = 300.0 * rng.normal(size=3), float(rng.uniform(0, 100.0))
        free[2] = target - abs(free[2])
        for guess in ((0.0, 0.0), (rng.normal(), rng.normal()), (0.0, 1.0), (1.0, 0.0)):
            impulse = PLAIN.contact_impulse(packed(matrix), *free, target, friction, *guess)
            impulse = np.array(impulse)
            if friction:
                found.append(check_impulse(matrix, free, target, friction, impulse))
            else:
                assert impulse.tolist() == [0, 0, close((target - free[2]) / matrix[2, 2])]
    if friction:
        assert "slips" in found
    if friction >= 0.4:
        assert "sticks" in found


@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_a_contact_that_rises_fast_enough_gets_no_impulse(friction):
    w = packed(inverse_masses(1)[0])
    for rise in (50.0, 51.0):
        assert PLAIN.contact_impulse(w, 5.0, 3.0, rise, 50.0, friction, 1.0, 1.0) == (0, 0, 0)
    assert PLAIN.contact_impulse(w, 5.0, 3.0, 49.99, 50.0, friction, 0.0, 0.0)[2] > 0


@pytest.mark.parametrize("friction", [0.3, 0.6])
def test_a_central_contact_slips_beyond_the_cone_alone(friction):
    """Without coupling the sticking impulse is -m u: a ratio of the speeds below the friction sticks."""
    w = packed(np.eye(3) / 2.0)
    for share, factor in ((0.99, 0.99), (1.01, 1.0), (5.0, 1.0)):
        slip = share * friction * 100.0
        expected = (-2.0 * 100.0 * friction * factor * 0.6, 2.0 * 100.0 * friction * factor * 0.8)
        found = PLAIN.contact_impulse(w, 0.6 * slip, -0.8 * slip, -100.0, 0.0, friction, 0.0, 0.0)
        assert found == close((*expected, 200.0))


def test_an_impulse_that_would_pull_the_contact_down_does_not_stick():
    """A large slip that is coupled to the vertical speed needs a negative push to stick."""
    rng, found = np.random.default_rng(3), 0
    for matrix in inverse_masses(200, seed=4):
        free = np.array([*(2000.0 * rng.normal(size=2)), -1.0])
        sticking = PLAIN.sticking_impulse(packed(matrix), *free[:2], 1.0)
        if sticking[2] > 0 or math.hypot(*sticking[:2]) > 4.0 * abs(sticking[2]):
            continue
        found += 1
        impulse = PLAIN.contact_impulse(packed(matrix), *free, 0.0, 4.0, 0.0, 0.0)
        assert impulse[2] > 0
        assert math.hypot(*impulse[:2]) == close(4.0 * impulse[2])
    assert found > 5


def test_the_sticking_impulse_solves_the_linear_system():
    rng = np.random.default_rng(5)
    for matrix in inverse_masses(20):
        ux, uy, lack = 100.0 * rng.normal(size=3)
        found = PLAIN.sticking_impulse(packed(matrix), ux, uy, lack)
        assert found == close(np.linalg.solve(matrix, [-ux, -uy, lack]))


def slipped(matrix, free, lack, friction, angle):
    """Return what `slip` says of a direction, from the impulse that opposes it."""
    x, y = math.cos(angle), math.sin(angle)
    d = matrix[2] @ [-friction * x, -friction * y, 1.0]
    slip = d * free + lack * matrix[:2] @ [-friction * x, -friction * y, 1.0]
    return d, *slip, x * slip[1] - y * slip[0]


def test_a_slip_along_a_direction_and_its_derivative():
    rng, h = np.random.default_rng(6), 1e-6
    for matrix in inverse_masses(20):
        free, lack, angle = 100.0 * rng.normal(size=2), 70.0, rng.uniform(0, 6.0)
        found = PLAIN.slip(packed(matrix), *free, lack, 0.7, math.cos(angle), math.sin(angle))
        assert found[:4] == close(slipped(matrix, free, lack, 0.7, angle))
        ahead, behind = (slipped(matrix, free, lack, 0.7, angle + s)[3] for s in (h, -h))
        assert found[4] == pytest.approx((ahead - behind) / (2 * h), rel=1e-6, abs=1e-4)


@pytest.mark.parametrize("start", [(0.0, 0.0), (0.0, -3.0), (2.0, 0.0), (-1.0, 1.0)])
def test_the_sliding_impulse_opposes_the_remaining_slip_from_any_start(start):
    rng = np.random.default_rng(7)
    for matrix in inverse_masses(50, seed=8):
        free = np.array([*(1000.0 * rng.normal(size=2)), -100.0])
        impulse = PLAIN.sliding_impulse(packed(matrix), *free[:2], 100.0, 0.3, *start)
        assert math.hypot(*impulse[:2]) == close(0.3 * impulse[2])
        assert check_impulse(matrix, free, 0.0, 0.3, np.array(impulse)) == "slips"


def test_newton_doubles_the_digits_of_the_direction():
    """The last half turn is below 1e-5, so the direction is right within its square."""
    rng = np.random.default_rng(9)
    for matrix in inverse_masses(50, seed=10):
        free = np.array([*(1000.0 * rng.normal(size=2)), -100.0])
        impulse = np.array(PLAIN.sliding_impulse(packed(matrix), *free[:2], 100.0, 0.3, 0.0, 0.0))
        check_impulse(matrix, free, 0.0, 0.3, impulse, tolerance=1e-8)


def jammed(seed):
    """Return matrices and velocities with a strong coupling of slip and push, where friction may jam the contact."""
    rng = np.random.default_rng(seed)
    for matrix in inverse_masses(150, seed=seed):
        matrix += np.outer([1.0, 0.3, 1.0], [1.0, 0.3, 1.0]) * rng.uniform(0, 5.0)
        yield matrix, np.array([*(300.0 * rng.normal(size=2)), -20.0])


def test_a_scan_finds_the_direction_with_the_least_deviation_that_pushes():
    angles = 2 * np.pi * np.arange(48) / 48
    for matrix, free in jammed(11):
        best, expected = math.inf, (1.0, 0.0)
        for angle in angles:
            d, sx, sy, across = slipped(matrix, free[:2], 20.0, 1.5, angle)
            x, y = math.cos(angle), math.sin(angle)
            deviation = math.atan2(abs(across), x * sx + y * sy)
            if d > 1e-3 * matrix[2, 2] and deviation < best:
                best, expected = deviation, (x, y)
        found = PLAIN.scanned_direction(packed(matrix), *free[:2], 20.0, 1.5)
        assert found == close(expected)


def test_where_newton_fails_the_scan_decides(monkeypatch):
    namespace, scanned = PLAIN.sliding_impulse.__globals__, []
    scan = PLAIN.scanned_direction
    monkeypatch.setitem(namespace, "scanned_direction", lambda *a: scanned.append(a) or scan(*a))
    usual = 0
    for matrix, free in jammed(12):
        scanned.clear()
        impulse = np.array(PLAIN.sliding_impulse(packed(matrix), *free[:2], 20.0, 1.5, 0.0, 0.0))
        assert impulse[2] > 0
        assert math.hypot(*impulse[:2]) == close(1.5 * impulse[2])
        if scanned:
            x, y = scan(packed(matrix), *free[:2], 20.0, 1.5)
            assert impulse[:2] / impulse[2] == close((-1.5 * x, -1.5 * y))
        else:
            usual += 1
            check_impulse(matrix, free, 0.0, 1.5, impulse)
    assert 10 < usual < 140


# --- several contacts ---


def flat(shape, velocity, spin=(0.0, 0.0, 0.0)):
    """Return a solid that lies flat, its motion, and the corners below."""
    solid, motion = kernel_body(parse_shape(shape), 1e-3), np.zeros(13)
    motion[6], motion[7:10], motion[10:] = 1.0, velocity, spin
    return solid, motion, np.flatnonzero(solid.z < solid.z.min() + 1e-6)


@pytest.mark.parametrize("friction", [0.0, 0.2, 0.7])
def test_a_level_block_slides_or_stops_as_a_point_would(friction):
    solid, motion, below = flat("cuboid:40x40x4", (30.0, -40.0, -100.0))
    contacts = contacts_of(solid, motion, below)
    PLAIN.resolve(solid, motion, contacts, len(below), friction, 1e-9)
    left = max(50.0 - friction * 100.0, 0.0) / 50.0
    assert motion[7:10] == pytest.approx([30.0 * left, -40.0 * left, 0.0], abs=1e-6)
    assert contacts.impulse[:4, 2].sum() * solid.per_mass == pytest.approx(100.0)


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.5])
def test_all_contacts_together_obey_signorini_and_coulomb(friction):
    """Each has the impulse of a contact alone, of a body that moves as the others leave it."""
    rng, pushed = np.random.default_rng(13), 0
    for _ in range(8):
        solid, motion, below = flat("cuboid:10x20x14:r1", 200.0 * rng.normal(size=3))
        motion[9], motion[10:] = -abs(motion[9]), 10.0 * rng.normal(size=3)
        contacts, before = contacts_of(solid, motion, below[:3]), motion.copy()
        contacts.target[:3] = rng.uniform(-10.0, 50.0, 3)
        PLAIN.resolve(solid, motion, contacts, 3, friction, 1e-7)
        assert (motion[7:10] - before[7:10]) / solid.per_mass == close(
            contacts.impulse[:3].sum(axis=0)
        )
        for i in range(3):
            matrix = np.zeros((3, 3))
            matrix[UPPER] = contacts.inverse_mass[i]
            matrix.T[UPPER] = contacts.inverse_mass[i]
            after, impulse = PLAIN._corner_velocity(motion, contacts.lever, i), contacts.impulse[i]
            alone = PLAIN.contact_impulse(
                packed(matrix), *(after - matrix @ impulse), contacts.target[i], friction, 0.0, 0.0
            )
            assert impulse == pytest.approx(alone, abs=1e-4)
            pushed += impulse[2] > 0
    assert pushed > 12


def test_one_sweep_satisfies_the_last_contact_alone_if_no_error_is_too_large():
    solid, motion, below = flat("cuboid:40x10x4", (0.0, 0.0, -100.0))
    contacts = contacts_of(solid, motion, below)
    PLAIN.resolve(solid, motion, contacts, 4, 0.0, math.inf)
    rises = [PLAIN._corner_velocity(motion, contacts.lever, i)[2] for i in range(4)]
    assert rises[3] == close(0.0)
    assert max(np.abs(rises[:3])) > 1.0


def test_sweeps_end_at_the_tolerance_of_speed_whatever_the_mass():
    found = []
    for factor in (1.0, 1000.0):
        solid, motion, below = flat("cuboid:40x20x4", (50.0, 20.0, -100.0), (1.0, 2.0, 3.0))
        solid = solid._replace(
            per_mass=solid.per_mass / factor,
            per_inertia=tuple(p / factor for p in solid.per_inertia),
            inertia=tuple(i * factor for i in solid.inertia),
        )
        contacts = contacts_of(solid, motion, below)
        PLAIN.resolve(solid, motion, contacts, 4, 0.3, 0.5)
        found.append(motion)
    assert found[0] == close(found[1])
    left = [PLAIN._corner_velocity(motion, contacts.lever, i)[2] for i in range(4)]
    assert 1e-6 < max(np.abs(left)) < 5.0


def test_guesses_of_impulses_count_as_applied():
    """A start with the right impulses ends where a start without any does."""
    solid, cold, below = flat("2x2:r0.2", (100.0, 30.0, -200.0), (0.0, 0.0, 5.0))
    contacts = contacts_of(solid, cold, below)
    motion = cold.copy()
    PLAIN.resolve(solid, cold, contacts, len(below), 0.3, 1e-9)
    for i in range(len(below)):
        PLAIN.push(solid, motion, contacts.lever, i, *contacts.impulse[i])
    given = contacts.impulse.copy()
    PLAIN.resolve(solid, motion, contacts, len(below), 0.3, 1e-3)
    assert motion == pytest.approx(cold, abs=1e-3)
    assert contacts.impulse == pytest.approx(given, abs=1e-2)
