"""When a body that slides level is decided, against closed forms and against motions integrated to rest."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from brickphys.engines.compiled import CompiledEngine, CompiledSettings
from brickphys.shapes.body import Body, Face
from brickphys.shapes.catalogue import parse_shape
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.faces import LEVEL_MM, TIPPING_SHARE, face_map, slides, slides_level
from brickphys.throws.flight import States
from brickphys.units import GRAVITY_M_S2
from tests.landings import BRICK, alike


def facet_of(body, normal):
    return int((face_map(body).hull.normals @ np.asarray(normal)).argmax())


def one(height_mm, quaternion=(0, 0, 0, 1), velocity_m_s=(0, 0, 0), spin_rad_s=(0, 0, 0)):
    rows = (np.array([value], dtype=float) for value in ((0, 0, height_mm), quaternion))
    rates = (np.array([value], dtype=float) for value in (velocity_m_s, spin_rad_s))
    return States(*rows, *rates)


@pytest.mark.parametrize("sizes", [(10, 10, 30), (10, 20, 16), (30, 30, 4)])
def test_a_cuboid_tips_above_half_its_width_over_half_its_height(sizes):
    a, b, c = sizes
    body = parse_shape(f"cuboid:{a}x{b}x{c}")
    found = slides(body).friction[facet_of(body, (0, 0, -1))]
    assert found == pytest.approx(TIPPING_SHARE * min(a, b) / c)


def test_a_brick_tips_over_the_edge_nearest_to_its_centre_of_mass():
    """On its side that is the upper edge of its body, 9.6 mm above the underside."""
    body = parse_shape("2x2:r0")
    found = slides(body).friction[facet_of(body, (1, 0, 0))]
    assert found == pytest.approx(TIPPING_SHARE * (9.6 - body.centre_of_mass_mm) / 7.9)


def test_faces_of_a_brick_are_across_principal_axes():
    rests = slides(BRICK).friction > 0
    assert rests.sum() == 6
    assert not slides(BRICK).spin_s2[rests].any()


@pytest.mark.parametrize("speed_m_s", [0.0, 1.0, 20.0])
def test_a_level_brick_is_decided_at_any_speed_and_spin(speed_m_s):
    height = face_map(BRICK).rests[0].rest_height_mm
    state = one(height, velocity_m_s=(speed_m_s, 0, 0), spin_rad_s=(0, 0, 10 * speed_m_s))
    assert slides_level(BRICK, 0.1, state)


@pytest.mark.parametrize(
    "change",
    [
        {"height_mm": 2 * LEVEL_MM},  # above the height at rest
        {"quaternion": Rotation.from_euler("x", 0.002).as_quat()},
        {"spin_rad_s": (3, 0, 0)},
        {"velocity_m_s": (0, 0, 0.3)},
    ],
    ids=["above", "tilted", "rocking", "rising"],
)
def test_a_brick_that_is_not_level_is_not_decided(change):
    height = face_map(BRICK).rests[0].rest_height_mm
    above = change.pop("height_mm", 0.0)
    assert not slides_level(BRICK, 0.1, one(height + above, **change))


def test_above_the_tipping_friction_nothing_is_decided():
    body = parse_shape("cuboid:10x10x30")
    assert slides_level(body, 0.29, one(15.0))
    assert not slides_level(body, 0.31, one(15.0))


# --- spin about an axis that is not principal ---


def oblique(shift_mm):
    """Return a block of 10 x 30 x 20 mm whose top is moved along x, and the direction up in its frame."""
    edges = np.array([[10.0, 0, 0], [0, 30, 0], [shift_mm, 0, 20]])
    covariance = edges.T @ edges / 12
    moments, axes = np.linalg.eigh(np.trace(covariance) * np.eye(3) - covariance)
    axes[:, 0] *= np.sign(np.linalg.det(axes))
    corners = (np.array(np.meshgrid(*[(-0.5, 0.5)] * 3)).reshape(3, -1).T @ edges) @ axes
    down = -axes[2]
    body = Body(
        name="oblique",
        mass_g=1.0,
        volume_mm3=6000.0,
        inertia_g_mm2=tuple(moments),
        vertices_mm=corners,
        faces=(Face("upright", tuple(down)),),
        centre_of_mass_mm=10.0,
    )
    return body, Rotation.from_matrix(axes).as_quat()


@pytest.mark.parametrize(("share", "stays"), [(0.9, True), (1.1, False)])
def test_an_oblique_block_that_spins_too_fast_rises_without_friction(share, stays):
    """The spin tips it outwards with m w2 h s / 12, where h is its height and s the shift of its top."""
    shift_mm, height_mm = 3.0, 20.0
    body, turned = oblique(shift_mm)
    reach_mm = 5.0 - shift_mm / 2
    spin = np.sqrt(12000 * GRAVITY_M_S2 * reach_mm / (height_mm * shift_mm))
    facet = facet_of(body, body.faces[0].normal)
    limits = slides(body)
    assert limits.spin_s2[facet] * spin**2 == pytest.approx(limits.friction[facet] / TIPPING_SHARE)

    states = alike(1, height_mm / 2, turned)
    states.spin_rad_s[:, 0, 2] = share * spin
    settings = CompiledSettings(by_energy=False, limit_s=0.05, step_s=1 / 8000)
    end = CompiledEngine(settings).land(body, ContactCoefficients(0.0, 0.0), states).states
    rise_mm = end.position_mm[0, 0, 2] - height_mm / 2
    assert (rise_mm < LEVEL_MM) == stays
