"""Rule fields: the options of a game's rules, each with what it decides."""

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from brickphys.rules.game import AnyGame
from brickphys.rules.record import Setup
from brickphys.text import spoken

_CLASSES = "text-sm text-gray-700 max-w-3xl"


class RuleFields:
    """Shows the options, folded away at first."""

    def __init__(self) -> None:
        self._place = ui.expansion("Options of the rules").classes("w-full max-w-4xl")
        self._fields: dict[str, tuple[Any, object]] = {}

    def show(self, game: AnyGame, setup: Setup) -> None:
        """Show the options of a game as a setup has them."""
        options, given = game.rule_options(), setup.get("options") or {}
        self._place.clear()
        self._place.set_visibility(bool(options))
        self._fields = {}
        with self._place, ui.column().classes("gap-0"):
            for one in options:
                label, value = spoken(one.name).capitalize(), given.get(one.name, one.default)
                about = f'aria-description="{one.about.replace(chr(34), "")}"'
                field: Any
                if one.choices:
                    field = ui.select(list(one.choices), value=value, label=label)
                    field.classes("min-w-40")
                else:
                    field = ui.checkbox(label, value=bool(value))
                field.props(about)
                ui.label(one.about).classes(_CLASSES).props("aria-hidden=true")
                self._fields[one.name] = field, value

    def changed(self) -> Mapping[str, Any]:
        """Return the options that somebody has changed."""
        return {
            name: field.value
            for name, (field, value) in self._fields.items()
            if field.value != value
        }
