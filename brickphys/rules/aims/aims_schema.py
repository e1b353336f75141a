"""The form of an aim; a game adds how its areas are written. Loads pydantic."""

from typing import Annotated, Literal

from pydantic import Field

from brickphys.schema import Strict

AtLeastOne = Annotated[int, Field(ge=1, le=1000)]


class AimDocument(Strict):
    """How a team can win, besides being the last.

    ``reach``: named `units`, or any `count` of the team's, are in the area. ``carry``: a unit of the team is there with
    an `item`. ``hold``: only units of the team are there at the end of a number of `rounds` in a row. ``rounds``: after
    a number of `rounds` the team with the most points wins.
    """

    kind: Literal["reach", "carry", "hold", "rounds"]
    player: str | None = None
    units: list[str] = Field(default_factory=list)
    count: AtLeastOne = 1
    item: str | None = None
    rounds: AtLeastOne | None = None
