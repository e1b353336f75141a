"""Game odds: the odds of the rolls of a game by its units, in the words of a page, not of the command line."""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from inspect import getdoc
from itertools import islice
from typing import Any, NamedTuple

from nicegui import ui

from brickphys.errors import InvalidValueError, unknown
from brickphys.odds.law import Law
from brickphys.rules.registry import builder, first_game, game, games, units
from brickphys.rules.report.parts import OddsField, OddsReport, odds_fields, takes_law
from brickphys.text import as_title, percent, percent_range, spoken, with_blanks
from brickphys.view.app.brick_odds import LawField
from brickphys.view.app.elements import StatusLine, TableElement, desk, titled
from brickphys.view.app.jobs import Latest, long, quick
from brickphys.view.app.page_html import Cell, Chance
from brickphys.view.app.player import ScenePlayer
from brickphys.view.builder import sheets_recording
from brickphys.view.recording import SceneRecording

_COMMAND = re.compile(r" \(brickphys [^)]*\)")
_OPTION = re.compile(r"--([a-z][a-z-]*)")
_ROLL = re.compile(r"``(\w+)``")
_FOR_A_TERMINAL = ("brickphys ", ".toml")


def page_words(text: str) -> str:
    """Return a sentence in which options are the fields of the page."""
    return _OPTION.sub(lambda found: f"'{spoken(found[1].replace('-', '_')).capitalize()}'", text)


def roll_words(documentation: str, rolls: Iterable[str]) -> str:
    """Return the documentation of a roll without its example, commands and files, which a page does not have.

    Other `rolls` of the game that it names are called as on the page.
    """
    known = set(rolls)
    text = documentation.partition("\n\nExample:")[0]
    text = _COMMAND.sub("", " ".join(text.split()))
    sentences = re.split(r"(?<=\.) (?=[A-Z])", text)
    text = " ".join(s for s in sentences if not any(word in s for word in _FOR_A_TERMINAL))
    text = _ROLL.sub(
        lambda found: f"the roll '{spoken(found[1])}'" if found[1] in known else found[1], text
    )
    return page_words(text).replace("`", "")


_ATTACK = "attack"
_FILE = ".toml"
_LONGEST = 200
_WORD = re.compile(r"\w+")
_PLAYERS = ("red", "blue")
"""Whose colours the units have, who attacks first."""


class GameRolls(NamedTuple):
    """What a game offers."""

    rolls: Mapping[str, Callable[..., OddsReport]]
    """Name of a roll -> the function that tells its odds."""
    units: list[str]
    """Names of the units, in order."""


class GameOdds:
    """Fields of a roll of a game, and its odds."""

    def __init__(self, law: LawField, offered: Mapping[str, GameRolls]) -> None:
        self._law, self._offered = law, offered
        self._fields: dict[str, tuple[OddsField, Any]] = {}
        panel, content = desk()
        with panel, titled("Roll"):
            usual = first_game()
            first = usual if usual in offered else next(iter(offered))
            self._game = ui.select({name: as_title(name) for name in offered}, value=first)
            self._game.props('label="Game"')
            self._roll = ui.select([], label="Roll")
            self._about = ui.label().classes("brickphys-note")
            self._place = ui.element("div").classes("brickphys-fields")
        with content:
            self._line = StatusLine()
        with content, ui.column().classes("w-full") as self._line.results:
            self._build = ui.button("Show these units", on_click=self._show_units).props("outline")
            self._player = ScenePlayer()
            self._chances, self._pairs, self._numbers = (TableElement() for _ in range(3))
        self._shown_units: list[str] = []
        self._latest = Latest[OddsReport](long, self._show, self._line)
        self._game.on_value_change(self._list_rolls)
        self._roll.on_value_change(self._ask)
        self._list_rolls()

    @property
    def _chosen(self) -> GameRolls:
        return self._offered[str(self._game.value)]

    @property
    def _tell(self) -> Callable[..., OddsReport]:
        return self._chosen.rolls[str(self._roll.value)]

    def _list_rolls(self) -> None:
        names = list(self._chosen.rolls)
        first = _ATTACK if _ATTACK in names else names[0]
        same = self._roll.value == first
        self._roll.set_options({name: spoken(name) for name in names}, value=first)
        if same:
            self._ask()

    def _ask(self) -> None:
        if self._roll.value not in self._chosen.rolls:
            return
        self._about.text = roll_words(getdoc(self._tell) or "", self._chosen.rolls)
        self._place.clear()
        names = self._chosen.units
        with self._place:
            fields = odds_fields(self._tell)
            self._fields = {one.name: (one, _element(one, names)) for one in fields}
        for number, (field, element) in enumerate(self._fields.values()):
            if _is_unit(field) and names:
                element.set_value(with_blanks(names[number % len(names)]))
            element.on_value_change(self.refresh)
        has_units = any(_is_unit(field) for field, _ in self._fields.values())
        self._build.set_visibility(has_units and bool(names))
        self._shown_units = []
        self.refresh()

    def refresh(self) -> None:
        """Tell the odds of what is asked now; some take seconds."""
        self._latest.drop()
        self._player.element.set_visibility(
            bool(self._shown_units) and self._given_units() == self._shown_units
        )
        with self._line.reporting_faults():
            values = {
                name: _value(*pair, self._chosen.units) for name, pair in self._fields.items()
            }
            if takes_law(self._tell):
                values["law"] = self._law.law
            self._latest.ask(partial(_answer, partial(self._tell, **values)))

    async def _show_units(self) -> None:
        with self._line.reporting_faults():
            given = self._given_units()
            shown = await quick(_units_recording, str(self._game.value), given)
            self._shown_units = [] if shown is None else given
            self._player.element.set_visibility(shown is not None)
            if shown is not None:
                await self._player.show(shown)

    def _given_units(self) -> list[str]:
        return [
            _named(str(element.value), self._chosen.units)
            for field, element in self._fields.values()
            if _is_unit(field)
        ]

    def _show(self, report: OddsReport) -> None:
        text = with_blanks(report.title)
        if takes_law(self._tell):
            text += f", by {self._law.name}"
        for name, chance in islice(report.chances.items(), 1):
            text += f"; {with_blanks(name)}: {percent(float(chance))}"
        self._line.tell(text)
        for table in (self._chances, self._pairs, self._numbers):
            table.clear()
        if report.chances:
            self._show_chances(report)
        if report.table is not None:
            pairs = zip(report.table.rows, report.table.chances, strict=True)
            cells = ([with_blanks(name), *(percent(float(p)) for p in row)] for name, row in pairs)
            columns = map(with_blanks, report.table.columns)
            self._pairs.show("Chances of pairs", ("", *columns), cells)
        if report.laws:
            laws = report.laws.values()
            names = (
                f"{with_blanks(name)}, {float(law.mean()):.2f} on average"
                for name, law in report.laws.items()
            )
            numbers = sorted({number for law in laws for number in law})
            rows: list[list[Cell]]
            rows = [[str(n), *(Chance(float(law.get(n, 0))) for law in laws)] for n in numbers]
            self._numbers.show("Chance of each number", ("number", *names), rows)

    def _show_chances(self, report: OddsReport) -> None:
        law = self._law.law
        rows: list[list[Cell]] = []
        known = {name: both for name, both in report.doubts.items() if any(both)}
        for name, chance in report.chances.items():
            counting, range90 = known.get(name, (None, None))
            row: list[Cell] = [with_blanks(name), Chance(float(chance), range90)]
            if known:
                row.append("" if counting is None else percent_range(*counting))
            rows.append(row)
        title, columns = "Chances", ["event", "chance, 90 % range" if known else "chance"]
        if known and isinstance(law, Law):
            columns.append("95 % interval")
            title += f" (95 % interval: {law.interval_meaning})"
        self._chances.show(title, columns, rows)


def offered_rolls() -> dict[str, GameRolls]:
    """Return the rolls of each game that has odds of its own."""
    found = {}
    for name in games():
        with suppress(InvalidValueError):  # it has none, or is broken
            found[name] = GameRolls(game(name).odds_tables(), sorted(units(name)))
    return found


def _answer(tell: Callable[[], OddsReport]) -> OddsReport:
    """Return odds; an error names a field, not an option of the command."""
    try:
        return tell()
    except InvalidValueError as error:
        raise InvalidValueError(page_words(str(error))) from None


def _units_recording(name: str, given: list[str]) -> SceneRecording | None:
    """Return the models of units of a game, None if it has none; only names of the game are ever looked up."""
    known = {sheet.name: sheet for sheet in game(name).sheets().sheets} if units(name) else {}
    sheets = [known[one] for one in given if one in known]
    return sheets_recording(builder(game(name)), sheets, _PLAYERS)


def _is_unit(field: OddsField) -> bool:
    is_text = field.kind is str and not field.choices
    return field.is_needed and is_text and not field.is_many


def _offers_units(field: OddsField, names: list[str]) -> bool:
    is_text = field.kind is str and not field.choices
    return is_text and (field.is_needed or field.is_many or field.default in names)


def _named(text: str, names: list[str]) -> str:
    """Return a text with the units' names as the game has them: with their capitals, and ``_`` for a blank."""
    for name in sorted(filter(lambda name: "_" in name, names), key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(with_blanks(name))}\b", name, text, flags=re.IGNORECASE)
    known = {word.casefold(): word for name in names for word in _WORD.findall(name)}
    return _WORD.sub(lambda found: known.get(found[0].casefold(), found[0]), text)


def _element(field: OddsField, names: list[str]) -> Any:
    label = spoken(field.name).capitalize()
    with ui.column().classes("gap-0"):
        if field.kind is bool:
            element: Any = ui.checkbox(label, value=bool(field.default))
        elif field.is_many:
            element = ui.input(label, value=" ".join(map(str, field.default or ())))
        elif field.choices:
            first = field.choices[0] if field.is_needed else field.default
            element = ui.select(list(field.choices), value=first, label=label)
        elif field.kind in (int, float):
            element = ui.number(label, value=field.default, step=1)
        else:
            element = ui.input(label, value=field.default or "")
        keys = ""
        if _offers_units(field, names) and names:
            _add_names(field, element, names)
            keys = " Type a part of a unit's name; the key Down lists those that have it."
        about = field.about.replace('"', "'")
        element.tooltip(field.about).props(f'aria-description="{about}{keys}"')
    return element


def _add_names(field: OddsField, element: ui.input, names: list[str]) -> None:
    """Offer the units in a field in which they can be typed, too, with gear or a number.

    The mouse gets a list. Arrows do not go through it, so the keyboard and screen readers get that of the browser.
    """

    def take(name: str) -> None:
        element.set_value(f"{element.value} {name}".strip() if field.is_many else name)

    read = [with_blanks(name) for name in names]
    element.set_autocomplete(read)
    with element.add_slot("append"), ui.button("▾").props("flat dense") as opener:
        opener.props("tabindex=-1 aria-hidden=true")
        with ui.menu():
            for name in read:
                ui.menu_item(name, on_click=partial(take, name))


def _value(field: OddsField, element: Any, names: list[str]) -> Any:
    """Return what was given for a parameter; InvalidValueError if it is nothing of its kind."""
    label, value = spoken(field.name), element.value
    if field.kind is bool:
        return bool(value)
    if field.kind in (int, float):
        return _number(field, label, value)
    text = _named(str(value or "")[:_LONGEST].strip(), names)
    if _FILE in text.lower():  # the command line takes files of units there
        raise InvalidValueError(f"{label}: no file of this machine is opened from here")
    if not text and field.is_needed:
        raise InvalidValueError(f"{label}: nothing is given")
    if not field.is_many:
        return text or field.default
    words = text.split()
    for word in words:
        if field.choices and word not in field.choices:
            raise unknown(label, word, field.choices)
    return tuple(words) or field.default


def _number(field: OddsField, label: str, value: object) -> float | None:
    if value is None and not field.is_needed and field.default is None:
        return None
    if not isinstance(value, (int, float)) or (field.kind is int and value != int(value)):
        kind = "whole number" if field.kind is int else "number"
        raise InvalidValueError(f"{label}: give a {kind}")
    number: float = field.kind(value)
    return number
