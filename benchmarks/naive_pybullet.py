"""A baseline of the throwing benchmark: a plain loop with PyBullet.

There is one brick in one world, reset for each throw. The settings are PyBullet's defaults (50 solver iterations),
except for the time step and for the physics: no damping, the inertia of the hollow brick, no limit of velocities, a
thin margin, no bounce for bodies at rest. A brick is at rest when it is slower than 1 mm/s and 0.1 rad/s for 0.1 s.
"""

import math

from brickphys.engines.client import connection
from brickphys.shapes.body import Body
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States

LIMIT_S = 5.0


def throw(
    body: Body, contact: ContactCoefficients, states: States, step_s: float
) -> tuple[int, int]:
    """Throw the single bricks `states` (n, 1) one after the other to rest.

    Returns
    -------
    tuple
        Number of bricks at rest, and number of these on a side: the axis of the studs is level within 3 degrees.
    """
    with connection() as p:
        p.setGravity(0, 0, -981)
        p.setTimeStep(step_s)
        # at the default of 2 mm/s every second brick jitters without end, and the comparison would not be fair
        p.setPhysicsEngineParameter(restitutionVelocityThreshold=2 * 981 * step_s)
        floor = p.createMultiBody(0, p.createCollisionShape(p.GEOM_PLANE))
        p.changeDynamics(floor, -1, lateralFriction=1, restitution=1)
        hull = p.createCollisionShape(p.GEOM_MESH, vertices=(body.vertices_mm / 10).tolist())
        brick = p.createMultiBody(body.mass_g, hull)
        p.changeDynamics(
            brick,
            -1,
            lateralFriction=contact.friction,
            restitution=contact.restitution,
            linearDamping=0,
            angularDamping=0,
            localInertiaDiagonal=[moment / 100 for moment in body.inertia_g_mm2],
            maxJointVelocity=1e7,
            collisionMargin=0.001,
        )
        rested = sides = 0
        for state in (states[i] for i in range(len(states))):
            p.resetBasePositionAndOrientation(
                brick, (state.position_mm[0] / 10).tolist(), state.quaternion[0].tolist()
            )
            p.resetBaseVelocity(
                brick, (state.velocity_m_s[0] * 100).tolist(), state.spin_rad_s[0].tolist()
            )
            still = 0.0
            for _ in range(round(LIMIT_S / step_s)):
                p.stepSimulation()
                velocity, spin = p.getBaseVelocity(brick)
                slow = math.hypot(*velocity) < 0.1 and math.hypot(*spin) < 0.1
                still = still + step_s if slow else 0.0
                if still >= 0.1:
                    rested += 1
                    x, y, *_ = p.getBasePositionAndOrientation(brick)[1]
                    sides += abs(1 - 2 * (x * x + y * y)) < math.sin(math.radians(3))
                    break
        return rested, sides
