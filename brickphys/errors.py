"""Every error that brickphys raises on purpose.

A message names the offending value, the rule or limit, and the place (file and key, option, or state).
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class BrickphysError(Exception):
    """Base of all errors of this package; the command line prints it as one line."""


class InvalidValueError(BrickphysError, ValueError):
    """A value that no throw, shape, law or command can use: bad input, exit status 2."""


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
    move
        Its notation.
    problems
        Every reason, each with its section of the rulebook.
    state
        The notation of the state in which it is illegal.
    """

    def __init__(self, move: str, problems: Sequence[str], state: str) -> None:
        super().__init__(f"{move!r} is illegal: {'; '.join(problems)} (in {state})")
        self.move = move
        self.problems = tuple(problems)


class BrokenGameError(BrickphysError, RuntimeError):
    """A game that breaks the contract of all games; `check_game` says more."""


class SheetFileError(InvalidValueError):
    """A file of sheets that is no TOML, or with an unknown name, a sheet over capacity, a seat without vehicle."""


class ScenarioFileError(InvalidValueError):
    """A scenario that is no TOML, with an unknown key, a map that cannot be read, or a battle that cannot begin."""


class DivergenceError(BrickphysError, RuntimeError):
    """The integration produced non-finite states or energy out of nothing."""


class MissingLibraryError(BrickphysError, RuntimeError):
    """A library that this command needs cannot be imported; the message says how to get it."""


class MissingExtraError(MissingLibraryError, InvalidValueError):
    """Something was asked for that is not installed: bad input, and the message names the extra to install."""


class WorkerDiedError(BrickphysError, RuntimeError):
    """A worker process ended before its work did, by a signal or for lack of memory."""


class InterruptedRunError(BrickphysError, RuntimeError):
    """A run that was stopped before it reached its aim; the message says how far it got."""


def unknown(kind: str, name: str, known: Iterable[str]) -> InvalidValueError:
    """Return the error for an unknown name, with the nearest known one.

    Parameters
    ----------
    kind
        What was looked for, such as ``"surface"``.
    name
        The name that was not found.
    known
        All names that would have been found.
    """
    names = list(known)
    nearest = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    listed = f"known: {', '.join(names)}" if names else "there is none"
    hint = f"did you mean {nearest[0]!r}?" if nearest else listed
    return InvalidValueError(f"unknown {kind} {name!r}: {hint}")
