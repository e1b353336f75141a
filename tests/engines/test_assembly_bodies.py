"""PyBullet agrees with the closed form about mass, inertia and place, and things stand as they were put."""

from math import cos, radians, sin

import numpy as np
import pytest

from brickphys.engines.client import connection
from brickphys.shapes.assembly import assembly, assembly_names
from brickphys.shapes.export import model_path
from brickphys.units import GRAVITY_UNITS_S2, MM2_PER_UNIT2, MM_PER_UNIT, PLATE_MM

BODIES = [body for name in assembly_names() for body in assembly(name).bodies]
HEADING_DEG = 30.0
PLACE_MM = (40.0, -25.0, 7.0)


UNITS_OF_MODEL = 1000.0 / MM_PER_UNIT
"""Engine units in a metre of the models."""
G_PER_KG = 1000.0


def add_body(client, body, place_mm=(0.0, 0.0, 0.0), heading_deg=0.0):
    """Add a model; ``globalScaling`` converts lengths alone, so its mass and its moments of inertia are corrected."""
    half_turn = radians(heading_deg) / 2
    number = client.loadURDF(
        str(model_path(body.name)),
        [length / MM_PER_UNIT for length in place_mm],
        [0.0, 0.0, sin(half_turn), cos(half_turn)],
        globalScaling=UNITS_OF_MODEL,
        flags=client.URDF_USE_INERTIA_FROM_FILE,
    )
    _, _, moments, *_ = client.getDynamicsInfo(number, -1)
    client.changeDynamics(
        number,
        -1,
        mass=body.mass.mass_g,
        localInertiaDiagonal=[G_PER_KG * UNITS_OF_MODEL**2 * moment for moment in moments],
        linearDamping=0.0,
        angularDamping=0.0,
        maxJointVelocity=1e7,
    )
    return number


def turned(points: np.ndarray) -> np.ndarray:
    """Return points of a thing's frame where `PLACE_MM` and `HEADING_DEG` put them."""
    c, s = np.cos(np.radians(HEADING_DEG)), np.sin(np.radians(HEADING_DEG))
    return points @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + PLACE_MM


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.name)
def test_pybullet_reads_mass_and_principal_moments_of_the_closed_form(body):
    with connection() as client:
        number = add_body(client, body)
        mass, _, moments, *_ = client.getDynamicsInfo(number, -1)
    assert mass == pytest.approx(body.mass.mass_g, rel=1e-6)
    principal = np.linalg.eigvalsh(body.mass.inertia_g_mm2) / MM2_PER_UNIT2
    assert np.sort(moments) == pytest.approx(principal, rel=1e-5)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.name)
def test_spin_about_any_axis_has_the_kinetic_energy_of_the_full_tensor(body):
    """The principal frame is the right one, not only the moments in it."""
    spin = np.array([1.0, -2.0, 3.0])
    with connection() as client:
        number = add_body(client, body)
        frame = client.getDynamicsInfo(number, -1)[4]
        axes = np.reshape(client.getMatrixFromQuaternion(frame), (3, 3))
        moments = np.array(client.getDynamicsInfo(number, -1)[2])
    energy = spin @ body.mass.inertia_g_mm2 @ spin / MM2_PER_UNIT2
    assert moments @ (axes.T @ spin) ** 2 == pytest.approx(energy, rel=1e-4)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.name)
def test_a_placed_body_has_its_centre_of_mass_where_the_place_says(body):
    with connection() as client:
        number = add_body(client, body, PLACE_MM, HEADING_DEG)
        place, _ = client.getBasePositionAndOrientation(number)
    assert np.array(place) * MM_PER_UNIT == pytest.approx(turned(body.mass.centre_mm), abs=1e-4)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.name)
def test_rays_from_six_sides_meet_the_faces_of_the_prism(body):
    """Bullet's own boxes around turned bodies are loose, so the faces are probed."""
    middle, half = body.prism.centre_mm, body.prism.size_mm / 2
    faces = [sign * axis for axis in np.eye(3) for sign in (-1.0, 1.0)]
    spread = np.array([(0.0, 0.0, 0.0), (0.9, 0.9, 0.9), (-0.9, 0.9, -0.9), (0.9, -0.9, -0.9)])
    on_face = [
        middle + half * np.where(np.abs(face) > 0.5, face, spot)
        for face in faces
        for spot in spread
    ]
    outward = [face for face in faces for _ in spread]
    start = turned(np.array(on_face) + 20.0 * np.array(outward)) / MM_PER_UNIT
    end = turned(np.array(on_face) - 0.5 * half * np.array(outward)) / MM_PER_UNIT
    with connection() as client:
        number = add_body(client, body, PLACE_MM, HEADING_DEG)
        client.performCollisionDetection()
        hits = client.rayTestBatch(start.tolist(), end.tolist())
    assert {hit[0] for hit in hits} == {number}
    found = np.array([hit[3] for hit in hits]) * MM_PER_UNIT
    assert found == pytest.approx(turned(np.array(on_face)), abs=1e-4)


@pytest.mark.parametrize("name", assembly_names())
def test_a_thing_released_above_a_plane_stays_standing_with_its_crew(name):
    thing = assembly(name)
    lifted = 0.5 - thing.bottom_plates * PLATE_MM
    with connection() as client:
        client.setGravity(0, 0, -GRAVITY_UNITS_S2)
        client.setPhysicsEngineParameter(fixedTimeStep=1 / 1000, contactBreakingThreshold=0.005)
        floor = client.createCollisionShape(client.GEOM_PLANE)
        client.createMultiBody(0, floor)
        numbers = [
            add_body(client, body, (0.0, 0.0, lifted + 0.2 * (body is not thing.hull)))
            for body in thing.bodies
        ]
        before = [client.getBasePositionAndOrientation(n) for n in numbers]
        for _ in range(1500):
            client.stepSimulation()
        after = [client.getBasePositionAndOrientation(n) for n in numbers]
        speeds = [client.getBaseVelocity(n) for n in numbers]
    for (old, turn), (new, now), (velocity, spin) in zip(before, after, speeds, strict=True):
        moved_mm = (np.array(new) - old) * MM_PER_UNIT
        assert np.abs(moved_mm[:2]).max() < 0.5
        assert -0.9 < moved_mm[2] < -0.3
        assert abs(np.dot(turn, now)) > np.cos(np.radians(1.0) / 2)
        assert np.linalg.norm(velocity) * MM_PER_UNIT < 1.0
        assert np.linalg.norm(spin) < 0.1
