"""Registry: engines by the names that the command line and law files use."""

from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.engine import Engine
from brickphys.errors import unknown

ENGINES: dict[str, Engine] = {"bullet": BulletEngine(), "compiled": CompiledEngine()}


def engine(name: str) -> Engine:
    """Return the engine of that name, else raise InvalidValueError with the nearest name."""
    if name not in ENGINES:
        raise unknown("engine", name, ENGINES)
    return ENGINES[name]
