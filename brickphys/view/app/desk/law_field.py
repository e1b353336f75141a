"""Law field: which law of bricks a page uses: one that ships, a stated chance, or a file of who sits at the browser."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from nicegui import ui

from brickphys.errors import InvalidValueError
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_choice import named_law
from brickphys.odds.law_file import DEFAULT, parse_law, shipped_laws
from brickphys.odds.law_words import chance_in_hand
from brickphys.text import cleaned_line, percent, percent_range
from brickphys.view.app.browser_files import OpenedFile, open_button, read_as
from brickphys.view.app.jobs import quick
from brickphys.view.app.number_field import RefusedNumber
from brickphys.view.app.status_line import StatusLine

_STATED = "a stated chance"
_MOST_FILES = 20
NamedLaw = tuple[RollLaw, str]
"""A law, and its name for people."""


class LawField:
    """The choice of a law.

    Parameters
    ----------
    laws
        Those that ship; see `shipped`.
    changed
        Is called after another one was chosen.
    own
        A law besides those that ship, which is chosen at first; None for none.

    Attributes
    ----------
    law, name
        The law, and its name for people.
    """

    law: RollLaw
    name: str

    def __init__(
        self, laws: Mapping[str, NamedLaw], changed: Callable[[], object], own: Law | None = None
    ) -> None:
        self._changed = changed
        self._shipped, self._opened = laws, dict[str, NamedLaw]()
        first = DEFAULT
        if own is not None:
            first = f"{own.name} (file)" if own.name in laws else own.name
            self._opened[first] = named_law(replace(own, name=first))
        with ui.row().classes("items-end"):
            names = dict.fromkeys((first, DEFAULT, *laws, _STATED))
            self._select = ui.select(list(names), value=first, label="Law of bricks")
            self._select.classes("min-w-40").on_value_change(self._choose)
            self._chance = RefusedNumber("Chance of a side", value=0.3, min=0, max=1, step=0.01)
            self._chance.on_value_change(self._choose)
            self._chance.bind_visibility_from(self._select, "value", value=_STATED)
            self._line = StatusLine()
            open_button("Open a law file", ".json", self._open, self._line)
        self._words = ui.label()
        self._take(first)

    def _choose(self) -> None:
        with self._line.telling():
            self._take(str(self._select.value))
            self._changed()

    def _take(self, chosen: str) -> None:
        """Take the law of a name in the list; no other one is ever looked up."""
        if chosen == _STATED:
            if self._chance.value is None:
                raise InvalidValueError("Chance of a side: give a number from 0 to 1")
            self.law, self.name = named_law(self._chance.value)
        else:
            self.law, self.name = {**self._shipped, **self._opened}[chosen]
        self._words.text = self._told()

    def _told(self) -> str:
        alone, together = percent(float(self.law.p)), percent(float(chance_in_hand(self.law)))
        chance = alone if alone == together else f"{alone} alone, {together} with others"
        words = f"The chance that a brick scores: {chance}, by {self.name}."
        if isinstance(self.law, Law) and self.law.p_range90 is not None:
            ends = percent_range(*self.law.p_range90)
            words += f" 90 % range {ends}: {self.law.range_meaning}."
        elif isinstance(self.law, Law):
            words += " Its 90 % range was not measured."
        return words

    async def _open(self, files: list[OpenedFile]) -> None:
        """Add the laws of files to the list, and choose the last one."""
        for file in files:
            name = cleaned_line(file.name)
            if name in self._shipped or name == _STATED:
                raise InvalidValueError(f"{name}: rename the file, this is the name of another law")
            with read_as("law"):
                law = await quick(_read, file, name)
            self.add(name, law)

    def add(self, name: str, law: NamedLaw) -> None:
        """Add a law to the list, or put it in the place of one that was added, and choose it.

        Raises
        ------
        InvalidValueError
            If the list is full.
        """
        if name not in self._opened and len(self._opened) >= _MOST_FILES:
            raise InvalidValueError(f"{name}: {_MOST_FILES} laws are open; load the page again")
        self._opened[name] = law
        if name not in self._select.options:
            self._select.set_options([*self._select.options, name])
        if self._select.value == name:
            self._choose()
        else:
            self._select.set_value(name)


def shipped() -> dict[str, NamedLaw]:
    """Return the laws that ship, by their names; they are read."""
    return {name: named_law(name) for name in shipped_laws()}


def _read(file: OpenedFile, name: str) -> NamedLaw:
    """Return the law of a file."""
    return named_law(replace(parse_law(file.text, name), name=name))
