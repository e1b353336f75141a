"""Hits a second on a figure against a plain PyBullet script with one world a shot, in one run; processor time.

Run by ``make bench``. Both shoot the same paths; the script steps flight, impact and fall until the figure is at rest.
"""

import time

import numpy as np

from brickphys.engines.client import connection
from brickphys.engines.shots.missile import Missile
from brickphys.engines.shots.shoot import shoot
from brickphys.engines.shots.standing import StandingBody
from brickphys.projectiles.bodies.catalogue import target
from brickphys.projectiles.impact.strikes import missile, standing_body
from brickphys.projectiles.weapons import weapon
from brickphys.seeds import generator
from brickphys.throws.states import States

HITS, NAIVE_HITS = 280, 20
AIM = 10.0
STEP_S, LIMIT_S = 1 / 4000, 2.0
SPEED_M_S = 4.0


def flights(count: int) -> States:
    """Return balls that fly level at the front of a figure, all over it."""
    rng, zero = generator(1, 0), np.zeros(count)
    place = np.column_stack([zero + 30, rng.uniform(-7, 7, count), rng.uniform(4, 38, count)])
    velocity = np.column_stack([zero - SPEED_M_S, zero, zero])
    return States(place, np.tile([0.0, 0, 0, 1], (count, 1)), velocity, np.zeros((count, 3)))


def naive(body: StandingBody, ball: Missile, start: States) -> bool:
    """Return whether one ball knocks the body over: one world, small steps from the flight to the rest."""
    with connection() as (b, _):
        b.setGravity(0, 0, -981)
        b.setTimeStep(STEP_S)
        slab = b.createCollisionShape(b.GEOM_BOX, halfExtents=[200, 200, 5])
        table = b.createMultiBody(0, slab, basePosition=[0, 0, -5])
        centre, parts = body.mass.centre_mm, body.parts
        form = b.createCollisionShapeArray(
            shapeTypes=[b.GEOM_CYLINDER if part.is_round else b.GEOM_BOX for part in parts],
            halfExtents=[[length / 20 for length in part.size_mm] for part in parts],
            radii=[part.size_mm[0] / 20 for part in parts],
            lengths=[part.size_mm[2] / 10 for part in parts],
            collisionFramePositions=[
                ((np.array(part.centre_mm) - centre) / 10).tolist() for part in parts
            ],
        )
        figure = b.createMultiBody(body.mass.mass_g, form, basePosition=(centre / 10).tolist())
        sphere = b.createCollisionShape(b.GEOM_SPHERE, radius=ball.radius_mm / 10)
        shot = b.createMultiBody(
            ball.mass_g, sphere, basePosition=(start.position_mm / 10).tolist()
        )
        for number, inertia in (
            (figure, np.diag(body.mass.inertia_g_mm2) / 100),
            (shot, np.array(ball.moments_g_mm2) / 100),
        ):
            b.changeDynamics(
                number,
                -1,
                lateralFriction=0.63,
                restitution=0.71,
                linearDamping=0,
                angularDamping=0,
                localInertiaDiagonal=inertia.tolist(),
                maxJointVelocity=1e7,
            )
        b.changeDynamics(table, -1, lateralFriction=0.63, restitution=0.71)
        b.resetBaseVelocity(shot, (start.velocity_m_s * 100).tolist())
        for step in range(round(LIMIT_S / STEP_S)):
            b.stepSimulation()
            if step % 100 == 99:
                velocity, spin = b.getBaseVelocity(figure)
                if step > 400 and max(map(abs, (*velocity, *spin))) < 0.2:
                    break
        turned = b.getBasePositionAndOrientation(figure)[1]
        return bool(b.getMatrixFromQuaternion(turned)[8] < 0.7)


def main() -> None:
    """Print hits a second, shares of figures knocked over, and the ratio."""
    body, ball, start = (
        standing_body(target("foot")),
        missile(weapon("bow").projectile),
        flights(HITS),
    )
    shoot(body, ball, start[:28])
    begin = time.process_time()
    shots = shoot(body, ball, start)
    ours = int(shots.hit.sum()) / (time.process_time() - begin)
    begin = time.process_time()
    fallen = [naive(body, ball, start[shot]) for shot in range(NAIVE_HITS)]
    theirs = NAIVE_HITS / (time.process_time() - begin)
    same = np.mean(shots.knocked[:NAIVE_HITS] == fallen)
    print(
        f"plain PyBullet, one world a shot {theirs:8.1f} hits/s, knocked over {np.mean(fallen):.2f}"
    )
    print(
        f"shots of one world               {ours:8.1f} hits/s, knocked over {shots.knocked[shots.hit].mean():.2f}"
    )
    print(f"ratio {ours / theirs:.1f} (aim: {AIM:g}); same verdict in {same:.0%} of {NAIVE_HITS}")


if __name__ == "__main__":
    main()
