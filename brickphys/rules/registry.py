"""Registry: games by name, found through entry points, their painters and builders; other packages can add theirs.

A class of somebody else, a game or a bot, is loaded by entry point or as ``module:Class``, which runs its code. A file
alone never runs code: a class in a module is loaded only within `trusting`, which begins where somebody has named the
class, or has said that a file is trusted.
"""

import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

from brickphys import errors
from brickphys.interface import public
from brickphys.notes import NOTES
from brickphys.rules.game import AnyGame, Game
from brickphys.rules.report.parts import Parts

GROUP = "brickphys.games"
"""Group of the entry points of games. Each names a class derived from `Game` that takes no parameters."""
FIRST_SETUP = "duel"
"""What newcomers are offered at first: two figures, and little to learn."""


@public("brickphys.game('bow') returns one of them")
def games() -> tuple[str, ...]:
    """Return the names of all installed games, without loading them."""
    return tuple(sorted(entries(GROUP)))


def first_game() -> str:
    """Return the name of the game that newcomers are offered at first: the first that has `FIRST_SETUP`."""
    names = games()
    return next((name for name in names if FIRST_SETUP in game(name).setups), names[0])


@public()
def game(name: str) -> AnyGame:
    """Return the game with this name. A class ``module:Class`` of your own is a name, too.

    InvalidValueError if there is no such game (with the nearest name), or if it cannot be loaded (with the reason).
    """
    with trusting():
        return _game(name)


def filed_game(name: str, remedy: str | None = None) -> AnyGame:
    """Return the game that a file names: an installed one; a class in a module only within `trusting`.

    InvalidValueError as `game`, and if the file is not trusted; the `remedy` is what to do if the module is, None for
    that of replays.
    """
    usual = (
        f"name the game yourself: brickphys replay FILE --game {name}, brickphys play {name} FILE"
    )
    check_trusted("game", name, remedy or usual)
    return _game(name)


def _game(name: str) -> AnyGame:
    if is_own_class(name):
        own = made(entry_at(name, GROUP), "game")
        if not isinstance(own, Game):
            raise errors.InvalidValueError(f"game {name!r}: this class is not a game")
        own.name = name  # so replays and studies find it again
        return own
    known = entries(GROUP)
    if name not in known:
        begun = next((one for one in sorted(known) if one.startswith(f"{name}_")), None)
        owners = (one for one in sorted(known) if name in _own_names(known[one]))
        owner = None if begun else next(owners, None)
        if owner is None:
            called = "_".join(re.findall(r"[a-z0-9]+", name.lower().replace("&", " and ")))
            meant = called if called in known else begun
            raise errors.unknown("game", name, sorted(known), meant)
        raise errors.InvalidValueError(
            f"unknown game {name!r}: {owner} has it, did you mean '{owner} {name}'?"
        )
    return _game_at(known[name])


def units(name: str) -> frozenset[str]:
    """Return the names of the units of an installed game; see `Parts.unit_names`. A broken game has none."""
    return _unit_names(entries(GROUP)[name])


def _game_at(entry: EntryPoint) -> AnyGame:
    one = made(entry, "game")
    if not isinstance(one, Game) or one.name != entry.name:
        raise errors.InvalidValueError(
            f"game {entry.name!r}: {entry.value} does not make a game of that name"
        )
    return one


@cache
def _own_names(entry: EntryPoint) -> frozenset[str]:
    """Return the names of the setups and units of a game, for suggestions; none if it cannot be loaded."""
    with suppress(errors.InvalidValueError):
        return _unit_names(entry).union(_game_at(entry).setups)
    return frozenset()


@cache
def _unit_names(entry: EntryPoint) -> frozenset[str]:
    """Return the names of the units of a game; none if it cannot be loaded or has none."""
    with suppress(errors.InvalidValueError):
        return frozenset(_game_at(entry).unit_names())
    return frozenset()


def painter(game: Parts[Any, Any]) -> Any:
    """Return the `brickphys.plots.painter.Painter` that a game names; InvalidValueError if none can be loaded."""
    return _part(game, game.pictures, "painter of game", "has no pictures")


def builder(game: Parts[Any, Any]) -> Any:
    """Return the `brickphys.view.builder.Builder` that a game names; InvalidValueError if none can be loaded."""
    return _part(game, game.models, "builder of game", "is not shown in three dimensions")


def _part(game: Parts[Any, Any], value: str | None, what: str, without: str) -> Any:
    if value is None:
        raise errors.InvalidValueError(f"{game.name} {without}")
    return made(EntryPoint(game.name, value, GROUP), what)


_OWNERS: dict[str, str] = {}
"""Module of somebody else -> what was made of its class: ``game 'five:Five'``, or its painter."""
_OURS = __name__.partition(".")[0]
_OWN_CLASS = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)
_trusts: ContextVar[bool] = ContextVar("trusts", default=False)
_beside: ContextVar[Path | None] = ContextVar("beside", default=None)


@contextmanager
def trusting(is_trusted: bool = True) -> Iterator[None]:
    """Let classes in modules be loaded while the block runs, unless `is_trusted` is False."""
    token = _trusts.set(is_trusted or _trusts.get())
    try:
        yield
    finally:
        _trusts.reset(token)


@contextmanager
def beside(folder: Path) -> Iterator[None]:
    """Let modules be found that lie in the folder of a file, while its classes are loaded in the block."""
    token = _beside.set(folder)
    try:
        yield
    finally:
        _beside.reset(token)


def is_trusting() -> bool:
    """Return whether classes in modules may be loaded here."""
    return _trusts.get()


def check_trusted(what: str, name: str, remedy: str = "name it yourself") -> None:
    """Raise InvalidValueError if a name is that of a class in a module, outside `trusting`.

    The class is `what`, a game or a bot; the remedy is what to do if the module is trusted.
    """
    if is_own_class(name) and not is_trusting():
        raise errors.InvalidValueError(
            f"{what} {name!r}: a file cannot run code; if you trust the module, {remedy}"
        )


def is_own_class(name: str) -> bool:
    """Return whether a name is that of a class in a module, ``module:Class``."""
    return _OWN_CLASS.fullmatch(name) is not None


def entries(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by their names, without loading any."""
    return {entry.name: entry for entry in entry_points(group=group)}


def entry_at(name: str, group: str) -> EntryPoint:
    """Return the entry of a class in a module.

    The module is installed, or lies beside the file that names it (see `beside`), or in the working directory. A note
    says once for each module that its code runs; worker processes leave it to the process that started them.
    InvalidValueError outside `trusting`.
    """
    check_trusted("class", name)
    if parent_process() is None:
        _note(name.partition(":")[0])
    here = Path.cwd()
    for folder in (_beside.get() or here, here):
        if str(folder.resolve()) not in sys.path:
            sys.path.append(
                str(folder.resolve())
            )  # behind all others: it replaces no installed module
    return EntryPoint(name, name, group)


def made(entry: EntryPoint, what: str, *parameters: Any) -> Any:
    """Return an object of the class that an entry point names.

    InvalidValueError if it cannot be loaded or made, with the reason.
    """
    try:
        kind = entry.load()
        is_ours = package_of(entry.value) == _OURS
        if not is_ours and what != "bot":  # what bots raise is told by themselves
            _OWNERS[entry.module] = f"{what} {entry.name!r}"
        return kind(*parameters)
    except Exception as error:  # a package of another author may raise anything when it is imported
        if errors.is_short_of_memory(error):
            raise
        told = f"{type(error).__name__}: {error}{line_of(error, entry.module)}"
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing is not None and f"{entry.module}.".startswith(f"{missing}."):
            places = "in the folder where you start the command, or beside the study"
            told = f"there is no module {entry.module}: put it {places}, or install it"
        place = "" if entry.value == entry.name else f" ({entry.value})"
        raise errors.InvalidValueError(
            f"{what} {entry.name!r}{place} cannot be loaded: {told}"
        ) from error


def line_of(error: BaseException, module: str) -> str:
    """Return where an error came from in the code of a module, or of modules beside it: `` (bots.py, line 12)``.

    It is the last such line that led to the error; the text is empty if there is none.
    """
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return ""
    if spec is None or spec.origin is None:
        return ""
    folder = Path(spec.origin).resolve().parent
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).resolve().parent == folder]
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""


def own_fault(error: Exception, owners: Mapping[str, str] = _OWNERS) -> str:
    """Return an unexpected error in one line, if code of somebody else is or may be at fault; else nothing.

    It is one that none of our code raises on purpose. `owners` has for modules of somebody else what was made of
    their classes; by default all that were loaded.
    """
    if errors.is_short_of_memory(error):
        return ""
    for module, owner in owners.items():
        if where := line_of(error, module):
            return f"{owner}: {errors.in_words(error)}{where}"
    games = [owner for owner in owners.values() if owner.startswith("game ")]
    if not games:
        return ""
    (last,) = traceback.extract_tb(error.__traceback__)[-1:]  # what the game gave us made us fail
    where = f"{Path(last.filename).name}, line {last.lineno}"
    return f"{games[-1]}: {errors.in_words(error)} ({where}); check_game tells what the game does wrong"


@contextmanager
def code_of(game: AnyGame) -> Iterator[None]:
    """Raise what the code of a game of somebody else raises unexpectedly in the block as one line.

    BrokenGameError with the error, and the file and line.
    """
    try:
        yield
    except errors.BrickphysError:
        raise
    except Exception as error:
        module = type(game).__module__
        own = {} if package_of(module) == _OURS else {module: f"game {game.name!r}"}
        if told := own_fault(error, own):
            raise errors.BrokenGameError(told) from error
        raise


def package_of(name: str) -> str:
    """Return the package or module of a class, whose sources a stamp names."""
    return re.split("[.:]", name, maxsplit=1)[0]


@cache
def _note(module: str) -> None:
    NOTES.warning("runs the code of the module %s", module)
