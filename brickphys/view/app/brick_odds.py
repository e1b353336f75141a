"""Brick odds: which law of bricks is used, and the odds of an attack by numbers of bricks."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from nicegui import ui

from brickphys.errors import InvalidValueError
from brickphys.odds.answer import Odds, odds
from brickphys.odds.comparison import Comparison
from brickphys.odds.law import Law, RollLaw
from brickphys.odds.law_choice import chance_in_hand, named_law
from brickphys.odds.law_file import DEFAULT, parse_law, shipped_laws
from brickphys.text import cleaned_line, counted, percent, percent_range, signed
from brickphys.view.app import elements
from brickphys.view.app.files import OpenedFile, open_button, read_as
from brickphys.view.app.jobs import Latest, quick
from brickphys.view.app.page_html import Cell, Chance

_STATED = "a stated chance"
_MOST_FILES = 20
NamedLaw = tuple[RollLaw, str]
"""A law, and its name for people."""


class LawField:
    """The choice of a law: of those that ship (see `shipped`), of an own one, which is chosen at first, and of files.

    `changed` is called after another one was chosen.
    """

    law: RollLaw
    name: str
    """The law, and its name for people."""

    def __init__(
        self, laws: Mapping[str, NamedLaw], changed: Callable[[], object], own: Law | None = None
    ) -> None:
        self._changed = changed
        self._shipped, self._opened = laws, dict[str, NamedLaw]()
        first = DEFAULT
        if own is not None:
            first = f"{own.name} (file)" if own.name in laws else own.name
            self._opened[first] = named_law(replace(own, name=first))
        with ui.element("div").classes("brickphys-toolbar"):
            names = dict.fromkeys((first, DEFAULT, *laws, _STATED))
            self._select = ui.select(list(names), value=first, label="Law of bricks")
            self._select.classes("min-w-40").on_value_change(self._choose)
            self._chance = elements.UncorrectedNumber(
                "Chance of a side", value=0.3, min=0, max=1, step=0.01
            )
            self._chance.on_value_change(self._choose)
            self._chance.bind_visibility_from(self._select, "value", value=_STATED)
            self._line = elements.StatusLine()
            open_button("Open a law file", ".json", self._open, self._line)
            self._words = ui.label().classes("brickphys-note")
        self._take(first)

    def _choose(self) -> None:
        with self._line.reporting_faults():
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
                law = await quick(parse_law, file.text, name)
            self.add(name, named_law(replace(law, name=name)))

    def add(self, name: str, law: NamedLaw) -> None:
        """Add a law, or replace that of its name, and choose it; InvalidValueError if too many are open."""
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


MOST_BRICKS, MOST_HEALTH, MOST_ATTACKS = 12, 20, 5
"""More would not be answered within a tenth of a second."""
_Answer = tuple[Odds, list[list[Cell]]]
"""Odds, and what one more brick changes."""


class BrickOdds:
    """Fields of an attack by its numbers of bricks, and its odds, which follow each change."""

    def __init__(self, law: LawField) -> None:
        self._law = law
        panel, content = elements.desk()
        with panel, elements.titled("Attack"):
            self._attack = elements.number_with_slider("Attack", 3, 0, MOST_BRICKS, self.refresh)
            self._defence = elements.number_with_slider("Defence", 2, 0, MOST_BRICKS, self.refresh)
            self._health = elements.number_with_slider(
                "Health of the target (0: any)", 0, 0, MOST_HEALTH, self.refresh
            )
            self._attacks = elements.number_with_slider(
                "Attacks in the turn", 1, 1, MOST_ATTACKS, self.refresh
            )
            self._attacks.props('hint="count once health is above 0"')
        with content:
            self._line = elements.StatusLine()
        with content, ui.column() as self._line.results:
            self._success, self._damage, self._kill = (elements.TableElement() for _ in range(3))
            elements.heading("One more brick")
            self._more = elements.TableElement()
        self._latest = Latest[_Answer](quick, self._show, self._line)
        self.refresh()

    def refresh(self) -> None:
        """Tell the odds of what is asked now."""
        self._latest.drop()
        with self._line.reporting_faults():
            attack = elements.whole_number(self._attack, 0, MOST_BRICKS)
            defence = elements.whole_number(self._defence, 0, MOST_BRICKS)
            health = elements.whole_number(self._health, 0, MOST_HEALTH) or None
            attacks = elements.whole_number(self._attacks, 1, MOST_ATTACKS)
            self._attacks.set_enabled(health is not None)
            count = attacks if health else 1
            self._latest.ask(partial(_answer, attack, defence, health, count, self._law.law))

    def _show(self, answer: _Answer) -> None:
        now, more = answer
        self._show_success(now)
        self._damage.show(
            f"Damage, {now.expected_damage:.2f} on average",
            ("damage", "exactly", "at least"),
            (
                [str(points), Chance(float(chance)), percent(float(law_of.at_least(points)))]
                for law_of in [now.opposed.damage]
                for points, chance in law_of.items()
            ),
        )
        self._kill.clear()
        if now.kill_after:
            attacks = enumerate(now.kill_after, 1)
            self._kill.show(
                f"A target of {now.health} health is dead",
                ("after attack", "chance"),
                ([str(number), Chance(float(chance))] for number, chance in attacks),
            )
        self._more.show(
            "What one more brick changes, with the same table and hand",
            ("", "one more of the attack", "one more of the defence"),
            more,
        )
        self._line.tell(now.line())

    def _show_success(self, now: Odds) -> None:
        rows: list[list[Cell]] = [["the attack succeeds", Chance(now.success, now.range90)]]
        law = self._law.law
        columns = ["", "chance, 90 % range" if now.range90 else "chance"]
        title = f"{counted(now.attack, 'brick')} against {now.defence}"
        if isinstance(law, Law) and now.ci95:
            columns.append("95 % interval")
            rows[0].append(percent_range(*now.ci95))
            title += f" (95 % interval: {law.interval_meaning})"
        self._success.show(title, columns, rows)


def _answer(attack: int, defence: int, health: int | None, attacks: int, law: RollLaw) -> _Answer:

    def asked(attack: int, defence: int) -> Odds:
        return odds(attack, defence, law, health=health, attacks=attacks)

    now = asked(attack, defence)
    more = now.compare(asked(attack + 1, defence), asked(attack, defence + 1))
    return now, list(_changes(more))


def _changes(found: Comparison) -> Iterator[list[Cell]]:
    for name in found.quantities:
        is_event = found.is_event(name)
        row: list[Cell] = [f"{name}, percentage points" if is_event else name]
        for number in (1, 2):
            more = found.difference(name, number, 0)
            assert more is not None  # all three have the same quantities
            row.append(_changed(float(more.exact), more.range90, is_event))
        yield row


def _changed(value: float, ends: tuple[float, float] | None, is_event: bool) -> str:
    """Write a difference with its range: of chances in percentage points."""
    scale, digits = (100, 1) if is_event else (1, 2)
    text = signed(scale * value, digits)
    if ends is None:
        return text
    low, high = (signed(scale * end, digits) for end in ends)
    return f"{text} ({low} to {high})"
