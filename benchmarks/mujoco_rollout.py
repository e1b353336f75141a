"""A peer of the throwing benchmark: what a user of MuJoCo would write with ``mujoco.rollout``.

All bricks are one batch of ``mujoco.rollout`` on one thread, stepped together for 0.1 s at a time; those that have
moved by less than 0.1 mm and leaned by less than half a degree in between are at rest and leave the batch. One hull
over one plane, the hollow brick's own inertia, elliptic friction, everything else at MuJoCo's defaults but for the
contacts' spring: an elastic impact lasts `CONTACT_STEPS` steps, about as stiff as so coarse a step bears, and its
damping gives the restitution.
"""

import numpy as np

from brickphys.engines.mujoco_model import MujocoSettings, mujoco, pack, spring, unpack
from brickphys.shapes.body import Body
from brickphys.throws.rotations import down
from brickphys.throws.states import States
from brickphys.throws.surfaces import ContactCoefficients

LIMIT_S = 5.0
PIECE_S = 0.1
CONTACT_STEPS = 5
_XML = """
<mujoco>
  <option timestep="{step}" gravity="0 0 -981" cone="elliptic" impratio="10"/>
  <default>
    <geom friction="{friction} 0 0" condim="3" solref="{stiffness} {damping}" solimp="0.99 0.99 0.001"/>
  </default>
  <asset><mesh name="hull" vertex="{vertices}"/></asset>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body>
      <freejoint/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/>
      <geom type="mesh" mesh="hull"/>
    </body>
  </worldbody>
</mujoco>
"""


def throw(
    body: Body, contact: ContactCoefficients, states: States, step_s: float
) -> tuple[int, int]:
    """Throw the single bricks `states` (n, 1) to rest.

    Returns
    -------
    tuple
        How many came to rest, and how many of those lie on a side: the axis of the studs is level within 3 degrees.
    """
    module = mujoco()
    from mujoco import rollout

    model = module.MjModel.from_xml_string(_xml(body, contact, step_s))
    data, now = module.MjData(model), states.flat()
    rested = sides = 0
    for _ in range(round(LIMIT_S / PIECE_S)):
        rows, _sensors = rollout.rollout(model, data, pack(now), nstep=round(PIECE_S / step_s))
        before, now = now, unpack(rows[:, -1])
        moved_mm = np.linalg.norm(now.position_mm - before.position_mm, axis=1)
        leaned = np.linalg.norm(down(now.quaternion) - down(before.quaternion), axis=1)
        still = (moved_mm < 0.1) & (leaned < np.radians(0.5))
        rested += int(still.sum())
        sides += int((np.abs(down(now.quaternion[still])[:, 2]) < np.sin(np.radians(3))).sum())
        now = now[~still]
        if not len(now):
            break
    return rested, sides


def _xml(body: Body, contact: ContactCoefficients, step_s: float) -> str:
    law = spring(contact.restitution, MujocoSettings(CONTACT_STEPS * step_s, step_s))
    return _XML.format(
        step=step_s,
        friction=contact.friction,
        stiffness=-law.stiffness,
        damping=-law.damping,
        vertices=" ".join(map(str, (body.vertices_mm / 10).ravel())),
        mass=body.mass_g,
        inertia=" ".join(str(moment / 100) for moment in body.inertia_g_mm2),
    )
