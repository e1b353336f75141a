"""Registry: engines by the names that the command line and law files use."""

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.engine import Engine
from brickphys.engines.mujoco import MujocoEngine
from brickphys.errors import unknown
from brickphys.throws.floors import Floor

ENGINES: dict[str, Engine] = {
    "bullet": BulletEngine(),
    "compiled": CompiledEngine(),
    "mujoco": MujocoEngine(),
}

REFERENCE = "bullet"
"""The engine that can throw everything."""


def engine(name: str) -> Engine:
    """Return the engine of that name, else raise InvalidValueError with the nearest name."""
    if name not in ENGINES:
        raise unknown("engine", name, ENGINES)
    return ENGINES[name]


def usual_engine(bricks: int, floor: Floor) -> str:
    """Return the name of the engine for a throw: the fast one where it can, the reference everywhere else."""
    fast = ENGINES["compiled"]
    able = bricks <= fast.max_bricks and floor.name in fast.floors
    return fast.name if able else REFERENCE
