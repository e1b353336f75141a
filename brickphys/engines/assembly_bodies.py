"""Bodies of assemblies in a PyBullet world, in engine units: their URDF, with corrected mass and inertia.

PyBullet's ``globalScaling`` converts the metres of a URDF into centimetres, but not the kilograms and the moments of
inertia. It also moves the frame of a body to its centre of mass and principal axes.
"""

from math import cos, radians, sin
from types import ModuleType

from brickphys.shapes.assembly import RigidBody
from brickphys.shapes.export import model_path
from brickphys.units import MM_PER_UNIT

UNITS_OF_MODEL = 1000.0 / MM_PER_UNIT
"""Engine units in a metre of the models."""
_G_PER_KG = 1000.0


def add_body(
    module: ModuleType,
    client: int,
    body: RigidBody,
    place_mm: tuple[float, float, float] = (0.0, 0.0, 0.0),
    heading_deg: float = 0.0,
    *,
    fixed: bool = False,
) -> int:
    """Add a body of an assembly to a world.

    Parameters
    ----------
    module, client
        As `client.connection` yields them.
    body
        Hull or crew member; its model must be on disk (see `export.models_folder`).
    place_mm
        Position of the origin of the thing: the point on the ground below the middle of its footprint. It is the same
        for hull and crew of a thing.
    heading_deg
        Heading, counter-clockwise from +x.
    fixed
        Whether the body is immovable.

    Returns
    -------
    int
        PyBullet's number of the body.
    """
    half_turn = radians(heading_deg) / 2
    number: int = module.loadURDF(
        str(model_path(body.name)),
        [length / MM_PER_UNIT for length in place_mm],
        [0.0, 0.0, sin(half_turn), cos(half_turn)],
        useFixedBase=fixed,
        globalScaling=UNITS_OF_MODEL,
        flags=module.URDF_USE_INERTIA_FROM_FILE,
        physicsClientId=client,
    )
    if not fixed:
        _, _, moments, *_ = module.getDynamicsInfo(number, -1, physicsClientId=client)
        module.changeDynamics(
            number,
            -1,
            mass=body.mass.mass_g,
            localInertiaDiagonal=[_G_PER_KG * UNITS_OF_MODEL**2 * moment for moment in moments],
            linearDamping=0.0,
            angularDamping=0.0,
            maxJointVelocity=1e7,  # the default clamps every component at 1 m/s
            physicsClientId=client,
        )
    return number
