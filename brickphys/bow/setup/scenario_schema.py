"""The schema of a scenario: a setup that is comfortable to write by hand; loads pydantic, so only its reading does.

What goes into the setup as it is written is checked there, with the same key paths.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat, model_validator

from brickphys.bow.setup.schema import MAX_STUDS, Height
from brickphys.bow.sheets.schema import Name
from brickphys.schema import Strict

THINGS = ("decor", "unit", "vehicle", "item")
_KEYS = {
    "decor": {"id", "bottom", "top", "locked", "open", "color"},
    "unit": {"id", "player", "facing"},
    "vehicle": {"id", "player", "heading_deg", "speed", "crew"},
    "item": set[str](),
}
"""Which keys go with which thing."""

Crew = dict[str, str]
"""Sheets by seat."""
Tables = list[dict[str, Any]]


class SignDocument(Strict):
    """What a sign of the map stands for: ground so many bricks high, and at most one thing on it.

    Heights of decor are plates over its ground. `area` gives the studs of the sign a name, for aims.
    """

    ground: Annotated[int, Field(ge=-100, le=100)] = 0
    area: Name | None = None
    decor: Literal["wall", "door", "window", "furniture", "tree"] | None = None
    unit: str | None = None
    vehicle: str | None = None
    item: str | None = None
    id: Name | None = None
    bottom: Height | None = None
    top: Height | None = None
    locked: bool = False
    open: bool = False
    color: str = ""
    player: str | None = None
    facing: Literal["e", "ne", "n", "nw", "w", "sw", "s", "se"] = "e"
    heading_deg: FiniteFloat = 0.0
    speed: int = 0
    crew: Crew = Field(default_factory=dict)

    @property
    def thing(self) -> str | None:
        """Which thing stands there, None if it is bare ground."""
        return next((kind for kind in THINGS if getattr(self, kind) is not None), None)

    @model_validator(mode="after")
    def _fits(self) -> "SignDocument":
        things = [kind for kind in THINGS if getattr(self, kind) is not None]
        if len(things) > 1:
            raise ValueError(f"{' and '.join(things)} at once: one sign, one thing")
        keys = {"ground", "area", *things, *(_KEYS[things[0]] if things else ())}
        if strange := sorted(self.model_fields_set - keys):
            thing = things[0] if things else "bare ground"
            raise ValueError(f"{', '.join(strange)}: not of {thing}")
        if self.thing in ("unit", "vehicle") and self.player is None:
            raise ValueError("player: missing")
        if (self.locked or self.open) and self.decor not in ("door", "window"):
            raise ValueError("only doors and windows are locked or open")
        return self


class VehicleCrew(Strict):
    """What a vehicle has here besides what it has in a setup."""

    crew: Crew = Field(default_factory=dict)


class ScenarioDocument(Strict):
    """A scenario: what it is about, a drawing, and whatever else a setup has.

    `field`, `units`, `vehicles` (with `crew`) and `objects` are as in a setup, and come after what is drawn.
    """

    title: Annotated[str, Field(min_length=1, max_length=80)]
    text: Annotated[str, Field(max_length=2000)] = ""
    map: Annotated[str, Field(max_length=MAX_STUDS * (MAX_STUDS + 1) + 2)] | None = None
    legend: dict[str, SignDocument] = Field(default_factory=dict)
    players: Tables
    field: dict[str, Any] = Field(default_factory=dict)
    units: Tables = Field(default_factory=list)
    vehicles: Tables = Field(default_factory=list)
    objects: Tables = Field(default_factory=list)
    open: list[str] = Field(default_factory=list)
    actions: list[str] = Field(default_factory=list)
    aims: Tables = Field(default_factory=list)
    options: dict[str, Any] = Field(default_factory=dict)
    library: dict[str, Any] = Field(default_factory=dict)
