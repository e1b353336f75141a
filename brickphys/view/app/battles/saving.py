"""Saving: the game of a tab: a page that is loaded again continues it, also after a restart of the server.

Before a game is left that is in no file, a person is asked.

Games are stored on this machine: what is hidden in them never comes into a browser, which has only a name that nobody
can guess. The name of a file is the digest of that name, so nothing that a visitor sends is ever part of a path.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from secrets import token_urlsafe

from nicegui import ui

from brickphys.battles.ongoing_game import Rolls
from brickphys.battles.start import keep_private, state_folder
from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_RECORD_BYTES, read_json
from brickphys.view.app.files import TabStorage
from brickphys.view.app.jobs import quick

_KIND, _ENDING = "view", ".json"
_MOST_KEPT = 200
"""Games of tabs; the oldest are removed."""
_TO_DO = "the button Save stores it as a file"


def store_game(name: str, rolls: Rolls, replay: str) -> None:
    """Keep the game of a tab; InvalidValueError if it is too long, or no file can be written."""
    content = json.dumps([rolls.value, replay]).encode()
    if len(content) > MOST_RECORD_BYTES:
        raise InvalidValueError(f"The game is too long to be kept for this tab: {_TO_DO}.")
    folder = state_folder(_KIND)
    if folder is None:
        raise InvalidValueError(f"The game is not kept: there is no home folder; {_TO_DO}.")
    try:
        keep_private(folder / _file(name), content, _MOST_KEPT)
    except InvalidValueError as error:
        raise InvalidValueError(f"The game is not kept: {error}; {_TO_DO}.") from None


def stored_game(name: str) -> tuple[Rolls, str] | None:
    """Return who rolls in the game of a tab, and its replay; None if there is none."""
    folder = state_folder(_KIND)
    if not name or folder is None:
        return None
    with suppress(ValueError, TypeError):
        rolls, replay = read_json(folder / _file(name), MOST_RECORD_BYTES)
        return Rolls(rolls), str(replay)
    return None


def forget_game(name: str) -> None:
    """Keep the game of a tab no longer."""
    folder = state_folder(_KIND)
    if folder is not None:
        with suppress(OSError):
            (folder / _file(name)).unlink()


def _file(name: str) -> str:
    return f"{sha256(name.encode(errors='replace')).hexdigest()}{_ENDING}"


_pages: dict[str, "TabGame"] = {}
"""The page that goes on with the game of a name: the last one that has opened it."""


class TabGame:
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
            del _pages[self._name]
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
        return _pages.get(self._name) is self

    def _hold(self, name: str) -> None:
        self._name = name
        _pages[name] = self

    def leave(self) -> None:
        """Let the game rest: the page is closed."""
        if self._is_held:
            del _pages[self._name]


def _digest(replay: str) -> str:
    return sha256(replay.encode()).hexdigest()


_QUESTION = "This game is not saved. If you leave it now, it cannot be got back."
SAVE, LEAVE, STAY = "Save and leave", "Leave", "Stay"
"""What a person may answer, as the words of its button."""


def leaving_dialog() -> ui.dialog:
    """Return the question; it is answered None by Escape. The keyboard is on *Stay* at first."""
    with ui.dialog() as dialog, ui.card():
        dialog.props(f'aria-label="{_QUESTION}"')
        ui.label(_QUESTION)
        with ui.row():
            for answer in (SAVE, LEAVE, STAY):
                button = ui.button(answer, on_click=partial(dialog.submit, answer))
                button.props("autofocus" if answer == STAY else "outline")
    return dialog
