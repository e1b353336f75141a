"""A baseline of the throwing benchmark: a plain loop with ``mujoco.rollout``.

All bricks are one batch of ``mujoco.rollout`` on one thread and are stepped together for 0.1 s at a time. Bricks that
moved by less than 0.1 mm and tilted by less than 0.5 degrees in that time are at rest and leave the batch. The model is
one hull over a plane, with the inertia of the hollow brick, elliptic friction and MuJoCo's defaults, except for the
contacts' spring. An elastic impact lasts `CONTACT_STEPS` steps, about the stiffest spring for so coarse a step, and the
damping gives the restitution.
"""

import numpy as np

from brickphys.engines.mujoco_world import MujocoSettings, mujoco, pack, spring, unpack
from brickphys.shapes.body import Body
from brickphys.throws.conditions import ContactCoefficients
from brickphys.throws.flight import States, down

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
        Number of bricks at rest, and number of these on a side: the axis of the studs is level within 3 degrees.
    """
    module = mujoco()
    from mujoco import rollout

    model = module.MjModel.from_xml_string(_xml(body, contact, step_s))
    data, now = module.MjData(model), states.flat()
    rested = sides = 0
    for _ in range(round(LIMIT_S / PIECE_S)):
        rows, _sensors = rollout.rollout(model, data, pack(now), nstep=round(PIECE_S / step_s))
        before, now = now, unpack(rows[:, -1]).flat()
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
