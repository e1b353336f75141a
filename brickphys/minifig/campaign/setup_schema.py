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
    """A figure of the party; `horse` says whether it rides."""

    name: Annotated[Name, Field(max_length=MAX_NAME)]
    kind: str = "soldier"
    arms: list[str] = Field(default_factory=list)
    horse: bool = False
    experience: Annotated[int, Field(ge=0)] = 0


class SquareDocument(Strict):
    """The size of a square in miles: the length from north to south, the width from west to east."""

    length: Miles
    width: Miles


class CampaignDocument(Strict):
    """A campaign: its days, its squares, and the party, the leader first."""

    days: Annotated[int, Field(ge=1, le=MAX_DAYS)]
    square: SquareDocument = SquareDocument(length=3.6, width=3.4)
    party: Annotated[list[MemberDocument], Field(min_length=1, max_length=MAX_PARTY)]
