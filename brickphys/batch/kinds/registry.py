"""Registry: the study types by name, each loaded when it is asked for."""

from importlib import import_module

from brickphys.batch.kinds.study_type import StudyType
from brickphys.errors import unknown

STUDY_TYPES = {"drop": "drops:Drops", "collide": "scenes:Scenes", "battle": "battles:Battles"}


def study_type(name: str) -> StudyType:
    """Return the study type of a name; raise InvalidValueError with the nearest name if there is none."""
    if name not in STUDY_TYPES:
        raise unknown("kind", name, STUDY_TYPES)
    module, _, cls = STUDY_TYPES[name].partition(":")
    made: StudyType = getattr(import_module(f"brickphys.batch.kinds.{module}"), cls)()
    return made
