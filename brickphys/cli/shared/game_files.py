"""Game files: where a game with persons is stored while it is played: in files that they name, and in a kept one.

The kept file is in the user's folder for states of programs. It is written before each line that is typed, so that a
program that is killed loses nothing. It goes when the game is over or stored elsewhere.
"""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import Any

from brickphys.battles.mail_seat import MailSeat
from brickphys.battles.start import REPLAY, GameStart, state_folder
from brickphys.cli.shared import output
from brickphys.errors import InvalidValueError
from brickphys.files import by_age, make_folder, remove_oldest, write_whole
from brickphys.notes import NOTES
from brickphys.rules.game import AnyGame
from brickphys.rules.players.bots import Bot
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.record import Ending, Record
from brickphys.rules.registry import is_own_class
from brickphys.rules.replay import ReplayText, played_stamp

_REPLACES = "!"
"""Behind the name of a file: it may be replaced."""


class GameFiles:
    """The files of a game that persons play.

    Parameters
    ----------
    law
        The source of all rolls, in words.
    keyboard
        Where the persons sit; its `save` and `keep` become those of these files.
    written
        The files that are written at the end, by their options.
    resumed
        The file from which the game goes on: a kept one is kept on, another one is that of the last save.
    """

    def __init__(
        self,
        game: AnyGame,
        start: GameStart,
        players: Sequence[Bot[Any, Any]],
        law: str,
        keyboard: Keyboard[Any, Any],
        written: Mapping[str, Path | None],
        resumed: Path | None = None,
    ) -> None:
        self._game, self._start, self._law = game, start, law
        self._players, self._keyboard = [one.name for one in players], keyboard
        self._written = written
        is_own = resumed is not None and not is_kept(resumed)
        self._saved = [resumed] if resumed is not None and is_own else []
        self._kept = None if is_own else resumed
        self._kept_steps = tuple(keyboard.steps)
        self._keeps = True
        keyboard.save, keyboard.keep = self.save, self.keep
        keyboard.is_recorded = written.get("--replay") is not None

    def save(self, name: str) -> str:
        """Save the game so far in a file of a name, the last one if it is empty; return a line on it.

        InvalidValueError if the file exists and was not saved by this game, unless the name ends in ``!``; if it cannot
        be written.
        """
        if name.startswith("--seat "):
            return self._mailed(*name.split(maxsplit=2)[1:])
        bare = name.removesuffix(_REPLACES).strip()
        path = self._saved[-1] if self._saved and not bare else _save_path(bare)
        may_replace = name.endswith(_REPLACES) or path in self._saved
        if _exists(path) and not may_replace:
            raise InvalidValueError(
                f"save FILE: {str(path)!r} already exists: choose a new name, or type save {path}! to replace it"
            )
        output.check_apart({}, {"save": path, **self._written})
        self._store(path)
        self._saved.append(path)
        return f"saved; `{self._goes_on}` continues from here"

    def _mailed(self, seat: str, name: str = "") -> str:
        """Write the game so far as one that goes on by mail; return a line on it."""
        path, before = _save_path(name), [step.text for _, step in self._keyboard.steps]
        own = MailSeat.begun(path, self._game, self._start.setup, seat, before=before)
        own.write()
        return (
            f"written; send it to {own.mail.names[own.mail.waits_for]}, and quit: when it comes back, "
            f"`brickphys play --resume {quote(str(path))}` goes on"
        )

    def keep(self) -> None:
        """Write the kept file, unless it has all steps so far."""
        steps = tuple(self._keyboard.steps)
        if not self._keeps or steps == self._kept_steps:
            return
        try:
            path = self._kept or new_kept(self._stem)
            self._store(path)
            self._kept = path
        except InvalidValueError as error:
            self._keeps = False
            NOTES.warning("the game is not stored: %s; type save FILE to save it", error)
        self._kept_steps = steps

    def ending(self, record: Record[Any, Any]) -> str:
        """Return how an interrupted game goes on; the kept file goes if the game is over or stored elsewhere."""
        is_over, unsaved = record.ending is Ending.OVER, self._keyboard.is_unsaved
        if is_over or self._keyboard.is_recorded or (self._saved and not unsaved):
            self._forget()
        elif unsaved or self._kept:
            self.keep()
        if self._kept is not None:
            where = self._kept if self._is_own_game else LAST
            return f"kept in {self._kept}: `{self._command(where)}` continues"
        return (
            f"`{self._goes_on}` continues from the last save" if self._saved and not is_over else ""
        )

    def seen_again(self, record: Record[Any, Any]) -> str:
        """Return how a game that persons have finished is shown again; one that is stored nowhere is kept.

        Empty for other games.
        """
        if record.ending is not Ending.OVER or not self._keyboard.readers:
            return ""
        path = self._written.get("--replay")
        name: Path | str | None = path
        if path is None:
            name = LAST if self._keep_finished(record) else None
        if name is None:
            return ""
        own = f" --game {self._game.name}" if self._is_own_game else ""
        return (
            f"`brickphys replay {quote(str(name))}{own} --step` shows it again, event by event; "
            "--html FILE makes a page of it, --animate FILE a film, --story a text"
        )

    def _keep_finished(self, record: Record[Any, Any]) -> bool:
        """Keep a game that is over; return whether that was possible."""
        try:
            write_whole(self._text.of(record), new_kept(self._stem, FINISHED), force=True)
        except InvalidValueError:
            return False
        return True

    @property
    def _stem(self) -> str:
        """The beginning of the names of kept files."""
        return f"{re.sub(r'[^a-zA-Z0-9_.]', '_', self._game.name)}-{self._start.root}"

    def _forget(self) -> None:
        """Remove the kept file."""
        if self._kept is not None:
            with suppress(OSError):
                self._kept.unlink()
        self._kept = None

    @property
    def _goes_on(self) -> str:
        return self._command(self._saved[-1])

    @property
    def _is_own_game(self) -> bool:
        """Whether the game is no entry point: a file does not import it, so it must be named to go on."""
        return is_own_class(self._game.name)

    def _command(self, file: Path | str) -> str:
        words = self._game.name if self._is_own_game else "--resume"
        return f"brickphys play {words} {quote(str(file))}"

    @cached_property
    def _text(self) -> ReplayText[Any, Any, Any]:
        return ReplayText(self._game, self._law, played_stamp(self._game))

    def _store(self, path: Path) -> None:
        steps = [step for _, step in self._keyboard.steps]
        record = self._start.so_far(self._game, steps, self._players)
        write_whole(self._text.of(record), path, force=True)


def _save_path(name: str) -> Path:
    """Return the path of a file to save, with its ending; InvalidValueError if it has another one."""
    if not name:
        raise InvalidValueError("save FILE: name the file, such as: save evening")
    is_other = not name.endswith(REPLAY) and Path(name).suffix
    if is_other or name.endswith(os.sep) or not re.search(r"\w", Path(name).stem):
        raise InvalidValueError(f"save FILE: {name!r} is not the name of a {REPLAY} file")
    return Path(name if name.endswith(REPLAY) else f"{name}{REPLAY}")


def _exists(path: Path) -> bool:
    """Return whether there is a file; InvalidValueError if no file can have this name."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:  # too long, or with a character that no name may have
        raise InvalidValueError(
            f"save FILE: {str(path)!r} is not the name of a file: {error}"
        ) from None
    return True


LAST = "last"
"""What is typed for the game that was kept last."""
UNSAVED, FINISHED = "games", "finished"
"""The folders of games that go on, and of those that are over."""
_MOST_KEPT = 20
"""Games that are kept of either kind; the oldest are removed."""


def found_replay(file: Path, *kinds: str) -> Path:
    """Return the replay that a person names: ``last`` for the one that was kept last, ``duel`` for ``duel.jsonl``.

    InvalidValueError if it is the last one, and none is kept.

    Parameters
    ----------
    file
        What was typed.
    kinds
        In which folders of kept games the last one may be.
    """
    if file != Path(LAST):
        with_ending = Path(f"{file}{REPLAY}")
        with suppress(OSError):  # a name that no file can have
            return with_ending if not file.exists() and with_ending.exists() else file
        return file
    folders = filter(None, (state_folder(kind) for kind in kinds))
    found = by_age(path for folder in folders for path in folder.glob(f"*{REPLAY}"))
    if not found:
        what = f"{LAST}: no game" if FINISHED in kinds else f"--resume {LAST}: no unsaved game"
        raise InvalidValueError(f"{what} is kept")
    return found[-1]


def is_kept(path: Path) -> bool:
    """Return whether a file is one of the unsaved games that are kept."""
    return path.absolute().parent == state_folder(UNSAVED)


def new_kept(stem: str, kind: str = UNSAVED) -> Path:
    """Return the path of a new kept game of a kind; the oldest are removed.

    InvalidValueError if no folder for it can be made.
    """
    folder = state_folder(kind)
    if folder is None:
        raise InvalidValueError("there is no home folder")
    make_folder(folder)
    remove_oldest(folder, REPLAY, _MOST_KEPT)
    names = (f"{stem}{'' if number == 1 else f'-{number}'}" for number in range(1, _MOST_KEPT + 1))
    return next(path for name in names if not (path := folder / f"{name}{REPLAY}").exists())
