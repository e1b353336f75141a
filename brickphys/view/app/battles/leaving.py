"""Leaving: asks whether a game that is not saved is to be left."""

from enum import Enum

from nicegui import ui

_QUESTION = "This game is not saved. If you leave it now, it cannot be got back."


class Answer(Enum):
    """What a person may answer, with the words of its button."""

    SAVE = "Save and leave"
    LEAVE = "Leave"
    STAY = "Stay"


class Leaving:
    """The question, as a dialog; the keyboard is on *Stay* at first, and Escape stays, too."""

    def __init__(self) -> None:
        with ui.dialog() as self._dialog, ui.card():
            self._dialog.props(f'aria-label="{_QUESTION}"')
            ui.label(_QUESTION)
            with ui.row():
                for answer in Answer:
                    button = ui.button(
                        answer.value, on_click=lambda one=answer: self._dialog.submit(one)
                    )
                    button.props("autofocus" if answer is Answer.STAY else "outline")

    async def answer(self) -> Answer:
        """Ask, and return the answer."""
        found = await self._dialog
        return found if isinstance(found, Answer) else Answer.STAY
