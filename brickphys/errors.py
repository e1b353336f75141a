"""Every error that brickphys raises on purpose.

A message names the offending value, the rule or limit, and the place (file and key, option, or state).
"""

import errno
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

from brickphys.text import listed, nearest, shown


class BrickphysError(Exception):
    """Base class of all errors of this package; the command line prints an error as one line."""


class InvalidValueError(BrickphysError, ValueError):
    """A value that no throw, shape, law or command can use: bad input, exit status 2."""


class ArgumentError(InvalidValueError, TypeError):
    """Arguments that a public function does not take; the message says which it takes."""


class UnknownNameError(BrickphysError, AttributeError):
    """A name that the package or a result does not have; the message says which there are."""


class LawFileError(InvalidValueError):
    """A law file that is cut short, of another schema, or whose counts do not add up."""


class TossFileError(InvalidValueError):
    """A file of tracked tosses with a missing column or an impossible row."""


class CountsFileError(InvalidValueError):
    """A file of bricks thrown at home with a missing column or an impossible row."""


class SceneFileError(InvalidValueError):
    """A scene that is no TOML, or with an unknown key, an impossible value or a mover that does not exist."""


class ReplayFileError(InvalidValueError):
    """A replay that was cut or edited, or that its game does not play like this; the message names the lines."""


class IllegalActionError(InvalidValueError):
    """An action that the rules forbid, or an outcome that cannot come out.

    Parameters
    ----------
    problems
        Every reason, each with its section of the rulebook.
    state
        The notation of the state in which it is illegal.
    by
        Who chose it, where that is known.
    """

    def __init__(self, move: str, problems: Sequence[str], state: str, by: str = "") -> None:
        who = f"{by}: " if by else ""
        super().__init__(f"{who}{move!r} is illegal: {'; '.join(problems)} (in {state})")
        self.move = move
        self.problems = tuple(problems)


class BrokenGameError(BrickphysError, RuntimeError):
    """A game that breaks the contract of all games; `check_game` says more."""


class BotFailedError(BrickphysError, RuntimeError):
    """A bot of somebody else that raised an error; the message has the error, and the file and line of its code."""


class SheetFileError(InvalidValueError):
    """A file of sheets that is no TOML, or with an unknown name, a sheet over capacity, a seat without vehicle."""


class ScenarioFileError(InvalidValueError):
    """A scenario that is no TOML, with an unknown key, a map that cannot be read, or a battle that cannot begin."""


class StudyFileError(InvalidValueError):
    """A study that is no TOML, with an unknown key or factor, or a value that no run can use."""


class BatchFolderError(InvalidValueError):
    """A folder that holds no batch, another one, or one that somebody else is running."""


class DivergenceError(BrickphysError, RuntimeError):
    """The integration produced non-finite states or energy out of nothing."""


class MissingLibraryError(BrickphysError, RuntimeError):
    """A library that this command needs cannot be imported; the message says how to get it."""


class MissingExtraError(MissingLibraryError, InvalidValueError):
    """Something was asked for that is not installed: bad input, and the message names the extra to install."""


@contextmanager
def needing(extra: str, library: str) -> Iterator[None]:
    """Turn an import in the block that fails into the line that says which extra brings the library.

    MissingExtraError if it cannot be imported.
    """
    try:
        yield
    except ImportError as error:
        raise MissingExtraError(
            f"{library} cannot be imported ({error}): {how_to_install(extra)}"
        ) from None


def how_to_install(extra: str) -> str:
    """Return what installs an extra beside the package that runs, wherever that was installed from."""
    return f'pip install "brickphys[{extra}]"'


@contextmanager
def raised_as(kind: type[InvalidValueError]) -> Iterator[None]:
    """Raise any InvalidValueError of the block as another kind of it, such as the error of a file."""
    try:
        yield
    except InvalidValueError as error:
        raise kind(str(error)) from None


@contextmanager
def naming(place: str, kind: type[InvalidValueError] = InvalidValueError) -> Iterator[None]:
    """Begin the message of any InvalidValueError of the block with a file, a value or an option."""
    try:
        yield
    except InvalidValueError as error:
        raise kind(f"{place}: {error}") from None


def refuse(name: str, faults: Collection[str]) -> None:
    """Raise InvalidValueError with the name of a file or value and its faults (see `listed`), if there are any."""
    if faults:
        raise InvalidValueError(f"{name}: {listed(list(dict.fromkeys(faults)))}")


class WorkerDiedError(BrickphysError, RuntimeError):
    """A worker process ended before its work did, by a signal or for lack of memory."""


class WorkerStartError(WorkerDiedError, InvalidValueError):
    """Worker processes that cannot even begin, for what the program says or what they lack: bad input."""


class ShortOfMemoryError(WorkerDiedError):
    """A worker process that has too little memory to begin."""


class SystemFaultError(BrickphysError, OSError):
    """A file, a folder or a process that the operating system refuses; the message names the file and the reason."""


class InterruptedRunError(BrickphysError, RuntimeError):
    """A run that was stopped before it reached its aim; the message says how far it got."""


class CancelledRunError(InterruptedRunError):
    """A run that the user stopped with Ctrl-C or SIGTERM: exit status 130 or 143."""


_NO_MEMORY = ("MemoryError", "annot allocate memory", "failed to map segment", "start new thread")
"""What libraries say instead of raising MemoryError, where they cannot be loaded or start no thread."""


def is_short_of_memory(error: BaseException | None) -> bool:
    """Return whether an error, or one that led to it, came from a lack of memory."""
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(error, ImportError | OSError | RuntimeError) and any(
            words in str(error) for words in _NO_MEMORY
        ):
            return True
        error = error.__cause__ or error.__context__
    return False


def in_words(error: BaseException) -> str:
    """Return an error as one line: the message of an error of this package, else its type and message."""
    message = " ".join(str(error).split())[:500]
    return message if isinstance(error, BrickphysError) else f"{type(error).__name__}: {message}"


def system_fault(error: OSError) -> str:
    """Return an error of the operating system as one line: the file, if it is of one, and the reason."""
    reason = error.strerror or str(error) or type(error).__name__
    return reason if error.filename is None else f"{error.filename}: {reason}"


def unknown(
    kind: str, name: str, known: Iterable[str], meant: str | None = None
) -> InvalidValueError:
    """Return the error for a name that is none of the known ones, with the one that is meant, else the nearest.

    `kind` is what was looked for, such as ``"surface"``.
    """
    names = list(known)
    meant = meant or nearest(name, names)
    known_ones = f"known: {', '.join(names)}" if names else "none is known"
    hint = f"did you mean {meant!r}?" if meant else known_ones
    return InvalidValueError(f"unknown {kind} {shown(name)}: {hint}")
