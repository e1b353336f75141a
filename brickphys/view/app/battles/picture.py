"""Picture: a game that is played in three dimensions, with the places of choices in it, and the tables of its units."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from math import dist
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.geometry.polygon import Point
from brickphys.grid.grid import FACING_NAMES
from brickphys.rules.players.preview import preview, turned
from brickphys.rules.players.prompt import Asked, Choice, placed
from brickphys.rules.record import NOBODY, Episode
from brickphys.rules.report.story import Status
from brickphys.rules.report.story import Table as Rows
from brickphys.text import as_title, spoken, with_blanks
from brickphys.units import Triple
from brickphys.view.app.battles.preview import drawn
from brickphys.view.app.jobs import BusyError, quick
from brickphys.view.app.page_html import html_list, html_table
from brickphys.view.app.player import ScenePlayer
from brickphys.view.app.start_page import LIVE, LIVE_STYLE
from brickphys.view.battle import Fall, LiveBattle
from brickphys.view.document import document, text_of
from brickphys.view.recording import SceneRecording

_FAR_MM = 1e6
_FACING = re.compile(rf"(?<!\S)(?:{'|'.join(FACING_NAMES)})(?!\S)")
_TURN = re.compile(r"(turn|fall) (-?)([\d.]+)")
_NEAR = 0.75
"""How near to a place one clicks, in its width."""
_CALL = """
    globalThis.liveCalls = (globalThis.liveCalls ?? Promise.resolve())
        .then(async () => (await import("{module}")).{name}({words}))
        .catch((error) => console.warn(error));
"""


PlacedChoices = Sequence[tuple[Choice[Any], Triple]]
"""Choices, each with its place in mm."""


class GamePicture(ScenePlayer):
    """Shows a game in three dimensions: a recording that grows, and the places that one may click."""

    live: LiveBattle | None = None
    """What is shown; None if nothing is."""
    placed: PlacedChoices = ()
    """The choices that have a place in the picture."""
    reaches_mm: list[float]
    """How far the piece at the place of each goes on the ground; 0 where none stands."""
    is_meant: Callable[[Choice[Any]], bool]
    """Which choices a lesson expects: they are lit in green."""
    turns: Sequence[Mapping[str, Any]] = ()
    """The numbers of choices that differ by a heading, with that, and whether it is from where the piece stands."""
    is_blind = False
    """Whether the browser has no WebGL: the game is played by its lists."""
    here_mm: Triple | None = None
    here_reach_mm: float | None = None
    """Where the piece is that acts, and how far it goes on the ground; None if there is none."""

    def __init__(self, table: OngoingGame) -> None:
        super().__init__()
        ui.add_head_html(f'<link rel="stylesheet" href="{LIVE_STYLE}">')
        self.table, self.is_meant = table, lambda _: False
        self._shapes = set[str]()
        self._numbered = list[Choice[Any]]()
        self._asked: Asked[Any, Any, Any] | None = None
        self._own: PlacedChoices = ()  # the only choice where the piece stands: a click lists it
        self.lists = list[ui.expansion]()
        self.element.on("blind", self._open_lists)
        self.element.on("pointed", self._pointed, args=["detail"])
        self._fallen: dict[int, SceneRecording] = {}

    def step(self) -> None:
        """Let the game go on by a step; bricks that an engine throws for it will be seen to fall."""
        table = self.table
        if table.live is None:
            table.go_on()
            return
        from brickphys.view.settling import EVERY_S, rolled_recording  # loads the engines

        number, before = len(self._episode().record.steps), table.state
        table.go_on()
        if hands := table.live.hands(EVERY_S):
            self._fallen[number] = rolled_recording(table.game.chance(before), hands)

    def filmed(self) -> Callable[[], None]:
        """Return what shows what has happened since the last picture; its documents are made now: it takes a moment.

        A whole recording is shown at its end: the camera stays where it is if its title is that of the last one.
        """
        seen, fallen, self._fallen = self._episode(), self._fallen, {}
        if self.live is not None:
            for number, recording in fallen.items():
                self.live.rolled(number, recording)
            if (part := self.live.extended(seen.record)) is not None:
                return self._extension(part, self.live.falls())
        self.live = LiveBattle(seen.game, seen.record, self.table.viewer, seen.title)
        whole = self.live.whole()
        self._shapes = {thing.shape.name for thing in whole.things}
        text = text_of(whole)
        return lambda: self._call("show", self._offered(text))

    def _extension(self, part: SceneRecording, falls: Sequence[Fall]) -> Callable[[], None]:
        """Return what adds a part to the recording, and lets bricks fall meanwhile in a corner of the picture."""
        fallen = [(one.start_ms, one.stop_ms, document(one.recording)) for one in falls]
        added = document(part, frozenset(self._shapes))
        self._shapes |= {thing.shape.name for thing in part.things}

        def show() -> None:
            for one in fallen:
                self._call("fall", *one)
            self._call("extend", added)

        return show

    def place(self, choices: Sequence[Choice[Any]]) -> None:
        """Find the places of choices, and that of the piece that acts; `offer` lights them."""
        live, table = self.live, self.table
        assert live is not None
        is_asked = table.waits is Waits.CHOICE
        self._asked = table.asked if is_asked else None
        stands = table.game.here(table.asked.state) if is_asked else None
        found = [
            (choice, at)
            for choice in (placed(table.asked, choices) if choices else ())
            if (at := live.place_mm(choice.place)) is not None
        ]
        own = [one for one in found if one[0].place == stands]
        self._own = own if len(own) == 1 else []
        self.placed = [one for one in found if one not in self._own]
        self._numbered = [choice for choice, _ in self.placed]
        self.here_mm = live.place_mm(stands)
        here = [] if self.here_mm is None else [self.here_mm]
        self.reaches_mm = live.reaches_mm([*(at for _, at in self.placed), *here])
        self.here_reach_mm = self.reaches_mm.pop() if here else None
        turns = turned(table.asked, choices) if is_asked and self.here_mm is not None else {}
        self.turns = [
            {"number": self.number(choices[n]), "deg": deg, "is_here": is_here}
            for n, (deg, is_here) in turns.items()
        ]

    def number(self, choice: Choice[Any]) -> int:
        """Return the number by which the browser points at a choice: that of its mark, or a further one."""
        if choice not in self._numbered:
            self._numbered.append(choice)
        return self._numbered.index(choice)

    def numbered(self, number: object) -> Choice[Any] | None:
        """Return the choice of a number that a browser has sent; None if there is none."""
        if not isinstance(number, int) or not 0 <= number < len(self._numbered):
            return None
        return self._numbered[number]

    def _open_lists(self) -> None:
        self.is_blind = True
        for one in self.lists:
            if not one.is_deleted:
                one.open()

    def sketch(self, drawing: dict[str, Any] | None, how: str = "sketch") -> None:
        """Draw what orders would do while nothing is pointed at, or ``warn`` of enemies; None for nothing."""
        self._call(how, drawing)

    async def _pointed(self, event: GenericEventArguments) -> None:
        """Show what would come of the choice that is pointed at, unless something else is asked meanwhile."""
        number, live = event.args["detail"] if isinstance(event.args, dict) else None, self.live
        if live is None or self.table.waits is not Waits.CHOICE:
            return
        choice, asked = self.numbered(number), self.table.asked
        if choice is None or asked is not self._asked:  # it may be one of the last question
            return
        actions = choice.actions
        with suppress(BusyError):
            found = await quick(lambda: drawn(preview(asked, actions), live))
            if self.table.waits is Waits.CHOICE and self.table.asked is asked:
                self._call("preview", number, found)

    def offer(self) -> None:
        """Light the places of the choices, and the piece that acts."""
        assert self.live is not None
        places = [
            {
                **_ring(at, reach_mm),
                "text": in_words(spoken(choice.text)),
                "remark": choice.remark,
                "is_attack": choice.is_attack,
                "is_harmful": choice.is_harmful,
                "is_meant": self.is_meant(choice),
            }
            for (choice, at), reach_mm in zip(self.placed, self.reaches_mm, strict=True)
        ]
        acts = None if self.here_mm is None else _ring(self.here_mm, self.here_reach_mm or 0.0)
        self._call("offer", places, self.live.place_size_mm, acts, self.turns)

    def hits(self, at_mm: Point) -> PlacedChoices:
        """Return the choices whose place is the nearest to a click that is near enough."""
        assert self.live is not None
        found = [(dist(at_mm, at[:2]), (choice, at)) for choice, at in (*self.placed, *self._own)]
        near = min([_NEAR * self.live.place_size_mm, *(away + 0.01 for away, _ in found)])
        return [one for away, one in found if away <= near]

    def wait(self) -> None:
        """Light no place: nobody here is to act."""
        self.placed = ()
        self._call("wait")

    def clear(self) -> None:
        """Show nothing any more: nobody else may see what is here."""
        self.live = None
        self._forget()
        self._call("clear")

    def _episode(self) -> Episode:
        """Return what is seen: a game that goes on within the game, such as a battle of a campaign, or the game."""
        game, record = self.table.game, self.table.record
        return game.current_episode(record) or Episode(as_title(game.name), game, record)

    def _call(self, name: str, *values: object) -> None:
        """Call a function of the module, after all that was called before has been done."""
        words = ",".join(json.dumps(value, separators=(",", ":")) for value in values)
        self.element.client.run_javascript(_CALL.format(module=LIVE, name=name, words=words))


def _ring(at_mm: Triple, reach_mm: float) -> dict[str, Any]:
    return {"at": [round(part, 2) for part in at_mm], "ring": round(reach_mm, 2)}


def picked_place(args: object) -> tuple[Point, str] | None:
    """Return place and thing of what a browser has sent; None if it is something else."""
    detail = args.get("detail") if isinstance(args, dict) else None
    if not isinstance(detail, dict):
        return None
    at, thing = detail.get("at"), detail.get("thing")
    if not (isinstance(at, list) and len(at) == 2 and isinstance(thing, str)):
        return None
    if not all(isinstance(part, int | float) and abs(part) < _FAR_MM for part in at):
        return None
    return (float(at[0]), float(at[1])), thing


_CARD, _OWNER = "card", "in hand of"
"""The headings of a hand, whose rows are shown as cards; whose they are is told only where several have some."""
_MOST_COLUMNS = 5
"""More are too wide for the place beside the picture, and for a phone."""
_SHARED, _LEAST_ROWS = ("army", "player", "kind"), 2
"""Columns that can be headings of groups of rows, of at least so many each on the mean."""


def show_status(place: ui.element, hand: ui.element, status: str) -> None:
    """Show the tables and notes of what a game describes, and cards as a hand; nothing where it describes nothing."""
    place.clear()
    hand.clear()
    if not isinstance(status, Status):
        return
    tables = [*map(_cells, filter(None, status.tables))]
    for number, rows in enumerate(sorted(tables, key=lambda rows: rows[0][0] == _CARD)):
        are_cards = rows[0][0] == _CARD
        if (
            rows[0][1:2] == [_OWNER] and len({owner for _, owner, *_ in rows}) == 2
        ):  # and the heading
            rows = [[name, *rest] for name, _, *rest in rows]
        columns, *cells = _grouped(rows)
        caption = next(filter(None, columns)) if number else with_blanks(status.headline)
        is_wide = are_cards or len(columns) > _MOST_COLUMNS
        html = (html_list if is_wide else html_table)(caption, columns, cells)
        with hand if are_cards else place:
            ui.html(html, sanitize=False).classes("brickphys-rows")
    with place:
        for note in status.notes:
            ui.label(with_blanks(note))


def _grouped(rows: list[list[str]]) -> list[list[str]]:
    """Return a table without its columns of owners and kinds, if many rows share them: groups have headings instead."""
    shared = [number for number, name in enumerate(rows[0]) if number and name in _SHARED]
    while shared:
        groups: dict[str, list[list[str]]] = {}
        for row in rows[1:]:
            rest = [cell for number, cell in enumerate(row) if number not in shared]
            groups.setdefault(": ".join(row[number] for number in shared), []).append(rest)
        if _LEAST_ROWS * len(groups) < len(rows):
            columns = [name for number, name in enumerate(rows[0]) if number not in shared]
            return [columns, *(row for name, group in groups.items() for row in ([name], *group))]
        shared.pop()
    return rows


def described(table: OngoingGame) -> str:
    """Return how a game describes itself to who is at the screen; to who watches, what all may know; or empty."""
    if table.waits is Waits.CHOICE:
        return table.asked.description
    game, viewer, view = table.game, table.viewer, table.state
    if viewer is None and game.hidden(view):
        return ""
    for player in range(game.players(view)) if viewer == NOBODY else (viewer or 0,):
        if not isinstance(view, type(table.state)):
            return ""
        view = game.observe(view, player)
    return game.describe(view)


def in_words(text: str) -> str:
    """Return an action or a cell as it is read, facings in capitals: ``G12 NE``, ``turn 45° left``."""
    if turn := _TURN.fullmatch(text):
        side = "right" if turn[2] else "left"
        return f"{turn[1]} {turn[3]}° {side}" if float(turn[3]) else f"{turn[1]} 0: straight on"
    return _FACING.sub(lambda found: found[0].upper(), with_blanks(text))


def _cells(table: Rows) -> list[list[str]]:
    """Return rows of the same length, without empty columns, and without letters: they are those of maps in text."""
    columns = [column for column in zip_longest(*table, fillvalue="") if any(column)]
    if not columns[0][0] and all(len(letter) <= 1 for letter in columns[0]):
        del columns[0]
    return [list(map(in_words, row)) for row in zip(*columns, strict=True)]
