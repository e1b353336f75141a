"""A reference engine for calibrations that are tested for what they do with throws, not for how bricks fall."""

from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.engine import Engine
from brickphys.throws.release import PLANE


def quick(kind: type[Engine]) -> type[Engine]:
    """Return an engine that leaves single bodies on a plane to the compiled one, fifty times as fast if few a cell."""

    class Quick(kind):
        def land(self, body, contact, states, floor=PLANE):
            alone = floor.is_plane and states.position_mm.shape[1] == 1
            engine = CompiledEngine() if alone else super()
            return engine.land(body, contact, states, floor)

    return Quick
