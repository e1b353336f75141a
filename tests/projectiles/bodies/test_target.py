"""Targets: what the parts add up to, against closed forms and sampled points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.projectiles.target import Target, TargetPart, behind_wall, target, targets
from brickphys.shapes.solids import join


def inside(part: TargetPart, points):
    """Whether points (n, 3) lie in a part."""
    off = np.abs(points - part.centre_mm) <= np.array(part.size_mm) / 2
    if part.kind == "cylinder":
        away = np.hypot(*(points - part.centre_mm)[:, :2].T)
        return (away <= part.size_mm[0] / 2) & off[:, 2]
    return off.all(axis=1)


@pytest.mark.parametrize("name", targets())
def test_mass_properties_are_those_of_sampled_points(name):
    body, rng = target(name), np.random.default_rng(1)
    masses, points = [], []
    for part in body.parts:
        drawn = part.centre_mm + (rng.random((40_000, 3)) - 0.5) * part.size_mm
        drawn = drawn[inside(part, drawn)]
        points.append(drawn)
        masses.append(np.full(len(drawn), part.mass_g / len(drawn)))
    mass, point = np.concatenate(masses), np.concatenate(points)
    centre = mass @ point / mass.sum()
    arms = point - centre
    spread = np.einsum("i,ij,ik->jk", mass, arms, arms)
    assert body.mass_g == pytest.approx(sum(part.mass_g for part in body.parts))
    # 40,000 points a part: the error of a mean of up to 25 mm spread is below 0.1 mm at 5 sigma
    assert body.mass.centre_mm == pytest.approx(centre, abs=0.1)
    inertia = np.trace(spread) * np.eye(3) - spread
    assert np.abs(body.mass.inertia_g_mm2 - inertia).max() < 0.01 * np.trace(inertia)


def test_the_figure_has_its_true_measure():
    foot = target("foot")
    low = np.min([np.array(p.centre_mm) - np.array(p.size_mm) / 2 for p in foot.parts], axis=0)
    high = np.max([np.array(p.centre_mm) + np.array(p.size_mm) / 2 for p in foot.parts], axis=0)
    assert high[1] - low[1] == pytest.approx(24.0)
    assert foot.height_mm == pytest.approx(40.0)
    assert 3.0 <= foot.mass_g <= 3.3
    assert np.ptp(foot.base_mm, axis=0) == pytest.approx([7.8, 15.6])


@pytest.mark.parametrize("name", targets())
def test_a_target_stands_its_centre_of_mass_is_inside_its_base(name):
    base, centre = target(name).base_mm, target(name).mass.centre_mm[:2]
    edges = np.roll(base, -1, axis=0) - base
    arms = centre - base
    assert (edges[:, 0] * arms[:, 1] - edges[:, 1] * arms[:, 0] > 0).all()


@pytest.mark.parametrize("name", targets())
def test_parts_do_not_overlap(name):
    parts = target(name).parts
    for i, one in enumerate(parts):
        for other in parts[i + 1 :]:
            apart = np.abs(np.subtract(one.centre_mm, other.centre_mm))
            assert (apart >= np.add(one.size_mm, other.size_mm) / 2 - 1e-9).any(), (one, other)


@given(st.floats(0.0, 39.9))
def test_behind_a_wall_the_middle_of_what_shows_is_aimed_at(wall_mm):
    assert behind_wall(target("foot"), wall_mm).aim_mm == pytest.approx((wall_mm + 40.0) / 2)


def test_names_of_walls_count_bricks():
    assert target("foot:wall2").wall_mm == pytest.approx(19.2)
    assert target("foot:wall2").name == "foot"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("foto", "unknown body 'foto': did you mean 'foot'"),
        ("foot:wall0", "after the colon comes wall1 to wall4, "),
        ("foot:wall5", "after the colon comes wall1 to wall4, "),
    ],
)
def test_bad_names_are_told(name, words):
    with pytest.raises(InvalidValueError, match=words):
        target(name)


def test_impossible_parts_are_refused():
    for kind, centre, size, mass in (
        ("ball", (0, 0, 5), (8, 8, 8), 1.0),
        ("box", (0, 0, 5), (8, 8, 0), 1.0),
        ("box", (0, 0, 5), (8, 8, 8), 0.0),
        ("cylinder", (0, 0, 5), (8, 9, 8), 1.0),
        ("box", (0, 0, 3), (8, 8, 8), 1.0),
    ):
        with pytest.raises(InvalidValueError, match="thing"):
            TargetPart(kind, "thing", centre, size, mass)
    with pytest.raises(InvalidValueError, match="no part stands"):
        Target("x", "", "", (TargetPart("box", "cloud", (0, 0, 9), (8, 8, 8), 1.0),))


@pytest.mark.parametrize("name", targets())
def test_pieces_add_up_to_their_parts(name):
    body = target(name)
    whole = join(piece.mass for piece in body.pieces)
    assert len(body.pieces) >= len(body.parts)
    assert whole.mass_g == pytest.approx(body.mass_g)
    assert whole.inertia_g_mm2 == pytest.approx(body.mass.inertia_g_mm2)
    assert max(max(p.size_mm[:2]) / max(min(p.size_mm[:2]), 8.0) for p in body.pieces) < 2.0
