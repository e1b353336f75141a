"""Registry: engines by name, as on the command line and in law files."""

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
"""The engine for all floors and hands."""


def engine(name: str) -> Engine:
    """Return the engine of a name, else raise InvalidValueError with the nearest name."""
    if name not in ENGINES:
        raise unknown("engine", name, ENGINES)
    return ENGINES[name]


def default_engine(bricks: int, floor: Floor) -> str:
    """Return the name of the default engine: compiled if it is made for the throw, else the reference."""
    fast = ENGINES["compiled"]
    able = bricks <= fast.max_bricks and floor.name in fast.floors
    return fast.name if able else REFERENCE
