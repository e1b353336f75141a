"""Hits a second on a figure against a plain PyBullet script with one world a shot, in one run; processor time.

Run by ``make bench``. Both shoot the same paths; the script steps flight, impact and fall until the figure is at rest.
A verdict is right if it is that of the shots with a step of 1/8000 s.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from brickphys.engines.block_world import BlockSettings
from brickphys.engines.client import connection
from brickphys.engines.shoot import SHOT_SETTINGS, shoot
from brickphys.engines.shot_world import Missile, StandingBody
from brickphys.projectiles.measure import missile, standing_body
from brickphys.projectiles.target import target
from brickphys.projectiles.weapons import weapon
from brickphys.seeds import generator
from brickphys.throws.flight import States
from brickphys.units import Mask

HITS, NAIVE_HITS = 280, 56
AIM = 10.0
NAIVE_STEPS_S = (1 / 4000, 1 / 16000)
STEPS_S = (1 / 500, SHOT_SETTINGS.step_s, 1 / 2000, 1 / 4000)
REFERENCE = BlockSettings(step_s=1 / 8000)
LIMIT_S, CHECK_S, LEAST_S = 2.0, 0.025, 0.1
SPEED_M_S = 4.0
TIPPING_MM = (8.0, 14.0, 20.0, 23.0, 26.0, 32.0, 37.0)
BB = weapon("bow").projectile


def flights(count: int) -> States:
    """Return balls that fly level at the front of a figure, all over it."""
    rng, zero = generator(1, 0), np.zeros(count)
    place = np.column_stack([zero + 30, rng.uniform(-7, 7, count), rng.uniform(4, 38, count)])
    velocity = np.column_stack([zero - SPEED_M_S, zero, zero])
    return States(place, np.tile([0.0, 0, 0, 1], (count, 1)), velocity, np.zeros((count, 3)))


def naive(body: StandingBody, ball: Missile, start: States, step_s: float) -> bool:
    """Return whether one ball knocks the body over: one world, small steps from the flight to the rest."""
    with connection() as b:
        b.setGravity(0, 0, -981)
        b.setTimeStep(step_s)
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
        for check in range(round(LIMIT_S / CHECK_S)):
            for _ in range(round(CHECK_S / step_s)):
                b.stepSimulation()
            velocity, spin = b.getBaseVelocity(figure)
            if check * CHECK_S >= LEAST_S and max(map(abs, (*velocity, *spin))) < 0.2:
                break
        turned = b.getBasePositionAndOrientation(figure)[1]
        return bool(b.getMatrixFromQuaternion(turned)[8] < 0.7)


def naive_shots(body: StandingBody, ball: Missile, start: States, step_s: float) -> Mask:
    """Return which balls knock the body over, each in a world of its own."""
    return np.array([naive(body, ball, start[shot], step_s) for shot in range(len(start))])


def ours(body: StandingBody, ball: Missile, start: States, settings: BlockSettings) -> Mask:
    """Return which balls knock the body over, in one world."""
    return shoot(body, ball, start, settings=settings).knocked


def timed(verdicts: Callable[[], Mask]) -> tuple[float, Mask]:
    """Return hits a second of processor time, and the verdicts."""
    begin = time.process_time()
    fallen = verdicts()
    return len(fallen) / (time.process_time() - begin), fallen


def main() -> None:
    """Print hits a second, shares knocked over, how many verdicts are right, and the ratios."""
    body, ball, start = standing_body(target("foot")), missile(BB), flights(HITS)
    right = shoot(body, ball, start, settings=REFERENCE).knocked
    plain = []
    for step_s in NAIVE_STEPS_S:
        speed, fallen = timed(partial(naive_shots, body, ball, start[:NAIVE_HITS], step_s))
        plain.append(speed)
        report("one world a shot", step_s, speed, fallen, right)
    for step_s in STEPS_S:
        settings = replace(SHOT_SETTINGS, step_s=step_s)
        speed, fallen = timed(partial(ours, body, ball, start, settings))
        report("shots of one world", step_s, speed, fallen, right)
        if step_s == SHOT_SETTINGS.step_s:
            ratios = [speed / slow for slow in plain]
    tipping(body, ball)
    print(f"ratios {ratios[0]:.1f} and {ratios[1]:.1f} (aim: {AIM:g})")


def tipping(body: StandingBody, ball: Missile) -> None:
    """Print the impulse that tips the body over its toes, from behind: of a rigid body about them, and as shot."""
    mass, speeds = body.mass, np.geomspace(0.7, 4.0, 140)
    height, reach = mass.centre_mm[2], body.base_mm[:, 0].max() - mass.centre_mm[0]
    inertia = mass.inertia_g_mm2[1, 1] + mass.mass_g * (height**2 + reach**2)
    spin = np.sqrt(2 * mass.mass_g * 9810 * (np.hypot(height, reach) - height) / inertia)
    zero = np.zeros_like(speeds)
    for z in TIPPING_MM:
        states = States(
            np.column_stack([zero - 40, zero, zero + z]),
            np.tile([0.0, 0, 0, 1], (len(speeds), 1)),
            np.column_stack([speeds, zero, zero]),
            np.zeros((len(speeds), 3)),
        )
        shots = shoot(body, ball, states)
        first = int(np.argmax(shots.knocked))
        closed, shot = inertia * spin / z / 1000, -shots.impulse_g_m_s[first, 0]
        print(
            f"hit at {z:4.0f} mm: {closed:.3f} g m/s closed, {shot:.3f} shot, ratio {shot / closed:.2f}"
            f", from {speeds[first]:.2f} m/s"
        )


def report(name: str, step_s: float, speed: float, fallen: Mask, right: Mask) -> None:
    """Print one row."""
    same = np.mean(fallen == right[: len(fallen)])
    print(
        f"{name:20} step 1/{1 / step_s:<6.0f} {speed:8.1f} hits/s"
        f"   knocked over {fallen.mean():.3f}   right {same:.3f} of {len(fallen)}"
    )


if __name__ == "__main__":
    main()
