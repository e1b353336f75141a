"""The form of the setup of a campaign; loads pydantic."""

from typing import Annotated

from pydantic import Field, FiniteFloat

from brickphys.schema import Name, Strict

MAX_DAYS = 3650
MAX_MILES = 1000
"""Along a side of a square."""
MAX_PARTY = 15
"""Figures that stand side by side on the table of a battle."""
MAX_NAME = 30
"""Letters of a name: its horse has a longer one."""

Miles = Annotated[FiniteFloat, Field(ge=0.5, le=MAX_MILES)]


class MemberDocument(Strict):
    """A figure of the party."""

    name: Annotated[Name, Field(max_length=MAX_NAME)]
    """Its name."""
    kind: str = "soldier"
    """What it is."""
    arms: list[str] = Field(default_factory=list)
    """Weapons and armor that it holds or wears."""
    horse: bool = False
    """Whether it rides."""
    experience: Annotated[int, Field(ge=0)] = 0
    """Points of experience."""


class SquareDocument(Strict):
    """The size of a square."""

    length: Miles
    """Size from north to south, in miles."""
    width: Miles
    """Size from west to east, in miles."""


class CampaignDocument(Strict):
    """A campaign."""

    days: Annotated[int, Field(ge=1, le=MAX_DAYS)]
    """Days that it lasts."""
    square: SquareDocument = SquareDocument(length=3.6, width=3.4)
    """Size of a square of the map."""
    party: Annotated[list[MemberDocument], Field(min_length=1, max_length=MAX_PARTY)]
    """The party, the leader first."""
