"""brickphys: a physics laboratory for brick wargames.

``import brickphys`` offers, each loaded when it is first used:

- `odds`: the exact odds of an attack against a defence; ``odds(3, 2)``.
- `law`, `laws`: a law of brick rolls by its name, file or number; the names of those that ship.
- `roll`: one brick roll from a law.
- `throw`: throw a shape and count how it stops.
- `poses`: in what a shape can come to rest.
- `calibrate`: throw until the chance of a side is known, and return the law.
- `measure`, `infer`: the law of one table and hand; what bricks that were counted at home say.
- `scene`, `resolve`, `crash`: a scene of vehicles; its compulsory move by the rules; the same as rigid bodies.
- `game`, `games`, `check_game`: a game by its name; all names; a check of any game against the contract.
- `play`, `replay`: a game between bots; a game played back from its file.
- `study`, `report`: thousands of runs, kept in a folder; their report.
- `BrickphysError`: the base of all errors.

What these return prints as one line, is a table in a notebook, and has ``to_pandas()`` and, where there is a picture,
``plot()``. They are public: a name, a parameter or a column goes only after one version that warns of it. Packages
below, which the documentation also uses, may change with any version; the notes of a version say how.
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
    from brickphys.calibration.measure.own_law import measure
    from brickphys.calibration.poses import poses
    from brickphys.calibration.throw import throw
    from brickphys.errors import BrickphysError
    from brickphys.odds.answer import odds
    from brickphys.odds.law_choice import law
    from brickphys.odds.law_file import shipped_laws as laws
    from brickphys.rules.checks.conformance import check_game
    from brickphys.rules.events.law_roll import roll
    from brickphys.rules.registry import game, games
    from brickphys.vehicles.collision import resolve, scene
    from brickphys.vehicles.physics.crash import crash

_PUBLIC = {
    "BrickphysError": "errors",
    "calibrate": "calibration.calibrate",
    "check_game": "rules.checks.conformance",
    "crash": "vehicles.physics.crash",
    "game": "rules.registry",
    "games": "rules.registry",
    "infer": "calibration.home",
    "law": "odds.law_choice",
    "laws": "odds.law_file:shipped_laws",
    "measure": "calibration.measure.own_law",
    "odds": "odds",
    "play": "battles.battle",
    "poses": "calibration.poses",
    "replay": "battles.battle",
    "report": "batch.results",
    "resolve": "vehicles.collision",
    "roll": "rules.events.law_roll",
    "scene": "vehicles.collision",
    "study": "batch.results",
    "throw": "calibration.throw",
}
"""Public name -> where it is. The package `odds` itself can be called."""

__all__ = [
    "BrickphysError",
    "calibrate",
    "check_game",
    "crash",
    "game",
    "games",
    "infer",
    "law",
    "laws",
    "measure",
    "odds",
    "play",
    "poses",
    "replay",
    "report",
    "resolve",
    "roll",
    "scene",
    "study",
    "throw",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used (PEP 562)."""
    place = _PUBLIC.get(name)
    if place is None:
        from brickphys.text import nearest

        meant = nearest(name, list(_PUBLIC))
        hint = (
            f"; did you mean brickphys.{meant}?" if meant else f"; there are {', '.join(_PUBLIC)}"
        )
        raise AttributeError(f"brickphys has no {name!r}{hint}")
    module, _, called = place.partition(":")
    found = import_module(f"brickphys.{module}")
    if module != name:
        found = getattr(found, called or name)
        globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
