"""Lesson: what a lesson says above the choices of its game."""

from typing import Any

from nicegui import ui

from brickphys.battles.lesson import LessonPage, fits, lesson_of
from brickphys.battles.ongoing_game import OngoingGame
from brickphys.rules.players.prompt import Choice
from brickphys.text import with_blanks


class LessonPanel:
    """Says what the lesson of a game expects now; nothing in a game that is no lesson."""

    def __init__(self, table: OngoingGame) -> None:
        self._table, self._taught = table, lesson_of(table.game, table.start)
        self._page: LessonPage | None = None
        self._place = ui.element("section").classes("live-lesson")
        self._place.props('aria-label="Lesson" aria-live=polite')
        self._place.visible = False

    @property
    def lines(self) -> tuple[str, ...]:
        """What it says."""
        return self._page.lines if self._page else ()

    def find(self) -> None:
        """Find what it says before the choice that is asked for now; it takes a moment."""
        record = self._table.record
        so_far = list(zip(record.states, record.steps, strict=False))
        if self._taught is not None:
            self._page = self._taught.page(self._table.state, so_far)

    def show(self) -> None:
        """Show it."""
        page = self._page
        self._place.visible = page is not None
        self._place.clear()
        if page is not None:
            with self._place:
                for line in (page.heading, *page.lines, page.typed and f"Now: {page.typed}"):
                    ui.label(with_blanks(line))

    def is_meant(self, choice: Choice[Any]) -> bool:
        """Whether a choice is what it expects."""
        texts = [self._table.game.format_action(one) for one in choice.actions]
        parts = self._page.parts if self._page else ()
        texts[-1] += f" - {choice.remark}"
        return len(texts) <= len(parts) and all(map(fits, texts, parts))
