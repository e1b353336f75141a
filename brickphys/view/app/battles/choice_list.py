"""Choice list: legal actions as buttons and lists beside the picture."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby
from typing import Any

from nicegui import events, ui

from brickphys.arrays import Triple
from brickphys.rules.players.choices import Choice
from brickphys.text import spoken
from brickphys.view.app.status_line import StatusLine

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
    note
        Tells what is wrong.
    """

    def __init__(
        self,
        placed: Sequence[tuple[Choice[Any], Triple]],
        choose: Callable[[Choice[Any]], Awaitable[None]],
        note: StatusLine,
    ) -> None:
        self._placed, self._choose, self._note = placed, choose, note

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
                ui.label(choice.told).classes("told harms" if choice.is_harmful else "told")
        button.on("click", lambda: self._choose(choice))
        number = next((n for n, (one, _) in enumerate(self._placed) if one is choice), None)
        if number is not None:
            point = f"() => globalThis.player?.point?.({number})"
            button.on("mouseenter", js_handler=point)
            button.on("focus", js_handler=point)

    def _selection(self, word: str, choices: Sequence[Choice[Any]]) -> None:
        """Show many actions as a list to select from, by its options or by all that one of them says."""
        names = {n: _told(choice) for n, choice in enumerate(choices)}
        meant = {n: {*_words(choice), names[n]} for n, choice in enumerate(choices)}
        typed = ""

        def note(event: events.GenericEventArguments) -> None:
            nonlocal typed
            typed = str(event.args or "").strip()

        def read() -> None:
            if typed:
                chosen.value = next((n for n, words in meant.items() if typed in words), None)

        async def go() -> None:
            read()
            if chosen.value is None:
                self._note.refuse(f"{spoken(word)}: choose one of the list, or type all of it.")
            else:
                await self._choose(choices[chosen.value])

        with ui.row().classes("items-center"):
            chosen = ui.select(
                names, label=f"{spoken(word)}: {len(choices)} choices", with_input=True
            )
            chosen.classes("min-w-[14rem]")
            chosen.on("input-value", note)
            chosen.on("blur", read)  # the browser empties the field then
            chosen.on("keydown.enter", lambda: go() if typed else None)
            ui.button("Go", on_click=go).props(f'aria-label="{spoken(word)}: go"')


def _told(choice: Choice[Any]) -> str:
    rest = _words(choice)[0]
    return f"{rest}: {choice.told}" if choice.told else rest


def _words(choice: Choice[Any]) -> tuple[str, str]:
    """Return a choice without its first word, if it has others, and whole."""
    whole = spoken(choice.text)
    return spoken(choice.text.partition(" ")[2]) or whole, whole
