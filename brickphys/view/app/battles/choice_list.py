"""Choice list: legal actions as buttons and lists beside the picture."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby
from typing import Any

from nicegui import ui

from brickphys.arrays import Triple
from brickphys.rules.players.choices import Choice
from brickphys.text import spoken

_MOST_BUTTONS = 14
"""Of more actions that begin with the same word one is selected from a list."""


class ChoiceList:
    """Adds actions to a page.

    Parameters
    ----------
    placed
        The actions that have a place in the picture, in the order of its marks.
    choose
        Is called with the action that is clicked.
    """

    def __init__(
        self,
        placed: Sequence[tuple[Choice[Any], Triple]],
        choose: Callable[[Choice[Any]], Awaitable[None]],
    ) -> None:
        self._placed, self._choose = placed, choose

    def add(self, choices: Sequence[Choice[Any]]) -> None:
        """Add actions, in groups by their first words."""
        for word, group in groupby(choices, lambda choice: choice.text.partition(" ")[0]):
            self._group(word, list(group))

    def add_here(self, choices: Sequence[Choice[Any]]) -> None:
        """Add the actions that lead to one place."""
        ui.label("Here").classes("live-heading")
        with ui.element("div").classes("live-list"):
            for choice in choices:
                self._button(choice)

    def _group(self, word: str, choices: Sequence[Choice[Any]]) -> None:
        if len(choices) > _MOST_BUTTONS:
            self._selection(word, choices)
            return
        if len(choices) > 1:
            ui.label(spoken(word)).classes("live-heading")
        with ui.element("div").classes("live-list"):
            for choice in choices:
                self._button(choice, word if len(choices) > 1 else "")

    def _button(self, choice: Choice[Any], heading: str = "") -> None:
        """Add the button of an action; the word above it is not repeated, but read aloud."""
        kind = "aims" if choice.is_attack else "goes" if choice.place is not None else ""
        with ui.element("button").classes(kind).props("type=button") as button:
            text = spoken(choice.text)
            ui.label(text.removeprefix(heading).strip() or text)
            button.props["aria-label"] = f"{text}: {choice.told}" if choice.told else text
            if choice.told:
                ui.label(choice.told).classes("told")
        button.on("click", lambda: self._choose(choice))
        number = next((n for n, (one, _) in enumerate(self._placed) if one is choice), None)
        if number is not None:
            point = f"() => globalThis.player?.point?.({number})"
            button.on("mouseenter", js_handler=point)
            button.on("focus", js_handler=point)

    def _selection(self, word: str, choices: Sequence[Choice[Any]]) -> None:
        """Show many actions as a list to select from."""
        names = {n: _told(choice) for n, choice in enumerate(choices)}
        with ui.row().classes("items-center"):
            chosen = ui.select(
                names, label=f"{spoken(word)}: {len(choices)} choices", with_input=True
            )
            chosen.classes("min-w-[14rem]")

            async def go() -> None:
                if chosen.value is not None:
                    await self._choose(choices[chosen.value])

            ui.button("Go", on_click=go).props(f'aria-label="{word}: go"')


def _told(choice: Choice[Any]) -> str:
    rest = choice.text.partition(" ")[2] or choice.text
    return f"{spoken(rest)}: {choice.told}" if choice.told else spoken(rest)
