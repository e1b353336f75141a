"""Setup: the fields of a new game, the options of its rules, and the way to a saved game.

A scenario is described: what it is about, how it is won, and what one clicks and types in its game.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from html import escape
from typing import Any

from nicegui import ui

from brickphys.battles.lesson import lesson_start
from brickphys.battles.ongoing_game import Rolls
from brickphys.battles.players import PERSON, AnyRecord
from brickphys.battles.start import GameStart, own_setup, with_rules
from brickphys.errors import InvalidValueError
from brickphys.reading import MOST_RECORD_BYTES
from brickphys.rules.game import AnyGame
from brickphys.rules.plans import LEVELS
from brickphys.rules.record import NOBODY, Ending, Record, Setup
from brickphys.rules.registry import FIRST_SETUP, first_game, game, games
from brickphys.seeds import chosen_root
from brickphys.text import as_title, cleaned_line, sentence, spoken
from brickphys.view.app import elements
from brickphys.view.app.files import OpenedFile, open_button
from brickphys.view.app.jobs import Latest, at_work, long
from brickphys.view.app.player import ScenePlayer
from brickphys.view.battle import LiveBattle
from brickphys.view.document import text_of


def scenario_words(game: AnyGame, setup: Setup) -> tuple[str, ...]:
    """Return the description of a scenario that ships, and its aims, a sentence each; empty of another one."""
    name = next((name for name, own in game.setups.items() if own == setup), None)
    if name is None:
        return ()
    try:
        found = game.scenario(name)
    except InvalidValueError:  # a game need not tell them
        return ()
    aims = (f"{sentence(aim.removesuffix('.'))}." for aim in found.aims)
    return " ".join(found.text.split()), *aims


_CLASSES = "brickphys-note"
CLOCK_HINT = 'hint="minutes, and seconds more a turn; empty: no clock"'
Preview = tuple[str, tuple[str, ...]]
"""The document of the picture of a scenario, and its words."""


def still_preview(chosen: AnyGame, setup: Setup, initial: Any) -> Preview:
    """Return a battle as it lies there, as who watches may see it, and what it is about."""
    record: AnyRecord = Record(
        chosen.name, chosen.version, setup, initial, (), Ending.INTERRUPTED, None, ("",) * 9, 0
    )
    document = ""
    with suppress(InvalidValueError):  # a game need not be shown in three dimensions
        live = LiveBattle(chosen, record, NOBODY, spoken(chosen.name))
        document = text_of(replace(live.whole(), duration_ms=0, events=()))
    return document, scenario_words(chosen, setup)


class ScenarioPicture:
    """Shows a scenario before it begins, and tells what it is about; faults are told in a line."""

    def __init__(self, line: elements.StatusLine) -> None:
        self._player = ScenePlayer()
        self._about = ui.column().classes("brickphys-about")
        self._latest = Latest[Preview](long, self._tell, line)

    def show(self, game: AnyGame, setup: Setup, initial: Any) -> None:
        """Show another one, given where it begins."""
        self._latest.ask(partial(still_preview, game, setup, initial))

    def _tell(self, found: Preview) -> None:
        document, words = found
        if self._about.is_deleted:
            return
        self._player.element.set_visibility(bool(document))
        if document:
            self._player.show_document(document)
        self._about.clear()
        with self._about:
            for line in words:
                ui.label(line)


class RuleFields:
    """Shows the options, folded away at first."""

    def __init__(self) -> None:
        self._place = ui.expansion("Options of the rules").classes("w-full")
        self._fields: dict[str, tuple[Any, object]] = {}

    def show(self, game: AnyGame, setup: Setup) -> None:
        """Show the options of a game as a setup has them."""
        options, given = game.rule_options(), setup.get("options") or {}
        self._place.clear()
        self._place.set_visibility(bool(options))
        self._fields = {}
        with self._place, ui.column().classes("gap-0 w-full"):
            for one in options:
                label, value = spoken(one.name).capitalize(), given.get(one.name, one.default)
                about = f'aria-description="{one.about.replace(chr(34), "")}"'
                field: Any
                if one.choices:
                    field = ui.select(list(one.choices), value=value, label=label)
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


_CLICKS = (
    "Click a yellow place to go there, or to do there what you have chosen, a figure in a yellow ring to choose it, "
    "and one in a red ring to attack it; a violet ring warns that own men are likelier to die than enemies. "
    "The buttons do the same. A click on anything else tells why it cannot be done."
)
_TYPED = "What buttons say can be typed, too. Further hints:"


def how_to_play(game: AnyGame, setup: Setup) -> None:
    """Add how a game is won, what one clicks, and the hints of the game."""
    aims = "".join(f"<p>{escape(line)}</p>" for line in scenario_words(game, setup))
    hints = "".join(f"<li>{escape(hint)}</li>" for hint in game.hints())
    ui.html(
        f"<details><summary>How to play</summary>{aims}<p>{_CLICKS}</p><p>{_TYPED}</p><ul>{hints}</ul></details>",
        sanitize=False,
    ).classes("brickphys-terms")


_MOST_SEED = 2**53 - 1
_MOST_OWN = 20
_ROLLS = {
    Rolls.LAW: "by the law",
    Rolls.LIVE: "thrown in the physics engine",
    Rolls.TABLE: "on my own table: I type what comes",
}
_DICE = {Rolls.LAW: "by the seed", Rolls.TABLE: _ROLLS[Rolls.TABLE]}
_BOTS = {
    **{level.name: level.about for level in LEVELS.values()},
    "lookahead": "searches single choices, slowly",
    "greedy1": "the yardstick",
    "random": "does anything",
}
_PLAYERS = {PERSON: "a person", **{bot: f"a bot, {bot}: {told}" for bot, told in _BOTS.items()}}

Begin = Callable[[AnyGame, GameStart, str, Rolls], Awaitable[None]]
Share = Callable[[AnyGame, GameStart, str, str], Awaitable[None]]
Open = Callable[[OpenedFile, Rolls], Awaitable[None]]


class SetUp:
    """The fields of a new game, and the button for a saved one.

    A `note` tells why the game of this tab cannot go on; `first` is chosen at first, and comes from `load_first`.
    """

    def __init__(self, begin: Begin, share: Share, open_file: Open, note: str, first: str) -> None:
        self._begin, self._share = begin, share
        self._own = dict[tuple[str, str], Setup]()
        self._players = list[ui.select]()
        panel, content = elements.desk()
        with panel:
            self._fill_panel(first, open_file, note)
        with content:
            self._picture = ScenarioPicture(self._line)
        self._change()

    def _fill_panel(self, first: str, open_file: Open, note: str) -> None:
        with elements.titled("Who plays what?"):
            options = {name: as_title(name) for name in games()}
            self._game = ui.select(options, value=first, label="Game", on_change=self._other)
            self._setup = ui.select([], label="Scenario", on_change=self._seat)
            self._seats = ui.element("div").classes("contents")
        with elements.titled("Chance").classes("brickphys-fields"):
            self._rolls = ui.select(_ROLLS, value=Rolls.LAW, label="Rolls")
            self._seed = elements.UncorrectedNumber(
                "Seed (empty: any)", min=0, max=_MOST_SEED, step=1
            )
        self._rules = RuleFields()
        with ui.element("div").classes("brickphys-go"):
            self._line = elements.StatusLine("alert", note)
            self._play = ui.button("Play", on_click=self._go)
            learn = ui.button("Learn", on_click=self._teach).props("outline")
            elements.explain(learn, "A guided first game, which takes ten minutes.")
        with ui.expansion("On several machines").classes("w-full"):
            self._clock = ui.input("Clock", placeholder="20+15").props(f"maxlength=12 {CLOCK_HINT}")
            lay = ui.button("Lay a table").props("outline")
            lay.on_click(lambda: at_work(lay, self._lay))
        with ui.expansion("From a file").classes("w-full"):
            open_button("Open a scenario of your own", ".toml", self._add, self._line)
            open_button(
                "Open a replay",
                ".jsonl",
                lambda files: open_file(files[0], self._rolls.value),
                self._line,
                MOST_RECORD_BYTES,
            )

    @property
    def _chosen(self) -> AnyGame:
        """The game that is chosen; no name is ever looked up that is not in the list."""
        return game(self._game.value)

    @property
    def _start(self) -> Setup | None:
        """The setup that is chosen; None while the list changes."""
        name = str(self._setup.value)
        return self._chosen.setups.get(name) or self._own.get((self._chosen.name, name))

    async def _other(self) -> None:
        """Offer the setups of another game, once it is loaded; until then nothing begins."""
        with self._waiting():
            await long(_load, str(self._game.value))
            if not self._play.is_deleted:
                self._change()

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Let nobody begin a game, or choose from a list that is about to change, while something is loaded."""
        for one in (self._play, self._setup, *self._players):
            one.disable()
        try:
            yield
        finally:
            if not self._play.is_deleted:  # no game has begun in the place of these fields
                for one in (self._play, self._setup, *self._players):
                    one.enable()

    def _change(self) -> None:
        rolls = _ROLLS if self._chosen.rolls_bricks else _DICE
        self._rolls.set_options(rolls, value=Rolls.LAW)
        self._list_setups()

    def _list_setups(self, first: str = "") -> None:
        chosen = self._chosen
        setups = {name: spoken(name) for name in chosen.setups} | _titles(chosen)
        setups |= {name: name for own, name in self._own if own == chosen.name}
        usual = FIRST_SETUP if FIRST_SETUP in setups else next(iter(setups))
        self._setup.set_options(setups, value=first or usual)
        self._seat()

    async def _add(self, files: list[OpenedFile]) -> None:
        """Add scenarios of who sits at the browser, and choose the last one; they are read beside the loop."""
        for file in files:
            name, chosen = cleaned_line(file.name), self._chosen
            if name in chosen.setups:
                raise InvalidValueError(f"{name}: rename the file, a scenario has this name")
            if len(self._own) >= _MOST_OWN:
                raise InvalidValueError(f"{name}: {_MOST_OWN} files are open; load the page again")
            with self._waiting():
                self._own[chosen.name, name] = await long(own_setup, chosen, file.text, name)
            if not self._play.is_deleted and self._chosen.name == chosen.name:
                self._list_setups(name)

    def _seat(self) -> None:
        chosen, setup = self._chosen, self._start
        if setup is None:
            return
        first = chosen.initial(setup)
        self._picture.show(chosen, setup, first)
        self._rules.show(chosen, setup)
        self._seats.clear()
        with self._seats:
            self._players = [
                ui.select(
                    _PLAYERS,
                    value="greedy" if number else PERSON,
                    label=spoken(chosen.player_name(first, number)),
                )
                for number in range(chosen.players(first))
            ]

    async def _teach(self) -> None:
        with self._line.reporting_faults(), self._waiting():
            start = await long(lesson_start, self._chosen)
            await self._begin(self._chosen, start, start.players, Rolls.LAW)

    async def _go(self) -> None:
        async with self._chosen_start() as start:
            if start is not None:
                await self._begin(self._chosen, start, self._who, self._rolls.value)

    async def _lay(self) -> None:
        async with self._chosen_start() as start:
            if start is not None:
                await self._share(self._chosen, start, self._who, str(self._clock.value or ""))

    @property
    def _who(self) -> str:
        return ",".join(str(one.value) for one in self._players)

    @asynccontextmanager
    async def _chosen_start(self) -> AsyncIterator[GameStart | None]:
        """Give where the game begins that is chosen, None while the list changes; tell faults of the block."""
        setup = self._start
        with self._line.reporting_faults(), self._waiting():
            seed = None
            if self._seed.value is not None:
                seed = elements.whole_number(self._seed, 0, _MOST_SEED)
            if setup is not None:
                setup = await long(with_rules, self._chosen, setup, self._rules.changed())
            yield None if setup is None else GameStart(setup, chosen_root(seed))


def load_first(last: str = "") -> str:
    """Return the game that is offered at first, the last one if it is known; it is loaded, which takes a second."""
    first = last if last in games() else first_game()
    _load(first)
    return first


def _load(name: str) -> None:
    """Load what is told of a game; it stays in memory."""
    chosen = game(name)
    _titles(chosen)
    chosen.initial(next(iter(chosen.setups.values())))


def _titles(chosen: AnyGame) -> dict[str, str]:
    try:
        titles = chosen.scenarios()
    except InvalidValueError:
        return {}
    return {name: f"{spoken(name)}: {title}" for name, title in titles.items()}
