import json
from pathlib import Path

import numpy as np
import pytest

from brickphys.calibration.experiments import rolls
from brickphys.calibration.experiments.roll_comparison import (
    COIN_EDGE_RADIUS_MM,
    COIN_SURFACE,
    compare_coin,
    compare_prisms,
    other_throws,
)
from brickphys.errors import InvalidValueError
from brickphys.seeds import generator
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import PRESETS, ContactCoefficients, preset
from brickphys.throws.faces import face_map

HAND, TOSS, DROP = map(preset, ("hand", "toss", "drop"))
WOOD = ContactCoefficients(0.4, 0.5)


def test_the_page_tells_the_surface_and_the_throw_of_each_set():
    page = (Path(__file__).parents[3] / "docs" / "validation.md").read_text()
    friction, restitution = COIN_SURFACE.friction, COIN_SURFACE.restitution
    assert f"friction {friction:g}, restitution {restitution:g}" in page
    assert "`COIN_SURFACE`" in page
    for name, one in rolls.published().items():
        assert one.throw in PRESETS
        assert f"| {name} | `{one.throw}` |" in page


@pytest.mark.slow
def test_a_coin_that_was_tossed_up_stops_on_its_edge_as_often_as_was_counted():
    """At a friction chosen for it, within 4.5 standard errors of both counts: one false alarm in 100,000."""
    coin = rolls.published()["coin"].rows[0]
    solid = rolls.thick_coin(coin.ratio, COIN_EDGE_RADIUS_MM)
    tossed, thrown = (
        rolls.throw_solids([solid], [COIN_SURFACE], how, 4000, 3)[0, 0] / 4000
        for how in (TOSS, HAND)
    )
    error = np.sqrt(coin.share * (1 - coin.share) * (1 / coin.rolls + 1 / 4000))
    assert tossed == pytest.approx(coin.share, abs=4.5 * error)
    # along the table it rolls like a wheel
    assert thrown > coin.share + 4.5 * error


@pytest.fixture(scope="module")
def prisms():
    return rolls.published()["prisms"]


def test_simple_rules_have_the_chi_squared_that_others_found(prisms):
    # about 620 and 71, computed independently from the same eight rows
    assert prisms.chi2(rolls.prism_solid_angle(prisms.ratios)) == pytest.approx(620, abs=2)
    b = rolls.fit_gibbs(prisms)
    assert prisms.chi2(rolls.gibbs(prisms.ratios, b)) == pytest.approx(71, abs=1)
    assert 8.8 < b < 9.2
    for other in (b - 0.1, b + 0.1):
        assert prisms.chi2(rolls.gibbs(prisms.ratios, other)) > prisms.chi2(
            rolls.gibbs(prisms.ratios, b)
        )


def test_a_smooth_curve_is_found_again(prisms):
    truth = np.array([-0.5, -4.8, -1.0])
    rows = zip(prisms.ratios, rolls.smooth_curve(prisms.ratios, truth), prisms.rolls, strict=True)
    made = rolls.RollSet("", tuple(rolls.PublishedShare(x, float(p), int(n)) for x, p, n in rows))
    np.testing.assert_allclose(rolls.fit_smooth_curve(made), truth, atol=1e-3)


def test_no_smooth_curve_explains_the_prisms_by_chance(prisms):
    chi2 = [
        float(
            prisms.chi2(rolls.smooth_curve(prisms.ratios, rolls.fit_smooth_curve(prisms, degree)))
        )
        for degree in (1, 2, 3)
    ]
    assert chi2[0] > chi2[1] > chi2[2]
    assert rolls.p_value(chi2[1], 5) < 1e-3
    for direction in np.vstack([np.eye(3), -np.eye(3)]):
        beside = rolls.smooth_curve(
            prisms.ratios, rolls.fit_smooth_curve(prisms) + 0.01 * direction
        )
        assert prisms.chi2(beside) > chi2[1]


def test_a_fair_curve_gives_a_cube_its_third(prisms):
    free, fair = rolls.fit_smooth_curve(prisms), rolls.fit_smooth_curve(prisms, fair=True)
    assert rolls.smooth_curve(np.array([1.0]), fair)[0] == pytest.approx(1 / 3)
    # the measured rows do not go through it
    assert rolls.smooth_curve(np.array([1.0]), free)[0] < 0.29
    chi2 = [float(prisms.chi2(rolls.smooth_curve(prisms.ratios, c))) for c in (free, fair)]
    assert chi2 == pytest.approx([22.79, 63.13], abs=0.01)


def test_the_finer_grid_stays_in_the_whole_one():
    for friction, restitution in ((0.4, 0.5), (0.2, 0.7)):
        nearby = rolls.zoom_grid(ContactCoefficients(friction, restitution))
        assert ContactCoefficients(friction, restitution) in nearby
        assert all(rolls.FRICTIONS[0] <= one.friction <= rolls.FRICTIONS[-1] for one in nearby)
        assert all(
            rolls.RESTITUTIONS[0] <= one.restitution <= rolls.RESTITUTIONS[-1] for one in nearby
        )
        # a cubic in both needs four values of each, or the ridge decides
        assert len({one.friction for one in nearby}) >= 4 or friction == rolls.FRICTIONS[0]


def test_rounded_solids_are_those_of_the_catalogue():
    for make in (rolls.square_prism, rolls.thick_coin, rolls.upright_cylinder):
        assert make(1.0, 0.0) == make(1.0)
        body = parse_shape(make(1.0, 0.2).shape)
        assert body.edge_radius_mm == 0.2
    with pytest.raises(InvalidValueError, match="edge_radius_mm 3"):
        rolls.square_prism(0.354, 3.0)


def test_every_rule_gives_a_cube_its_third():
    one = np.array([1.0])
    assert rolls.prism_solid_angle(one) == pytest.approx(1 / 3)
    assert rolls.gibbs(one, 5.0) == pytest.approx(1 / 3)


@pytest.mark.parametrize("ratio", [0.3, 1.0, 2.5])
def test_solid_angles_are_those_of_the_face_map(ratio):
    for solid, expected in (
        (rolls.square_prism(ratio), float(rolls.prism_solid_angle(np.array(ratio)))),
        (rolls.thick_coin(ratio), rolls.coin_solid_angle(ratio)),
        (rolls.upright_cylinder(ratio), 1 - rolls.coin_solid_angle(ratio)),
    ):
        faces = face_map(parse_shape(solid.shape))
        shares = {rest.pose: rest.solid_angle_share for rest in faces.rests}
        assert sum(shares[pose] for pose in solid.poses) == pytest.approx(expected, abs=2e-3)


def test_a_coin_of_equal_areas_has_a_third_on_its_rim():
    assert rolls.coin_area(0.25) == pytest.approx(1 / 3)


def test_chi_squared_is_pearsons(prisms):
    assert prisms.chi2(prisms.shares) == 0.0
    one = rolls.RollSet("", (rolls.PublishedShare(1.0, 0.6, 100),))
    # observed 60 and 40 where 50 and 50 were expected
    assert one.chi2(np.array([0.5])) == pytest.approx(100 / 50 + 100 / 50)
    assert rolls.p_value(5.991, 2) == pytest.approx(0.05, abs=1e-4)


def test_a_cube_falls_on_each_pair_of_faces_one_time_in_three():
    counts = rolls.throw_solids([rolls.square_prism(1.0)], [WOOD], HAND, 4000, 1)
    # five standard errors, one false alarm in 1.7 million
    assert counts[0, 0] / 4000 == pytest.approx(1 / 3, abs=5 * np.sqrt(2 / 9 / 4000))


def test_every_surface_gets_the_same_throws():
    solids = [rolls.square_prism(0.5), rolls.thick_coin(0.354)]
    counts = rolls.throw_solids(solids, [WOOD, ContactCoefficients(0.1, 0.6), WOOD], HAND, 60, 2)
    assert counts.shape == (3, 2)
    np.testing.assert_array_equal(counts[0], counts[2])
    other = rolls.throw_solids(solids, [WOOD], HAND, 60, 2, address=1)
    assert (other[0] != counts[0]).any()


def made_response():
    """A response with a known truth: two solids on the whole grid."""
    coefficients = np.zeros((10, 2))
    coefficients[0] = 0.5, -3.0
    coefficients[1] = 0.3, 0.2
    coefficients[4] = -0.6, 0.5
    return rolls.RollResponse(coefficients, np.array([0.15, 0.3]), np.array([0.6, 0.7]))


def test_a_response_is_found_again_from_counts():
    truth, surfaces, throws = made_response(), rolls.surface_grid(), 100_000
    friction, restitution = np.array([(c.friction, c.restitution) for c in surfaces]).T
    shares = truth.shares(friction, restitution)
    counts = generator(6).binomial(throws, shares).astype(float)
    found = rolls.fit_roll_response(surfaces, counts, throws)
    # each of 60 shares is known to 0.0016 and the fit to less: 0.005 is beyond three standard errors everywhere
    np.testing.assert_allclose(found.shares(friction, restitution), shares, atol=0.005)


def test_a_pose_that_never_came_has_a_small_share_and_no_infinity():
    surfaces = rolls.surface_grid()
    found = rolls.fit_roll_response(surfaces, np.zeros((len(surfaces), 1)), 100)
    shares = found.shares(np.array([0.2, 0.5]), np.array([0.4, 0.6]))
    assert (shares > 0).all()
    assert (shares < 1e-3).all()


def test_the_surface_that_made_the_rolls_is_found():
    response = made_response()
    true = response.shares(np.array(0.25), np.array(0.45))
    rows = tuple(rolls.PublishedShare(1.0, float(share), 10**6) for share in (*true, *true))
    doubled = rolls.RollResponse(np.tile(response.coefficients, 2), response.low, response.high)
    fit = rolls.fit_surface(doubled, rolls.RollSet("", rows))
    assert fit.contact.friction == pytest.approx(0.25, abs=0.01)
    assert fit.contact.restitution == pytest.approx(0.45, abs=0.01)
    assert fit.friction_ci95[0] <= fit.contact.friction <= fit.friction_ci95[1]
    assert not fit.at_edge


def test_crossings_of_a_broken_line():
    e = np.array([0.0, 1.0, 2.0])
    assert rolls.crossings(e, np.array([0.0, 1.0, 0.0]), 0.25) == pytest.approx((0.25, 1.75))
    assert rolls.crossings(e, np.array([0.0, 1.0, 0.0]), 2.0) == ()


def test_prisms_are_compared_with_all_that_was_measured(prisms):
    found = compare_prisms(
        HAND, 20, 1, contacts=rolls.surface_grid((0.2, 0.4, 0.6), (0.3, 0.5, 0.6, 0.7))
    )
    document = found.document()
    json.dumps(document, allow_nan=False)
    assert [row["measured"] for row in document["rows"]] == prisms.shares.tolist()
    assert document["chi2"] == pytest.approx(float(prisms.chi2(found.shares)))
    assert document["chi2"] < document["chi2_solid_angle"]
    assert document["chi2_smooth_curve"] == pytest.approx(22.79, abs=0.01)
    assert document["degrees_of_freedom"] == 6


@pytest.mark.slow
def test_coins_are_compared_in_every_way_of_throwing():
    stages = set()
    found = compare_coin(
        TOSS, DROP, 10, 1, frictions=(0.4,), restitutions=(0.3, 0.6),
        progress=lambda stage, _done, _total: stages.add(stage),
    )  # fmt: skip
    document = found.document()
    json.dumps(document, allow_nan=False)
    assert stages == {"coin", "sharp coin", "cylinder", "other throws"}
    assert set(document["varied"]) == set(other_throws(TOSS))
    assert (document["preset"], document["cylinder"]["preset"]) == ("toss", "drop")
    assert found.edges.shape == found.ends.shape == (1, 2)
    assert document["edge"] == found.at_contact
    assert document["edge_ci95"][0] < document["edge"] < document["edge_ci95"][1]
    assert document["edge_radius_mm"] == COIN_EDGE_RADIUS_MM
    sharp = compare_coin(
        TOSS, DROP, 10, 1, edge_radius_mm=0.0, frictions=(0.4,), restitutions=(0.3, 0.6)
    )
    assert sharp.at_contact == sharp.sharp_at_contact == found.sharp_at_contact


@pytest.mark.parametrize("throws", [0, -1, 200_000])
def test_impossible_throws_are_refused(throws):
    with pytest.raises(InvalidValueError, match="throws"):
        compare_prisms(HAND, throws, 1)
    with pytest.raises(InvalidValueError, match="throws"):
        compare_coin(TOSS, DROP, throws, 1)


@pytest.mark.slow
def test_one_surface_explains_the_prisms_better_than_simpler_rules(prisms):
    found = compare_prisms(HAND, 500, 1, workers=2)
    assert found.chi2 < prisms.chi2(found.gibbs) < prisms.chi2(found.solid_angle)
