"""The form of an aim; a game adds how its areas are written. Loads pydantic."""

from typing import Annotated, Literal

from pydantic import Field

from brickphys.schema import Strict

AtLeastOne = Annotated[int, Field(ge=1, le=1000)]


class AimDocument(Strict):
    """How a team can win, besides being the last."""

    kind: Literal["reach", "carry", "hold", "rounds"]
    """``reach``: named `units`, or any `count` of the team's, are in the area. ``carry``: a unit of the team is there
    with an `item`. ``hold``: only units of the team are there at the end of so many `rounds` in a row. ``rounds``:
    after so many `rounds` the team with the most points wins."""
    player: str | None = None
    """The player whose team has the aim; not of `rounds`."""
    units: list[str] = Field(default_factory=list)
    """Units that must all be there, of `reach`."""
    count: AtLeastOne = 1
    """Or how many of the team must be there, of `reach`."""
    item: str | None = None
    """The object to carry, of `carry`."""
    rounds: AtLeastOne | None = None
    """Number of rounds, of `hold` and `rounds`."""
