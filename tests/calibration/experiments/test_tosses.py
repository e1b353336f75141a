"""Simulated tosses are compared with real ones: faces, distances, and the probabilities of faces."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from brickphys.calibration.experiments import toss_comparison
from brickphys.calibration.experiments.toss_fit import LikelihoodSurface, fit, screen
from brickphys.calibration.experiments.toss_tracks import (
    FACES,
    Tosses,
    read_tosses,
    read_tracks,
    refine,
)
from brickphys.calibration.experiments.tosses import (
    CONTACT,
    EDGE_RADIUS_MM,
    Experiment,
    Model,
    Noise,
    Prediction,
    cube,
    face_counts,
    lift,
    mismatched_starts,
    predict,
    probabilities,
    scatter,
    to_rest,
)
from brickphys.engines.bullet import BulletEngine
from brickphys.errors import InvalidValueError
from brickphys.seeds import generator
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States, down, gap_mm, unrotate

REAL = Path(os.environ.get("BRICKPHYS_TOSSES", "cube_tosses.csv"))
EXACT = Noise(0.0, 0.0, 0.0, 0.0)
AXES = np.array([face.normal for face in cube().faces])


@pytest.fixture(scope="module")
def real():
    if not REAL.exists():
        pytest.skip(
            "no tracked tosses: BRICKPHYS_TOSSES names the file, docs/validation.md makes it"
        )
    return Experiment(read_tosses(REAL), cube(edge_radius_mm=EDGE_RADIUS_MM), root=1)


def lowest(quaternion):
    return (down(quaternion) @ AXES.T).argmax(axis=1)


def made_by_the_engine(n, contact, root):
    """Tosses whose outcome is the engine's own."""
    rng = generator(root)
    quaternion = rng.normal(size=(n, 4))
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    start = States(
        np.column_stack([rng.normal(size=(n, 2)) * 100, np.full(n, 130.0)]),
        quaternion,
        rng.normal(size=(n, 3)) * [0.8, 0.8, 0.1],
        rng.normal(size=(n, 3)) * 3,
    )
    blank = np.zeros(n, dtype=np.intp)
    tosses = Tosses(
        tuple(map(str, range(n))), start, lowest(quaternion), blank, np.zeros((n, 2)), np.zeros(n)
    )
    face, travel = to_rest(Experiment(tosses, cube(), root), contact)
    final = start.position_mm[:, :2] + np.column_stack([travel, np.zeros(n)])
    return replace(tosses, final_face=face, final_xy_mm=final)


def test_a_pose_of_the_cube_is_the_axis_that_points_down():
    body = cube()
    assert body.poses == FACES
    position = np.array([[[0.0, 0.0, body.radius_mm]]])
    still = np.zeros((1, 1, 3))
    quaternion = np.array([[[np.sin(0.7), 0.0, 0.0, np.cos(0.7)]]])  # 80 degrees about x
    landing = BulletEngine().land(body, CONTACT, States(position, quaternion, still, still))
    assert FACES[int(landing.pose[0, 0])] == "-y"


def test_the_engine_foretells_its_own_tosses():
    contact = ContactCoefficients(0.25, 0.3)
    tosses = made_by_the_engine(60, contact, root=5)
    experiment = Experiment(tosses, cube(), root=1, noise=EXACT)
    (prediction,) = predict(experiment, [Model(contact)], replicates=4)
    comparison = toss_comparison.compare(experiment, [prediction], Model(contact))
    assert comparison.face_accuracy.value == 1.0
    assert comparison.travel_error_m.value == pytest.approx(0.0, abs=1e-12)
    assert comparison.mismatched == 0
    for pair in comparison.shares.values():
        assert pair.simulated == pair.real
    np.testing.assert_array_equal(prediction.predicted_face, prediction.face)
    assert comparison.log_loss.value < 0.25
    assert comparison.baseline_log_loss > 1.0


def test_a_fit_finds_the_friction_that_made_the_tosses():
    truth = ContactCoefficients(0.24, 0.3)
    experiment = Experiment(made_by_the_engine(50, truth, root=6), cube(), root=2)
    found = fit(
        experiment,
        folds=2,
        frictions=(0.1, 0.24, 0.5),
        restitutions=(0.3,),
        noise_scales=(1.0,),
        replicates=1,
    )
    assert found.model == Model(truth, 1.0)
    assert not found.at_edge
    assert sum(times for _, times in found.chosen) == 2 * len(found.held_out)
    assert all(p.face.shape == (50,) and p.probability.shape == (50, 6) for p in found.held_out)


def test_distances_tell_the_friction_where_faces_do_not():
    truth = ContactCoefficients(0.2, 0.3)
    tosses = made_by_the_engine(40, truth, root=6)
    experiment = Experiment(tosses, cube(), root=2)
    surface = screen(experiment, (0.16, 0.2, 0.24), (0.3,), (1.0,), distances=True)
    assert surface.travel_error_mm is not None
    np.testing.assert_allclose(surface.travel_error_mm[1], 0.0, atol=1e-9)
    short, long = surface.travel_error_mm[2].mean(), surface.travel_error_mm[0].mean()
    assert short < -10
    assert long > 10
    equal = replace(surface, losses=np.zeros_like(surface.losses))
    assert equal.best().contact == truth


def test_a_fit_weighs_faces_and_distances():
    # one factor of e in the distances is worth one nat a toss in the faces
    losses = np.array([[[[1.0, 1.0]], [[0.0, 0.0]]]])
    for factor, friction in ((np.exp(0.9), 0.9), (np.exp(1.1), 0.1)):
        errors = np.array([[[2.0, -2.0]], [[2.0 * factor, 2.0 * factor]]])
        surface = LikelihoodSurface((1.0,), (0.1, 0.9), (0.3,), losses, errors)
        assert surface.best().contact.friction == friction


def test_a_rounded_cube_rests_as_high_and_stands_lower_on_its_edge():
    sharp, rounded = cube(), cube(edge_radius_mm=3.0)
    assert rounded.name == "cube:104.8:r3"
    assert rounded.radius_mm == pytest.approx(sharp.radius_mm - (3**0.5 - 1) * 3.0)
    for turned_deg, lower_mm in ((0.0, 0.0), (45.0, (2**0.5 - 1) * 3.0)):
        half = np.radians(turned_deg) / 2
        quaternion = np.array([[np.sin(half), 0.0, 0.0, np.cos(half)]])
        still = np.zeros((1, 3))
        states = States(np.array([[0.0, 0.0, 100.0]]), quaternion, still, still)
        assert gap_mm(rounded, states) - gap_mm(sharp, states) == pytest.approx(lower_mm)


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_number_of_workers():
    tosses = made_by_the_engine(20, CONTACT, root=7)
    experiment = Experiment(tosses, cube(), root=3)
    alone, shared = (predict(experiment, [Model()], replicates=20, workers=n)[0] for n in (1, 2))
    np.testing.assert_array_equal(alone.face, shared.face)
    np.testing.assert_array_equal(alone.travel_mm, shared.travel_mm)
    np.testing.assert_array_equal(alone.probability, shared.probability)


def test_progress_counts_every_job():
    tosses = made_by_the_engine(2, CONTACT, root=7)
    seen = []
    predict(
        Experiment(tosses, cube(), 3),
        [Model()],
        replicates=34,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(done, 4) for done in range(5)]


def test_starts_inside_the_floor_are_lifted_just_out_of_it_and_counted():
    tosses = made_by_the_engine(4, CONTACT, root=8)
    low = tosses.start.position_mm.copy()
    low[:2, 2] = 40.0
    sunk = States(low, tosses.start.quaternion, tosses.start.velocity_m_s, tosses.start.spin_rad_s)
    lifted, count = lift(cube(), sunk)
    assert count == 2
    np.testing.assert_allclose(gap_mm(cube(), lifted)[:2], 0.0, atol=1e-9)
    np.testing.assert_array_equal(lifted.position_mm[2:], low[2:])


def test_scattered_starts_are_those_of_their_address_and_as_wide_as_stated():
    n = 4000
    rest = States(
        np.zeros((n, 3)), np.tile([0.0, 0, 0, 1], (n, 1)), np.zeros((n, 3)), np.zeros((n, 3))
    )
    noise = Noise(2.0, 1.0, 0.1, 0.5)
    moved, again, other = (scatter(rest, noise, 9, replicate) for replicate in (0, 0, 1))
    np.testing.assert_array_equal(moved.position_mm, again.position_mm)
    assert (moved.position_mm != other.position_mm).all()
    turned_deg = np.degrees(2 * moved.quaternion[:, :3])
    # 12,000 numbers each: five standard errors are 3.3 %, one false alarm in 400,000
    assert moved.position_mm.std() == pytest.approx(2.0, rel=0.033)
    assert turned_deg.std() == pytest.approx(1.0, rel=0.033)
    assert moved.velocity_m_s.std() == pytest.approx(0.1, rel=0.033)
    assert moved.spin_rad_s.std() == pytest.approx(0.5, rel=0.033)


def test_counts_hold_every_replicate_and_no_face_is_impossible():
    tosses = made_by_the_engine(10, CONTACT, root=8)
    counts = face_counts(Experiment(tosses, cube(), 1), Model(), range(3))
    np.testing.assert_array_equal(counts.sum(axis=1), 3)
    assert probabilities(counts).min() > 0
    np.testing.assert_allclose(probabilities(counts).sum(axis=1), 1.0)


def test_neighbours_and_opposites():
    initial = np.repeat(np.arange(6), 6)
    final = np.tile(np.arange(6), 6)
    kinds = toss_comparison.relation(initial, final).reshape(6, 6)
    normals = AXES @ AXES.T
    expected = np.select([normals == 1, normals == -1], [0, 2], default=1)
    np.testing.assert_array_equal(kinds, expected)
    assert toss_comparison.relation(np.array([0]), np.array([6])).tolist() == [3]


def test_shares_of_repeats_have_the_interval_of_one():
    right = np.array([True] * 8 + [False] * 2)
    once, thrice = toss_comparison.share(right), toss_comparison.share(np.tile(right, (3, 1)))
    assert once == thrice
    # Wilson's interval of 8 out of 10 (Brown, Cai and DasGupta 2001, equation 4)
    assert (once.low, once.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert toss_comparison.mean(np.array([1.0, 3.0])) == pytest.approx(
        (2.0, 2 - 1.96, 2 + 1.96), abs=1e-4
    )


def test_the_baseline_leaves_each_toss_out():
    tosses = made_by_the_engine(5, CONTACT, root=8)
    faces = np.zeros(5, dtype=np.intp)
    stays = replace(tosses, initial_face=faces, final_face=faces)
    # four others stayed, one imaginary toss of each kind
    assert toss_comparison.baseline_log_loss(stays) == pytest.approx(-np.log(5 / 7))


def test_named_faces_are_checked_against_the_quaternions():
    tosses = made_by_the_engine(5, CONTACT, root=8)
    wrong = tosses.initial_face.copy()
    wrong[3] = wrong[3] ^ 1
    assert mismatched_starts(tosses) == 0
    assert mismatched_starts(replace(tosses, initial_face=wrong)) == 1


def test_a_fit_is_judged_by_folds_that_it_has_not_seen():
    # toss 0 is foretold by the first friction only, the others by the second only
    losses = np.array([[[[0.0, 9.0, 9.0]], [[5.0, 0.0, 0.0]]]])
    surface = LikelihoodSurface((1.0,), (0.1, 0.9), (0.3,), losses)
    assert surface.best(np.array([0])).contact.friction == 0.1
    assert surface.best(np.array([1, 2])).contact.friction == 0.9


def test_a_fit_may_choose_the_noise():
    losses = np.ones((3, 2, 2, 4))
    losses[1] = 0.5
    surface = LikelihoodSurface((0.5, 1.0, 2.0), (0.1, 0.9), (0.3, 0.4), losses)
    assert surface.best().noise_scale == 1.0
    np.testing.assert_allclose(surface.at_noise(2.0), 1.0)


def test_more_noise_scatters_wider():
    tosses = made_by_the_engine(30, CONTACT, root=8)
    experiment = Experiment(tosses, cube(), 1)
    agreed = [
        face_counts(experiment, Model(CONTACT, scale), range(8)).max(axis=1).mean()
        for scale in (0.0, 1.0, 8.0)
    ]
    assert agreed[0] == 8.0
    assert agreed[0] > agreed[1] > agreed[2]


def test_both_engines_foretell_nearly_the_same():
    tosses = made_by_the_engine(25, CONTACT, root=9)
    faces = [
        to_rest(Experiment(tosses, cube(), 1, engine=name), CONTACT)[0]
        for name in ("compiled", "bullet")
    ]
    # bounces amplify what the engines do differently; by chance a face would agree one time in six
    assert (faces[0] == faces[1]).mean() > 0.7


def test_an_unknown_engine_is_refused():
    with pytest.raises(InvalidValueError, match="compiled"):
        Experiment(made_by_the_engine(1, CONTACT, root=8), cube(), 1, engine="compild")


@pytest.mark.parametrize("folds", [1, 0, 6])
def test_impossible_folds_are_refused(folds):
    tosses = made_by_the_engine(5, CONTACT, root=8)
    with pytest.raises(InvalidValueError, match=f"folds {folds} is outside 2 to 5"):
        fit(Experiment(tosses, cube(), 1), folds=folds)


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ((0.0, 370.0, 8100.0), "edge 0 mm"),
        ((104.8, -1.0, 8100.0), "mass -1 g"),
        ((104.8, float("nan"), 8100.0), "mass nan g"),
        ((104.8, 370.0, 0.0), "inertia 0 g cm2"),
        ((104.8, 370.0, 81000.0), "inertia 81000 g cm2"),
        ((104.8, 370.0, float("inf")), "inertia inf"),
        ((104.8, 370.0, 8100.0, 52.4), "edge_radius_mm 52.4"),
        ((104.8, 370.0, 8100.0, -1.0), "edge_radius_mm -1"),
        ((104.8, 370.0, 8100.0, float("nan")), "edge_radius_mm nan"),
    ],
)
def test_an_impossible_cube_is_refused(values, fault):
    with pytest.raises(InvalidValueError, match=fault):
        cube(*values)


def test_json_is_complete_and_finite_even_for_a_single_toss_that_never_settles():
    tosses = made_by_the_engine(1, CONTACT, root=8)
    experiment = Experiment(tosses, cube(), 1)
    lost = Prediction(np.array([7]), np.array([10.0]), np.full((1, 6), 1 / 6))
    document = toss_comparison.compare(experiment, [lost], Model()).document()
    json.dumps(document, allow_nan=False)
    assert document["unsettled"] == 1.0
    assert sum(both["simulated"] for both in document["shares"].values()) == 0.0
    assert sum(both["real"] for both in document["shares"].values()) == 1.0


def test_real_tosses_are_foretold_with_the_defaults(real):
    (prediction,) = predict(real, [Model()], replicates=8)
    comparison = toss_comparison.compare(real, [prediction], Model())
    assert comparison.tosses == 285
    assert comparison.mismatched == comparison.lifted == 0
    assert comparison.unsettled == 0
    assert comparison.face_accuracy.value >= 0.80
    assert comparison.face_accuracy.low > comparison.baseline_accuracy.high
    assert comparison.log_loss.value < 0.5 * comparison.baseline_log_loss


def test_spin_taken_for_world_spin_foretells_worse(real):
    # the oracle of the frame: the file's own axes, left as they are, must not do as well
    start = real.tosses.start
    body_spin = unrotate(start.quaternion, start.spin_rad_s)
    wrong = replace(
        real,
        tosses=replace(
            real.tosses,
            start=States(start.position_mm, start.quaternion, start.velocity_m_s, body_spin),
        ),
    )
    right_face, _ = to_rest(real, CONTACT)
    wrong_face, _ = to_rest(wrong, CONTACT)
    truth = real.tosses.final_face
    assert (right_face == truth).mean() > (wrong_face == truth).mean() + 0.1


@pytest.mark.slow
def test_real_tosses_are_foretold_by_fits_that_have_not_seen_them(real):
    tracks = REAL.with_name("cube_toss_trajectories.npz")
    if not tracks.exists():
        pytest.skip("no tracks beside the tosses; docs/validation.md makes the file")
    flown = replace(real, starts=refine(real.tosses, read_tracks(tracks), real.body))
    found = fit(flown, distances=True, workers=2)
    comparison = toss_comparison.compare(flown, found.held_out, found.model, found)
    assert found.model == Model()
    assert comparison.scores.p_value > 0.05
    assert comparison.travel_error_m.low < 0.003
    assert comparison.travel_error_m.high > -0.003
    assert comparison.face_accuracy.value >= 0.85
    assert comparison.log_loss.value < 0.3 * comparison.baseline_log_loss
    assert comparison.scores.brier < 0.3 * comparison.baseline_brier
    assert not found.at_edge


@pytest.fixture(scope="module")
def chances():
    return generator(4).dirichlet([0.3] * 6, size=4000)


def drawn(chances):
    cumulative = chances.cumsum(axis=1)
    return (generator(5).random((len(chances), 1)) > cumulative[:, :-1]).sum(axis=1)


def test_chances_that_are_right_pass(chances):
    scores = toss_comparison.score(chances, drawn(chances))
    assert abs(scores.spiegelhalter_z) < 3.5  # one false alarm in 2,000
    assert scores.brier == pytest.approx(scores.expected_brier, abs=0.02)
    assert scores.calibration_error < 0.03
    for one in scores.reliability:
        assert one.ci95[0] - 0.03 < one.predicted < one.ci95[1] + 0.03


@pytest.mark.parametrize(("power", "sign"), [(2.0, 1), (0.5, -1)])
def test_chances_that_are_too_sure_or_too_modest_fail(chances, power, sign):
    changed = chances**power
    changed /= changed.sum(axis=1, keepdims=True)
    scores = toss_comparison.score(changed, drawn(chances))
    assert sign * scores.spiegelhalter_z > 5
    assert scores.p_value < 1e-6
    assert sign * (scores.brier - scores.expected_brier) > 0


def test_the_spread_of_the_brier_score_is_that_of_all_that_can_happen(chances):
    one = chances[:1]
    possible = [toss_comparison.score(one, np.array([k])) for k in range(6)]
    briers, expected = np.array([s.brier for s in possible]), possible[0].expected_brier
    assert expected == pytest.approx(float(briers @ one[0]))
    spread = np.sqrt((briers - expected) ** 2 @ one[0])
    for found in possible:
        assert found.spiegelhalter_z == pytest.approx((found.brier - expected) / spread)


def test_bins_hold_every_chance_once():
    chance = np.array([0.0, 0.05, 0.1, 0.55, 1.0])
    bins = toss_comparison.reliability(chance, np.array([False, True, False, True, True]))
    assert [(one.low, one.count) for one in bins] == [(0.0, 2), (0.1, 1), (0.5, 1), (0.9, 1)]
    assert bins[0].observed == 0.5


def test_certainty_has_no_spread_and_is_no_error():
    scores = toss_comparison.score(np.eye(6), np.arange(6))
    assert (scores.brier, scores.expected_brier, scores.spiegelhalter_z) == (0.0, 0.0, 0.0)


def test_the_baseline_is_the_brier_score_of_constant_chances():
    shares = (0.5, 0.4, 0.1)
    chances = np.array([0.5, 0.1, 0.1, 0.1, 0.1, 0.1])
    assert toss_comparison.baseline_brier(*shares) == pytest.approx(
        toss_comparison.score(chances[None], np.array([0])).expected_brier
    )
