"""The schema of the options for random armies of BOW in a study; loads pydantic."""

from typing import Annotated, ClassVar

from pydantic import Field

from brickphys.rules.aims.aims_schema import AtLeastOne
from brickphys.rules.setup.random_armies_schema import RandomArmiesDocument

MAX_APART = 100
MAX_COVER = 20


class RandomBattleDocument(RandomArmiesDocument):
    """How two armies of units of the catalogue are drawn, and where they meet.

    The lines stand `apart` studs from each other, with a number of low walls for `cover` between them. After a number
    of `rounds` the team that has destroyed the most cost points wins. `files` are the texts of the files of sheets in
    `units`, by name; a study adds them.
    """

    not_lines: ClassVar[frozenset[str]] = frozenset({"files"})

    apart: Annotated[int, Field(ge=2, le=MAX_APART)] = 10
    cover: Annotated[int, Field(ge=0, le=MAX_COVER)] = 0
    rounds: AtLeastOne = 20
    files: dict[str, str] = Field(default_factory=dict)
