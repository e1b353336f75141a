"""The form of what all setups have: players and their teams, and headings; loads pydantic."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, FiniteFloat

from brickphys.schema import Name, Strict

MAX_PLAYERS = 6

Colour = Literal["red", "blue", "yellow", "orange", "white", "black"]
"""One of `brickphys.rules.colours.PLAYER_COLOURS`."""
Heading = Annotated[FiniteFloat, Field(ge=-360, le=360)]


class RuleOptionsDocument(Strict):
    """Options of the rules: each is true or false, or one of some texts; its docstring tells people what it decides."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class PlayerDocument(Strict):
    """A player; those of one team win together."""

    name: Name
    """Name of the player."""
    team: Annotated[int, Field(ge=0, lt=MAX_PLAYERS)] | None = None
    """Number of the team; each has its own if left out."""
    colour: Colour | None = None
    """Colour in maps, pictures and films; the one of its name, or the next free one, if left out."""


Players = Annotated[list[PlayerDocument], Field(min_length=2, max_length=MAX_PLAYERS)]
