"""Tournament page: who plays is written down, each round is laid as tables, and all boards are watched.

The tournament is kept on this machine, and goes on after a restart.
"""

import csv
import io
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from nicegui import ui

from brickphys.battles.players import PERSON
from brickphys.battles.start import keep_private, state_folder
from brickphys.battles.tournament import MOST_PLAYERS, Pairing, Standing, System, Tournament
from brickphys.errors import BrickphysError, InvalidValueError, unknown
from brickphys.reading import MOST_BYTES, read_json
from brickphys.rules.players.bots import bots, is_bot
from brickphys.rules.registry import game, games
from brickphys.text import as_title, spoken
from brickphys.view.app import tables
from brickphys.view.app.access import TABLE
from brickphys.view.app.battles.preview import ask_first
from brickphys.view.app.battles.setup import CLOCK_HINT, ScenarioPicture, still_preview
from brickphys.view.app.battles.shared import shared_table
from brickphys.view.app.elements import (
    StatusLine,
    TableElement,
    UncorrectedNumber,
    add_links,
    desk,
    heading,
    titled,
    whole_number,
)
from brickphys.view.app.files import save_file
from brickphys.view.app.jobs import at_work, long, quick
from brickphys.view.app.player import StillPicture
from brickphys.view.app.start_page import alone

BOT = "bot "
"""Before the name of a bot, in the list of who plays."""
_EVERY_S, _DRAWN_EVERY_S = 2.0, 10.0
_FOLDER, _FILE = "tournament", "tournament.json"


@dataclass
class Hall:
    """A tournament, and the tables at which it is played."""

    tournament: Tournament
    game: str
    scenario: str
    clock: str = ""
    links: list[list[dict[str, str]]] = field(default_factory=list)
    """By round and pairing, the paths of its seats and that to watch; none for who rests."""

    def lay_round(self) -> None:
        """Pair the next round, and lay its tables."""
        found, names = game(self.game), self.tournament.names
        setup, laid = found.setups[self.scenario], list[dict[str, str]]()
        for one in self.tournament.pair():
            who = [names[player] for player in one.players]
            bots = [name.removeprefix(BOT) if name.startswith(BOT) else PERSON for name in who]
            is_played = len(who) > 1
            laid.append(
                tables.laid_table(found, setup, ",".join(bots), self.clock, who)
                if is_played
                else {}
            )
        self.links.append(laid)

    def note_results(self) -> bool:
        """Note the points of the games that are over; return whether there are new ones."""
        is_new = False
        for one, links in zip(self._pairings(), self._links(), strict=True):
            if one.points is None and links:
                one.points = tables.find_table(_watch_key(links)).points
                is_new |= one.points is not None
        return is_new

    def _pairings(self) -> list[Pairing]:
        return [one for games in self.tournament.played for one in games]

    def _links(self) -> list[dict[str, str]]:
        return [one for laid in self.links for one in laid]

    def keep(self) -> None:
        """Keep it on this machine."""
        folder = state_folder(_FOLDER)
        if folder is not None:
            keep_private(folder / _FILE, json.dumps(asdict(self)).encode())


def kept_hall() -> Hall | None:
    """Return the tournament that was kept; None if there is none."""
    folder = state_folder(_FOLDER)
    path = folder / _FILE if folder else None
    if path is None or not path.exists():
        return None
    try:
        found = read_json(path, MOST_BYTES)
        own = found.pop("tournament")
        played = [[Pairing(**one) for one in games] for games in own.pop("played")]
        for one in (pairing for games in played for pairing in games):
            one.players, one.points = tuple(one.players), one.points and tuple(one.points)
        tournament = Tournament(**own | {"system": System(own["system"]), "played": played})
        return Hall(**found | {"tournament": tournament})
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InvalidValueError(f"{path}: this is no tournament: remove the file") from None


def forget_hall() -> None:
    """Keep no tournament any more; its tables stay."""
    folder = state_folder(_FOLDER)
    if folder is not None:
        (folder / _FILE).unlink(missing_ok=True)


def _watch_key(links: dict[str, str]) -> str:
    return links[tables.WATCH].removeprefix(TABLE)


async def tournament_page() -> None:
    """Add the tournament of this server, or the fields of a new one."""
    await TournamentPage().fill()


class TournamentPage:
    """The page of who runs a tournament."""

    def __init__(self) -> None:
        self._line = StatusLine("alert")
        self._place = ui.element("div").classes("brickphys-content w-full")
        self._hall: Hall | None = None

    async def fill(self) -> None:
        """Show the tournament, or the fields of a new one."""
        with self._line.reporting_faults():
            self._hall = await quick(kept_hall)
        self._place.clear()
        with self._place:
            if self._hall is None:
                self._ask()
            else:
                self._fill_hall()
                await self._look()
                ui.timer(_EVERY_S, self._look)
                ui.timer(_DRAWN_EVERY_S, self._draw)

    # -- a new one

    def _ask(self) -> None:
        panel, content = desk()
        with content:
            self._picture = ScenarioPicture(self._line)
        with panel, titled("Who plays?"):
            self._names = ui.textarea("Players").props(
                f"rows=7 maxlength=2000 hint=\"a name a line, or '{BOT}hard' for a bot\""
            )
        with panel, titled("What?"):
            options = {name: as_title(name) for name in games()}
            first = next(iter(options))
            self._game = ui.select(options, value=first, label="Game", on_change=self._list)
            self._scenario = ui.select([], label="Scenario", on_change=self._show_scenario)
            with ui.element("div").classes("brickphys-fields"):
                self._system = ui.select([*System], value=System.SWISS, label="System")
                self._rounds = UncorrectedNumber("Rounds", value=3, min=1, max=MOST_PLAYERS, step=1)
            self._clock = ui.input("Clock", placeholder="20+15").props(f"maxlength=12 {CLOCK_HINT}")
        with panel, ui.element("div").classes("brickphys-go"):
            begin = ui.button("Begin the first round")
            begin.on_click(lambda: at_work(begin, self._begin))
        self._list()

    def _list(self) -> None:
        setups = {name: spoken(name) for name in game(self._game.value).setups}
        self._scenario.set_options(setups, value=next(iter(setups)))

    def _show_scenario(self) -> None:
        chosen = game(self._game.value)
        if setup := chosen.setups.get(str(self._scenario.value)):
            self._picture.show(chosen, setup, chosen.initial(setup))

    async def _begin(self) -> None:
        with self._line.reporting_faults():
            lines = map(str.strip, str(self._names.value or "").splitlines())
            names = [line for line in lines if line]
            for name in names:
                if name.startswith(BOT) and not is_bot(bot := name.removeprefix(BOT)):
                    raise unknown("bot", bot, bots())
            rounds = whole_number(self._rounds, 1, MOST_PLAYERS)
            tournament = Tournament(names, System(self._system.value), rounds)
            clock = str(self._clock.value or "")
            hall = Hall(tournament, self._game.value, str(self._scenario.value), clock)
            await self._lay(hall)

    async def _lay(self, hall: Hall) -> None:
        await long(hall.lay_round)
        await quick(hall.keep)
        for links in hall.links[-1]:
            if links:  # bots begin at once
                await (await shared_table(_watch_key(links))).change()
        await self.fill()

    # -- one that goes on

    def _fill_hall(self) -> None:
        hall = self._hall
        assert hall is not None
        done, all_of = len(hall.tournament.played), hall.tournament.rounds
        panel, self._boards = desk()
        with panel:
            heading(f"{spoken(hall.game)}, {spoken(hall.scenario)}: round {done} of {all_of}")
            if told := alone(str(ui.context.client.request.url)):
                ui.label(told).classes("brickphys-note")
            self._standings = TableElement()
            self._asked = ui.row()
            with ui.element("div").classes("brickphys-go"):
                self._next = ui.button("Next round")
                self._next.on_click(lambda: at_work(self._next, self._go_on))
                ui.button("Save results", on_click=self._save).props("outline")
                end = ui.button("End the tournament").props("outline")
        end.on_click(lambda: ask_first(self._asked, "its standings are lost then", self._end))
        self._shown = ""
        self._pictures: dict[str, StillPicture] = {}
        self._drawn: dict[str, int] = {}

    async def _look(self) -> None:
        """Show the results that have come, and all boards of the round."""
        hall = self._hall
        assert hall is not None
        with self._line.reporting_faults():
            if await quick(hall.note_results):
                await quick(hall.keep)
            self._next.set_enabled(hall.tournament.is_round_over and not hall.tournament.is_over)
            if (told := json.dumps(asdict(hall))) != self._shown:
                self._shown = told
                self._show(hall)

    def _show(self, hall: Hall) -> None:
        tournament = hall.tournament
        rows = [
            (str(place), one.name, str(one.games), f"{one.points:g}", f"{one.buchholz:g}")
            for place, one in enumerate(tournament.standings(), 1)
        ]
        columns = ("", "player", "games", "points", "Buchholz")
        self._standings.show("Standings", columns, rows)
        self._boards.clear()
        self._pictures, self._drawn = {}, {}
        with self._boards:
            for number in range(len(tournament.played), 0, -1):
                heading(f"Boards of round {number}")
                with ui.element("div").classes("brickphys-boards"):
                    pairs = zip(tournament.played[number - 1], hall.links[number - 1], strict=True)
                    for one, links in pairs:
                        self._show_board(one, links)

    def _show_board(self, one: Pairing, links: dict[str, str]) -> None:
        """Show a board; one whose game is over can still be watched."""
        assert self._hall is not None
        who = " against ".join(self._hall.tournament.names[player] for player in one.players)
        points = one.points and " : ".join(f"{part:g}" for part in one.points)
        with ui.element("section"):
            if links and one in self._hall.tournament.played[-1]:
                self._pictures[_watch_key(links)] = StillPicture()
            ui.label(f"{who}: {points or 'goes on' if links else 'rests'}")
            add_links({"Watch it again": links[tables.WATCH]} if links and one.points else links)

    async def _draw(self) -> None:
        """Draw the boards of the round that have changed since they were drawn, as far as they are still kept."""
        for key, picture in [*self._pictures.items()]:
            with suppress(BrickphysError):
                found = (await quick(tables.find_table, key)).ongoing
                steps, setup, state = len(found.session.steps), found.start.setup, found.state
                if self._pictures.get(key) is picture and self._drawn.get(key) != steps:
                    document, _ = await long(still_preview, found.game, setup, state)
                    picture.show_document(document)
                    self._drawn[key] = steps

    async def _go_on(self) -> None:
        assert self._hall is not None
        with self._line.reporting_faults():
            await self._lay(self._hall)

    async def _end(self) -> None:
        await quick(forget_hall)
        await self.fill()

    def _save(self) -> None:
        assert self._hall is not None
        tournament = self._hall.tournament
        games = [
            (number, *_two([tournament.names[n] for n in one.players]), *_two(one.points or ()))
            for number, games in enumerate(tournament.played, 1)
            for one in games
        ]
        head = ("round", "first", "second", "points of the first", "points of the second")
        save_file("tournament games", "csv", _csv(head, games))
        save_file("tournament standings", "csv", _csv(Standing._fields, tournament.standings()))


def _two(values: Sequence[Any]) -> list[Any]:
    """Return two values, empty ones for those that are missing: who rests has nobody opposite."""
    return [*values, "", ""][:2]


def _csv(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue()
