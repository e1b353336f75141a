"""Registry: the kinds of studies by name, each loaded when it is asked for."""

from importlib import import_module

from brickphys.batch.kinds.kind import Kind
from brickphys.errors import unknown

KINDS = {"drop": "drops:Drops", "collide": "scenes:Scenes", "battle": "battles:Battles"}


def kind(name: str) -> Kind:
    """Return the kind of that name, else raise InvalidValueError with the nearest name."""
    if name not in KINDS:
        raise unknown("kind", name, KINDS)
    module, _, cls = KINDS[name].partition(":")
    made: Kind = getattr(import_module(f"brickphys.batch.kinds.{module}"), cls)()
    return made
