"""Question: what a game asks of a person, as buttons and lists beside the picture.

One sentence says which marks can be clicked.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from itertools import groupby
from typing import Any

from nicegui import ui

from brickphys.battles.ongoing_game import OngoingGame
from brickphys.battles.players import AnyRecord, outcome_text
from brickphys.notes import COMPILING
from brickphys.rules.players.advice import Hint
from brickphys.rules.players.prompt import HINTS_BY, Choice
from brickphys.rules.record import OVER, Ending
from brickphys.text import spoken
from brickphys.view.app.battles.picture import GamePicture, in_words

LOADING = "The game is loaded ..."
_EVERY_S = 0.5
_TOLD = "The engine for this game is being compiled, once on this machine: this takes some half a minute ..."


def tell_compiling(label: ui.label, is_waiting: Callable[[], bool] = lambda: True) -> None:
    """Tell it in a label, as long as somebody waits; who shows what has been waited for replaces the text."""

    def tell() -> None:
        if COMPILING.is_set() and is_waiting():
            label.text = _TOLD

    ui.timer(_EVERY_S, tell)


TURNS = " Drag from the piece to turn it."


def what_to_do(
    choices: Sequence[Choice[Any]],
    verbs: Sequence[str],
    reaches_mm: Sequence[float],
    here_mm: float | None,
    free_words: Collection[str] = (),
) -> str:
    """Return what the marks in the picture mean, by the choices that have a place there, and what each does.

    `reaches_mm` and `here_mm` are those of `GamePicture`; `free_words` lead to any place in reach, not only to those
    that are lit. The white ring is around a place where that was just chosen.
    """
    goes = [n for n, one in enumerate(choices) if not one.is_attack]
    free = [n for n in goes if not reaches_mm[n] > 0]
    does = _or([*dict.fromkeys(verbs[n] for n in free or goes)])
    found = list[str]()
    if free:
        is_anywhere = any(verbs[n] in free_words for n in free)
        found.append(f"Yellow: {does} there{', or anywhere in reach' * is_anywhere}.")
    elif goes:
        found.append(f"Yellow rings: {does}.")
    if len(goes) < len(choices):
        found.append("Red rings: attack.")
    if here_mm is not None:
        found.append(f"White ring: {'who acts' if here_mm > 0 else 'where the unit goes'}.")
    return " ".join(found)


def verb(text: str, before: str = "") -> str:
    """Return what an action does, such as ``walk``: its first word.

    Where that is ``to``, it only completes the action `before`: ``throw knife``, ``to 3,4``.
    """
    word = text.partition(" ")[0]
    return spoken((before.partition(" ")[0] if word == "to" else word).removesuffix("_at"))


def verbs(table: OngoingGame, choices: Sequence[Choice[Any]]) -> list[str]:
    """Return what choices do, in a few words; `to` completes the last step, or the choice before it."""
    steps, write = [step.text for step in table.session.steps[-1:]], table.game.format_action
    befores = ([*steps, *map(write, one.actions[:-1])] for one in choices)
    return [
        getattr(one.actions[-1], "does", "") or verb(one.text, before[-1] if before else "")
        for one, before in zip(choices, befores, strict=True)
    ]


def _or(parts: Sequence[str]) -> str:
    *first, last = parts or [""]
    return f"{', '.join(first)} or {last}" if first else last


_SHORT, _MOST_BUTTONS = 7, 14
"""The most letters of a short button; more actions that begin with the same word are folded into a list."""


class ChoiceList:
    """Adds actions to a page; the picture shows where they lead, and what would come of them.

    `is_meant` tells which ones a lesson expects.
    """

    def __init__(
        self,
        picture: GamePicture,
        choose: Callable[[Sequence[Any]], Awaitable[None]],
        is_meant: Callable[[Choice[Any]], bool] = lambda _: False,
    ) -> None:
        self._picture, self._choose, self._is_meant = picture, choose, is_meant

    def add(self, choices: Sequence[Choice[Any]]) -> None:
        """Add actions, in groups by their first words; folded are long groups, and what the picture has as places."""
        self._picture.lists.clear()
        place: ui.element | None = None
        for word, group in groupby(choices, lambda one: one.text.partition(" ")[0]):
            several = list(group)
            is_placed = all(one.place is not None for one in several)
            if len(several) == 1:
                place = self._buttons(several, place=place)
            elif is_placed or len(several) > _MOST_BUTTONS:
                self._fold(word, several)
                place = None
            else:
                ui.label(self._title(several)).classes("live-heading")
                self._buttons(several, word)
                place = None

    def add_here(self, choices: Sequence[Choice[Any]], heading: str) -> None:
        """Add the actions that lead to one place."""
        ui.label(heading).classes("live-heading")
        self._buttons(choices)

    def add_hints(self, hints: Sequence[Hint[Any]]) -> None:
        """Add the best plans of a bot: each is done as a whole, up to the next roll."""
        ui.label(f"Hints of the bot {HINTS_BY.name}").classes("live-heading")
        with ui.element("div").classes("live-list"):
            for hint in hints:
                remark = f"{hint.rank} points of 100" if hint.rank[0] in "-+" else hint.rank
                choice = Choice(hint.plan.actions, hint.text, remark, None, is_attack=False)
                self._button(choice)

    def _title(self, choices: Sequence[Choice[Any]]) -> str:
        return verbs(self._picture.table, choices[:1])[0]

    def _fold(self, word: str, choices: Sequence[Choice[Any]]) -> None:
        """Add a closed list; its buttons are made once it is opened."""

        def fill() -> None:
            if fold.value and not fold.default_slot.children:
                with fold:
                    self._buttons(choices, word)

        fold = ui.expansion(f"{self._title(choices)}: {len(choices)} {self._kind(choices)}")
        fold.classes("live-more").on_value_change(fill)
        fold.value = self._picture.is_blind or any(map(self._is_meant, choices))
        self._picture.lists.append(fold)

    def _kind(self, choices: Sequence[Choice[Any]]) -> str:
        if all(one.is_attack for one in choices):
            return "targets"
        here = [one["number"] for one in self._picture.turns if one["is_here"]]
        if self._picture.number(choices[0]) in here:
            return "headings"
        reaches = zip(self._picture.placed, self._picture.reaches_mm, strict=True)
        free = [choice for (choice, _), reach_mm in reaches if not reach_mm]
        return "places" if any(one in free for one in choices) else "choices"

    def _buttons(
        self, choices: Sequence[Choice[Any]], heading: str = "", place: ui.element | None = None
    ) -> ui.element:
        """Add buttons, in lines of equal ones while all are short, and return their place."""
        is_short = all(len(_label(one, heading)) <= _SHORT and not one.remark for one in choices)
        if place is None:
            place = ui.element("div").classes("live-list short")
        if not is_short:
            place.classes(remove="short")
        with place:
            for choice in choices:
                self._button(choice, heading)
        return place

    def _button(self, choice: Choice[Any], heading: str = "") -> None:
        """Add the button of an action; the word above it is not repeated, but read aloud."""
        kind = "aims" if choice.is_attack else "goes" if choice.place is not None else ""
        with ui.element("button").classes(kind).props("type=button") as button:
            text = in_words(spoken(choice.text))
            ui.label(_label(choice, heading))
            button.props["aria-label"] = f"{text}: {choice.remark}" if choice.remark else text
            if self._is_meant(choice):
                button.classes("meant").props["aria-label"] += ", what the lesson expects"
            if choice.remark:
                ui.label(choice.remark).classes("remark harms" if choice.is_harmful else "remark")
        button.on("click", lambda: self._choose(choice.actions))
        points = f"() => globalThis.player?.point?.({self._picture.number(choice)})"
        for event in ("mouseenter", "focus"):
            button.on(event, js_handler=points)


def _label(choice: Choice[Any], heading: str) -> str:
    text = in_words(spoken(choice.text))
    return text.removeprefix(spoken(heading)).strip() or text


def ended(table: OngoingGame) -> tuple[AnyRecord, str]:
    """Return how a game was played, and its result, with whether the person here has won if one alone plays."""
    record, persons = table.record, table.persons
    if table.session.actor != OVER and not record.verdict:
        record = table.session.record(Ending.LIMIT)
    fortune = ""
    if record.ending is Ending.OVER and len(persons) == 1:
        payoff = (record.returns or ())[persons[0]]
        fortune = "You have won: " if payoff > 0 else "You have lost: " if payoff < 0 else ""
    return record, f"{fortune}{outcome_text(table.game, record)}"
