"""Number field: a number that a person types; others hear of it when it is entered, not with each digit."""

from collections.abc import Callable
from math import isfinite

from nicegui import ui

_DECIMALS = 3
"""As shown; a number that nobody has changed keeps all of its own."""


class NumberField:
    """A labelled number.

    Parameters
    ----------
    label
        Its name, with the unit.
    enter
        Called with a new number, None if it was cleared.
    step
        Of the arrow keys.
    least, most
        Limits that the browser shows; whoever is told checks them again.
    """

    def __init__(
        self,
        label: str,
        enter: Callable[[float | None], None],
        *,
        step: float = 1.0,
        least: float | None = None,
        most: float | None = None,
    ) -> None:
        self._enter = enter
        self._shown: float | None = None
        self.element = ui.number(label, step=step, min=least, max=most).props("dense")
        self.element.on("change", self._entered, args=[])

    def show(self, value: float | None) -> None:
        """Show a number that something else has set."""
        self._shown = None if value is None else round(value, _DECIMALS) + 0.0
        self.element.value = self._shown

    def _entered(self) -> None:
        typed = self.element.value
        value = float(typed) if isinstance(typed, int | float) and isfinite(typed) else None
        if value != self._shown:
            self._enter(value)
