"""Number field: a number that a person types or slides."""

from collections.abc import Callable
from math import isfinite

from nicegui import ui

from brickphys.errors import InvalidValueError

_DECIMALS = 3
"""As shown; a number that nobody has changed keeps all of its own."""


class NumberField:
    """A labelled number; others hear of it when it is entered, not with each digit.

    Parameters
    ----------
    label
        Its name, with the unit.
    enter
        Called with a new number, None if it was cleared.
    step
        Of the arrow keys.
    same
        Called when the number that is shown is entered again.
    about
        What it is, for who asks with the mouse or a screen reader.
    least, most
        Limits that the browser shows; whoever is told checks them again.
    """

    def __init__(
        self,
        label: str,
        enter: Callable[[float | None], None],
        *,
        step: float = 1.0,
        same: Callable[[], None] = lambda: None,
        about: str = "",
        least: float | None = None,
        most: float | None = None,
    ) -> None:
        self._enter, self._same = enter, same
        self._shown: float | None = None
        self.element = ui.number(label, step=step, min=least, max=most).props("dense")
        if about:
            explain(self.element, about)
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
        else:
            self._same()


def explain(element: ui.element, about: str) -> None:
    """Tell what a field is: the mouse gets a tooltip, a screen reader a description; `about` has no quotes."""
    element.tooltip(about).props(f'aria-description="{about}"')


class RefusedNumber(ui.number):
    """A number that stays as it was typed: what is outside its limits is refused in words, not changed silently."""

    def sanitize(self) -> None:
        """Change nothing."""


def slid_number(
    label: str, value: int, least: int, most: int, changed: Callable[[], object]
) -> ui.number:
    """Return a whole number that may be typed or slid; the keyboard and screen readers use the number alone."""
    with ui.column().classes("brickphys-slid"):
        number = RefusedNumber(label, value=value, min=least, max=most, step=1)
        number.on_value_change(lambda _: changed())
        slider = ui.slider(min=least, max=most, value=value).bind_value(number)
        slider.props("tabindex=-1 aria-hidden=true")
    return number


def whole(number: ui.number, least: int, most: int) -> int:
    """Return what was typed as a whole number.

    Raises
    ------
    InvalidValueError
        If it is none, or outside its range.
    """
    label, value = str(number.props.get("label", "")), number.value
    if not isinstance(value, (int, float)) or value != int(value):
        raise InvalidValueError(f"{label}: give a whole number from {least} to {most:,}")
    if not least <= value <= most:
        raise InvalidValueError(f"{label}: {value:,.0f} is outside {least} to {most:,}")
    return int(value)
