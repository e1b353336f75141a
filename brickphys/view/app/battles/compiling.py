"""Compiling: tells who waits for a game why it takes so long: kernels are compiled, which is done once."""

from collections.abc import Callable

from nicegui import ui

from brickphys.notes import COMPILING

LOADING = "The game is loaded ..."
_EVERY_S = 0.5
_TOLD = "The engine for this game is being compiled, once on this machine: this takes some half a minute ..."


def tell_compiling(label: ui.label, is_waiting: Callable[[], bool] = lambda: True) -> None:
    """Tell it in a label, as long as somebody waits; who shows what has been waited for replaces the text."""

    def tell() -> None:
        if COMPILING.is_set() and is_waiting():
            label.text = _TOLD

    ui.timer(_EVERY_S, tell)
