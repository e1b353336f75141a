"""Setup reader: the players, names and aims of a setup whose form is sound, and their faults of meaning."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from brickphys.rules.aims.aim_reader import AimReader
from brickphys.rules.aims.aims import Aim, Positions
from brickphys.rules.catalogue import TableReader
from brickphys.rules.colours import colour_faults

if TYPE_CHECKING:
    from brickphys.rules.setup.setup_schema import PlayerDocument

A = TypeVar("A")


class SetupReader(TableReader):
    """Reads what all setups have; a game adds its field and its units.

    Attributes
    ----------
    players
        The index of each player by name.
    teams
        The team of each player: one of its own, unless the setup says another.
    colours
        The colour that the setup gives to each player; None for none.
    """

    def __init__(self, players: "Sequence[PlayerDocument]") -> None:
        super().__init__()
        self.players = {player.name: index for index, player in enumerate(players)}
        self.teams = tuple(
            index if player.team is None else player.team for index, player in enumerate(players)
        )
        self.colours = tuple(player.colour for player in players)
        self.faults += colour_faults(tuple(self.players), self.colours)

    @property
    def team_of(self) -> dict[str, int]:
        """The team of each player by name."""
        return {name: self.teams[index] for name, index in self.players.items()}

    def check_names(self, kinds: Mapping[str, Iterable[str]]) -> None:
        """Note the names that several things of one kind have, by the kinds of things."""
        self.faults += [
            f"{kind}: {count} have the name {name!r}"
            for kind, names in kinds.items()
            for name, count in Counter(names).items()
            if count > 1
        ]

    def check_teams(self) -> None:
        """Note that no player has an opponent."""
        if len(set(self.teams)) < 2:
            self.faults.append("players: there must be at least two teams")

    def aims(
        self,
        reader: AimReader[Any, A],
        documents: Sequence[Any],
        start: Positions[A] | None = None,
    ) -> tuple[Aim[A], ...]:
        """Return the aims that a reader reads, and note its faults; see `AimReader.aims`."""
        found = reader.aims(documents, start)
        self.faults += reader.faults
        return found
