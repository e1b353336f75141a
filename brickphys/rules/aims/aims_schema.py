"""The form of an aim; a game adds how its areas are written. Loads pydantic."""

from typing import Annotated, Literal

from pydantic import Field

from brickphys.schema import Strict

AtLeastOne = Annotated[int, Field(ge=1, le=1000)]


class AimDocument(Strict):
    """How a team can win, besides being the last."""

    kind: Literal["reach", "carry", "hold", "rounds"]
    """``reach``: named `units`, or any `count` of the team's, are in the area. ``carry``: a unit of the team is there
    with an `item`. ``hold``: only units of the team are there at the end of a number of `rounds` in a row. ``rounds``:
    after a number of `rounds` the team with the most points wins."""
    player: str | None = None
    """Player whose team has the aim; not for `rounds`."""
    units: list[str] = Field(default_factory=list)
    """Units that must all be there, for `reach`."""
    count: AtLeastOne = 1
    """Number of units of the team that must be there, for `reach`, in place of `units`."""
    item: str | None = None
    """Object to carry, for `carry`."""
    rounds: AtLeastOne | None = None
    """Number of rounds, for `hold` and `rounds`."""
