"""Stepping: lets a spectator step through a game, by single keys at a terminal and by lines elsewhere."""

from brickphys.cli.shared.terminal import Terminal
from brickphys.errors import InvalidValueError
from brickphys.rules.players.menu import WIDTH
from brickphys.rules.players.spectator import AnySpectator
from brickphys.rules.report.ink import Ink, inked, joined

_KEYS = {
    **dict.fromkeys(("\x1b[C", "\x1bOC", "\r", "\n", " "), "n"),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "\x7f"), "p"),
}
"""Arrows and other keys without a letter -> the command that they are."""
_ESCAPE = "\x1b"
_HINT = "Enter next, p back, r round, s situation, q leave"


def step_through(spectator: AnySpectator, terminal: Terminal) -> None:
    """Show a game page by page until the spectator leaves, or the input ends."""
    columns = terminal.columns() or WIDTH
    shown: str | None = spectator.page(columns)
    wipe = terminal.clearing
    while shown is not None:
        if wipe:
            wipe()
        terminal.write(joined([shown, ""], "\n"))
        shown = _asked(spectator, terminal, columns, is_by_keys=wipe is not None)


def _asked(
    spectator: AnySpectator, terminal: Terminal, columns: int, *, is_by_keys: bool
) -> str | None:
    """Ask until something can be done; return what is to be shown then, None to leave."""
    while True:
        try:
            typed = _key(terminal) if is_by_keys else terminal.read()
            return spectator.do(typed, columns)
        except EOFError:
            return None
        except InvalidValueError as error:
            terminal.write(inked(str(error), Ink.FAULT))


def _key(terminal: Terminal) -> str:
    """Return what is done by the key that is pressed; EOFError for those that leave."""
    terminal.write(inked(_HINT, Ink.QUIET))
    key = terminal.key()
    if key == _ESCAPE:
        raise EOFError
    if key == "r":
        terminal.write("to which round?")
        return f"r {terminal.read()}"
    return _KEYS.get(key, key)
