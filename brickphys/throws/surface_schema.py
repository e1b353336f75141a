"""The schema of a surface file. It loads pydantic, so `surfaces` imports it only to read a file."""

from typing import Annotated, Any, ClassVar

from pydantic import Field, FiniteFloat

from brickphys.schema import Name, Strict, validated

_Range = Annotated[list[FiniteFloat], Field(min_length=2, max_length=2)]


class SurfaceDocument(Strict):
    """A whole file."""

    not_lines: ClassVar[frozenset[str]] = frozenset({"source"})

    name: Name
    """Name of the surface; not that of a shipped one."""
    friction: _Range
    """Least and greatest plausible friction of body and surface."""
    restitution: _Range
    """Least and greatest plausible restitution, 0 to 1; the compiled engine takes up to 0.7."""
    rolling_mm: _Range = Field([0.05, 0.5])
    """Least and greatest arm of the torque against rolling, for round bodies at 30 rad/s."""
    drilling_mm: _Range = Field([0.0, 0.01])
    """Least and greatest arm of the torque against their spin about the vertical."""
    impact_friction: _Range | None = None
    """Least and greatest friction in impacts, for the 90 % range of a law; that of `friction` if not given."""
    source: Annotated[str, Field(min_length=1)]
    """Source of the numbers."""


def surface_document(tables: dict[str, Any], place: str) -> dict[str, Any]:
    """Return the tables of a surface file if they have the right form.

    Raises InvalidValueError with every fault of form, as ``key.path: what``.
    """
    return validated(SurfaceDocument, tables, place).model_dump()
