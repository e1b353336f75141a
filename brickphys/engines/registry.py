"""Registry: engines by name, as on the command line and in law files."""

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.engine import Engine
from brickphys.engines.mujoco import MujocoEngine
from brickphys.errors import MissingLibraryError, how_to_install, unknown
from brickphys.throws.release import Floor

ENGINES: dict[str, Engine] = {
    "bullet": BulletEngine(),
    "compiled": CompiledEngine(),
    "mujoco": MujocoEngine(),
}

REFERENCE = "bullet"
"""The engine for all floors and hands, and for recordings of them."""
_SECOND = "mujoco"
"""The reference, and the engine for hands, where PyBullet is missing."""


def engine(name: str) -> Engine:
    """Return the engine of a name, else raise InvalidValueError with the nearest name."""
    if name not in ENGINES:
        raise unknown("engine", name, ENGINES)
    return ENGINES[name]


def is_installed(name: str) -> bool:
    """Whether the libraries of an engine can be imported."""
    try:
        return bool(engine(name).versions)
    except MissingLibraryError:
        return False


def reference_engine() -> str:
    """Return the name of the engine that others are compared with: that of MuJoCo where PyBullet is missing.

    Raises MissingLibraryError if both are missing.
    """
    found = next((name for name in (REFERENCE, _SECOND) if is_installed(name)), None)
    if found is None:
        raise MissingLibraryError(
            "a law is compared with a reference engine, PyBullet or MuJoCo, and neither can be imported: PyBullet has "
            f"wheels for Python 3.11 alone; for MuJoCo: {how_to_install(_SECOND)}"
        )
    return found


def default_engine(bricks: int, floor: Floor) -> str:
    """Return the name of the default engine: that for recordings, or MuJoCo where PyBullet is missing.

    If MuJoCo is missing too, or not made for the throw, it is PyBullet, whose error says what to do.
    """
    usual, second = recorded_engine(bricks, floor), ENGINES[_SECOND]
    able = bricks <= second.max_bricks and floor.name in second.floors
    if usual == REFERENCE and able and not is_installed(REFERENCE) and is_installed(_SECOND):
        return _SECOND
    return usual


def recorded_engine(bricks: int, floor: Floor) -> str:
    """Return the name of the default engine for throws to be recorded: compiled if it is made for them, else Bullet."""
    fast = ENGINES["compiled"]
    able = bricks <= fast.max_bricks and floor.name in fast.floors
    return fast.name if able else REFERENCE
