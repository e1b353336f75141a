"""brickphys: a physics laboratory for brick wargames.

``import brickphys`` provides these names, each loaded when it is first used:

- `odds`: the exact odds of an attack against a defence; ``odds(3, 2)``.
- `law`, `laws`: a law of brick rolls by its name, file or number; the names of the shipped laws.
- `roll`: one brick roll from a law.
- `throw`: throw a shape and count the poses in which it stops.
- `poses`: the stable poses of a shape.
- `calibrate`: throw until the chance of a side is known, and return the law.
- `measure`, `infer`: the law of one table and hand from measurements; the evaluation of counted throws.
- `scene`, `resolve`, `crash`: a scene of vehicles; its compulsory move by the rules; the same with rigid bodies.
- `ldraw`: a model of bricks from a file of LDraw: its outline, its mass and its centre of mass.
- `hit_chances`: how likely the move of a scene hits what, and on which side, if poses are in doubt.
- `judge`: the collisions that a function of yours finds, judged by the exact geometry.
- `outlines`, `sweep`: outlines of any form as arrays; what millions of them meet on their ways.
- `encounter`: when two outlines that both move touch, and how near they come, in space and time.
- `distance`, `penetration`, `overlaps`: how far outlines are apart, how deep they overlap, and whether they do.
- `game`, `games`, `check_game`: a game by its name; the names of all games; a check of any game against the contract.
- `play`, `replay`: a game between bots; a recorded game, played back from its file.
- `study`, `report`: thousands of runs, stored in a folder; their report.
- `BrickphysError`: the base of all errors, also of `InvalidValueError`, which is a ValueError, too.

Results print as one line, show as a table in a notebook, and have ``to_pandas()``, ``text()``, which is what their
command prints, and ``plot()`` if there is a picture; only `distance`, `penetration` and `overlaps` return plain arrays.
A call that does not fit, or an attribute that is not there, raises an error that says what there is. These names are
public: no name, parameter or column is removed before a version has warned of it. The packages below, which the
documentation also uses, may change with any version; the changelog lists the changes.
"""

from importlib import import_module
from time import time_ns

TYPE_CHECKING = False  # as that of typing, whose import takes as long as all the rest of this file

__version__ = "0.1.0"
STARTED_NS = time_ns()
"""When this process began to import brickphys: sources that are newer are not those that it runs."""

if TYPE_CHECKING:
    from brickphys.batch.results import report, study
    from brickphys.battles.battle import play, replay
    from brickphys.calibration.calibrate import calibrate
    from brickphys.calibration.home import infer
    from brickphys.calibration.measure.measured_law import measure
    from brickphys.calibration.throw import poses, throw
    from brickphys.errors import BrickphysError
    from brickphys.geometry.many.encounters import encounter
    from brickphys.geometry.many.moves import sweep
    from brickphys.geometry.many.outlines import outlines
    from brickphys.geometry.many.pairs import distance, overlaps, penetration
    from brickphys.odds.answer import odds
    from brickphys.odds.law_choice import law, laws
    from brickphys.rules.checks.conformance import check_game
    from brickphys.rules.registry import game, games
    from brickphys.rules.sources import roll
    from brickphys.shapes.ldraw import ldraw
    from brickphys.vehicles.chances import hit_chances
    from brickphys.vehicles.collision import resolve, scene
    from brickphys.vehicles.crash import crash
    from brickphys.vehicles.referee.judge import judge

_PUBLIC = {
    "BrickphysError": "errors",
    "calibrate": "calibration.calibrate",
    "check_game": "rules.checks.conformance",
    "crash": "vehicles.crash",
    "distance": "geometry.many.pairs",
    "encounter": "geometry.many.encounters",
    "game": "rules.registry",
    "games": "rules.registry",
    "hit_chances": "vehicles.chances",
    "infer": "calibration.home",
    "judge": "vehicles.referee.judge",
    "law": "odds.law_choice",
    "laws": "odds.law_choice",
    "ldraw": "shapes.ldraw",
    "measure": "calibration.measure.measured_law",
    "odds": "odds.answer",
    "outlines": "geometry.many.outlines",
    "overlaps": "geometry.many.pairs",
    "penetration": "geometry.many.pairs",
    "play": "battles.battle",
    "poses": "calibration.throw",
    "replay": "battles.battle",
    "report": "batch.results",
    "resolve": "vehicles.collision",
    "roll": "rules.sources",
    "scene": "vehicles.collision",
    "study": "batch.results",
    "sweep": "geometry.many.moves",
    "throw": "calibration.throw",
}
"""Public name -> the module that it is in."""
COMMANDS = {"batch": "study", "collide": "resolve", "drop": "throw"}
"""Command -> the public name that does the same."""

__all__ = [
    "BrickphysError",
    "calibrate",
    "check_game",
    "crash",
    "distance",
    "encounter",
    "game",
    "games",
    "hit_chances",
    "infer",
    "judge",
    "law",
    "laws",
    "ldraw",
    "measure",
    "odds",
    "outlines",
    "overlaps",
    "penetration",
    "play",
    "poses",
    "replay",
    "report",
    "resolve",
    "roll",
    "scene",
    "study",
    "sweep",
    "throw",
]


# The function `odds` has the name of a package. Python names a package here when it is first imported, and never again.
import_module("brickphys.odds")
globals().pop("odds")


def __getattr__(name: str) -> object:
    """Import a public name when it is first used (PEP 562)."""
    place = _PUBLIC.get(name)
    if place is None:
        from brickphys.errors import UnknownNameError
        from brickphys.text import nearest

        error = "BrickphysError" if name.endswith("Error") else None
        meant = error or COMMANDS.get(name) or nearest(name, list(_PUBLIC))
        hint = (
            f"; did you mean brickphys.{meant}?" if meant else f"; there are {', '.join(_PUBLIC)}"
        )
        raise UnknownNameError(f"brickphys has no {name!r}{hint}")
    found = getattr(import_module(f"brickphys.{place}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
