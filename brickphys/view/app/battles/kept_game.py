"""Kept game: the game of a tab, kept in the browser while it is played: a page that is loaded again goes on with it."""

from brickphys.battles.table import Rolls, Table
from brickphys.view.app.tab_storage import TabStorage

_MOST_CHARACTERS = 700_000
"""A longer game is not kept: it would be more than a message to the server may hold."""


class KeptGame:
    """Who rolls, and the replay of the game so far, in the storage of the tab."""

    def __init__(self) -> None:
        self._storage = TabStorage("brickphys-game")

    def keep(self, table: Table) -> None:
        """Keep the game as it is now."""
        text = table.replay()
        if len(text) > _MOST_CHARACTERS:
            self.forget()
        else:
            self._storage.keep(f"{table.rolls.value}\n{text}")

    def forget(self) -> None:
        """Keep no game any more."""
        self._storage.forget()

    async def found(self) -> tuple[Rolls, str] | None:
        """Return who rolls in the game that the tab has kept, and its replay; None if it has kept none."""
        rolls, _, text = (await self._storage.kept()).partition("\n")
        return (Rolls(rolls), text) if text and rolls in {one.value for one in Rolls} else None
