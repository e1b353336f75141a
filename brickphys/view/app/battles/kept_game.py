"""Kept game: the game of a tab: a page that is loaded again goes on with it, also after a restart of the server."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from secrets import token_urlsafe

from brickphys.battles.table import Rolls
from brickphys.view.app.battles.game_store import forget_game, store_game, stored_game
from brickphys.view.app.jobs import quick
from brickphys.view.app.tab_storage import TabStorage

_holders: dict[str, "KeptGame"] = {}
"""The page that goes on with the game of a name: the last one that has opened it."""


class KeptGame:
    """The game of a tab: the tab has a name, and the server keeps the game under it.

    A tab that was duplicated has the same name at first; the page that was there before takes another one.
    """

    def __init__(self) -> None:
        self._storage = TabStorage("brickphys-game")
        self._saved = TabStorage("brickphys-saved-game")
        self._name = ""

    def keep(self, rolls: Rolls, replay: str) -> Callable[[], None]:
        """Return what keeps the game as it is now; it takes a moment, and raises InvalidValueError if that fails."""
        if not self._is_held:
            self._hold(token_urlsafe(16))
            self._storage.keep(self._name)
        return partial(store_game, self._name, rolls, replay)

    async def forget(self) -> None:
        """Keep no game any more."""
        if self._is_held:
            del _holders[self._name]
            await quick(forget_game, self._name)
        self._name = ""
        self._storage.forget()

    async def found(self) -> tuple[Rolls, str] | None:
        """Return who rolls in the game that the tab has kept, and its replay; None if it has kept none."""
        name = await self._storage.kept()
        game = await quick(stored_game, name)
        if game is not None:
            self._hold(name)
        return game

    def note_saved(self, replay: str) -> None:
        """Note that a game is in a file as it is now."""
        self._saved.keep(_digest(replay))

    async def is_saved(self, replay: str) -> bool:
        """Whether a game was saved as it is now."""
        return await self._saved.kept() == _digest(replay)

    @property
    def _is_held(self) -> bool:
        return _holders.get(self._name) is self

    def _hold(self, name: str) -> None:
        self._name = name
        _holders[name] = self

    def leave(self) -> None:
        """Let the game rest: the page is closed."""
        if self._is_held:
            del _holders[self._name]


def _digest(replay: str) -> str:
    return sha256(replay.encode()).hexdigest()
