"""Picture: a game that is played in three dimensions, with the places of choices in it, and the tables of its units."""

import json
from collections.abc import Awaitable, Callable, Sequence
from itertools import zip_longest
from typing import Any

from nicegui import events, ui

from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.rules.players.prompt import Choice, placed
from brickphys.rules.record import Episode
from brickphys.rules.report.story import Status
from brickphys.rules.report.story import Table as Rows
from brickphys.text import spoken, with_blanks
from brickphys.units import Triple
from brickphys.view.app.page_html import html_list, html_table
from brickphys.view.app.player import ScenePlayer
from brickphys.view.app.start_page import LIVE, LIVE_STYLE
from brickphys.view.battle import Fall, LiveBattle
from brickphys.view.document import document, text_of
from brickphys.view.recording import SceneRecording

_FAR_MM = 1e6
_CALL = """
    globalThis.liveCalls = (globalThis.liveCalls ?? Promise.resolve())
        .then(async () => (await import("{module}")).{name}({words}))
        .catch((error) => console.warn(error));
"""


class LivePlayer(ScenePlayer):
    """Shows a recording that grows, and lights places that one may click.

    Parameters
    ----------
    on_pick
        Is called with the place in mm that is clicked, and the name of the thing that is there, which may be empty.
    """

    def __init__(self, on_pick: Callable[[tuple[float, float], str], Awaitable[None]]) -> None:
        super().__init__()
        ui.add_head_html(f'<link rel="stylesheet" href="{LIVE_STYLE}">')
        self._shapes = set[str]()

        async def picked(event: events.GenericEventArguments) -> None:
            if (found := picked_place(event.args)) is not None:
                await on_pick(*found)

        self.element.on("picked", picked, args=["detail"])

    def ready(
        self, recording: SceneRecording, falls: Sequence[Fall] | None = None
    ) -> Callable[[], None]:
        """Return what shows a recording; its documents are made now, which takes a moment.

        Parameters
        ----------
        recording
            A whole one, which is shown at its end: the camera stays where it is if its title is that of the last one;
            or what is added to the one that is shown.
        falls
            The bricks that fall meanwhile in a corner of the picture, each in its time; None for a whole recording.
        """
        shapes = {thing.shape.name for thing in recording.things}
        if falls is None:
            self._shapes = shapes
            text = text_of(recording)
            return lambda: self._call("show", self._offered(text))
        fallen = [(one.start_ms, one.stop_ms, document(one.recording)) for one in falls]
        part = document(recording, frozenset(self._shapes))
        self._shapes |= shapes

        def show() -> None:
            for one in fallen:
                self._call("fall", *one)
            self._call("extend", part)

        return show

    def offer(
        self, choices: Sequence[tuple[Choice[Any], Triple]], live: LiveBattle, here: Triple | None
    ) -> None:
        """Light the places of choices, and no others.

        Parameters
        ----------
        choices
            The choices, each with its place in mm.
        live
            What is shown.
        here
            Where the piece is that acts; None if there is none.
        """
        ats = [at for _, at in choices] + ([] if here is None else [here])
        rings = [
            {"at": [round(part, 2) for part in at], "ring": round(reach, 2)}
            for at, reach in zip(ats, live.reaches_mm(ats), strict=True)
        ]
        acts = None if here is None else rings.pop()
        places = [
            {
                **ring,
                "text": spoken(choice.text),
                "told": choice.told,
                "is_attack": choice.is_attack,
                "is_harmful": choice.is_harmful,
            }
            for (choice, _), ring in zip(choices, rings, strict=True)
        ]
        self._call("offer", places, live.place_size_mm, acts)

    def wait(self) -> None:
        """Light no place: nobody here is to act."""
        self._call("wait")

    def clear(self) -> None:
        """Show nothing any more: nobody else may see what is here."""
        self._forget()
        self._call("clear")

    def _call(self, name: str, *values: object) -> None:
        """Call a function of the module, after all that was called before has been done."""
        words = ",".join(json.dumps(value, separators=(",", ":")) for value in values)
        self.element.client.run_javascript(_CALL.format(module=LIVE, name=name, words=words))


def picked_place(args: object) -> tuple[tuple[float, float], str] | None:
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


PlacedChoices = Sequence[tuple[Choice[Any], Triple]]
"""Choices, each with its place in mm."""


class GamePicture:
    """Shows a table in three dimensions.

    Parameters
    ----------
    table
        The game.
    title
        Its name for people.
    on_pick
        Is called with the place in mm that is clicked, and the name of the thing that is there, which may be empty.

    Attributes
    ----------
    live
        What is shown; None if nothing is.
    placed
        The choices that have a place in the picture.
    """

    def __init__(
        self,
        table: OngoingGame,
        title: str,
        on_pick: Callable[[tuple[float, float], str], Awaitable[None]],
    ) -> None:
        self._table, self._title = table, title
        self._player = LivePlayer(on_pick)
        self._falls: dict[int, SceneRecording] = {}
        self.live: LiveBattle | None = None
        self.placed: PlacedChoices = ()

    def step(self) -> None:
        """Let the game go on by a step; bricks that an engine throws for it will be seen to fall."""
        table = self._table
        if table.live is None:
            table.go_on()
            return
        from brickphys.view.settling import EVERY_S, rolled_recording  # loads the engines

        number, before = len(self._episode().record.steps), table.state
        table.go_on()
        if hands := table.live.hands(EVERY_S):
            self._falls[number] = rolled_recording(table.game.chance(before), hands)

    def filmed(self) -> Callable[[], None]:
        """Return what shows what has happened since the last picture; to make that takes a moment."""
        seen = self._episode()
        if self.live is not None:
            for number, fall in self._falls.items():
                self.live.rolled(number, fall)
            if (part := self.live.extended(seen.record)) is not None:
                self._falls.clear()
                return self._player.ready(part, self.live.falls())
        self._falls.clear()
        self.live = LiveBattle(seen.game, seen.record, self._table.viewer, seen.title)
        return self._player.ready(self.live.whole())

    def place(self, choices: Sequence[Choice[Any]]) -> None:
        """Find the places of choices; `offer` lights them."""
        live = self.live
        assert live is not None
        self.placed = [
            (choice, at)
            for choice in (placed(self._table.asked, choices) if choices else ())
            if (at := live.place_mm(choice.place)) is not None
        ]

    def offer(self) -> None:
        """Light the places of the choices, and the piece that acts."""
        assert self.live is not None
        self._player.offer(self.placed, self.live, self.here_mm)

    @property
    def here_mm(self) -> Triple | None:
        """Where the piece is that acts; None if there is none."""
        live, table = self.live, self._table
        if live is None or table.waits is not Waits.CHOICE:
            return None
        return live.place_mm(table.game.here(table.asked.state))

    def wait(self) -> None:
        """Light no place: nobody here is to act."""
        self.placed = ()
        self._player.wait()

    def clear(self) -> None:
        """Show nothing any more: nobody else may see what is here."""
        self.live = None
        self._player.clear()

    def _episode(self) -> Episode:
        """Return what is seen: a game that goes on within the game, such as a battle of a campaign, or the game."""
        game, record = self._table.game, self._table.record
        return game.current_episode(record) or Episode(self._title, game, record)


_MOST_COLUMNS = 6
"""More with names are too wide for the place beside the picture, and for a phone."""


class StatusTables:
    """Shows the tables of a game below each other."""

    def __init__(self) -> None:
        self._place = ui.element("section").classes("live-tables").props('aria-label="Units"')

    def clear(self) -> None:
        """Show nothing."""
        self._place.clear()

    def show(self, told: str) -> None:
        """Show the tables and notes of what a game describes."""
        self._place.clear()
        if not isinstance(told, Status):
            return
        with self._place:
            for number, rows in enumerate(filter(None, told.tables)):
                columns, *cells = _cells(rows)
                caption = next(filter(None, columns)) if number else with_blanks(told.headline)
                html = html_list if len([*filter(None, columns)]) > _MOST_COLUMNS else html_table
                ui.html(html(caption, columns, cells), sanitize=False).classes("brickphys-told")
            for note in told.notes:
                ui.label(with_blanks(note))


def described(table: OngoingGame) -> str:
    """Return how a game describes itself to who is at the screen; empty where something is hidden from them."""
    if table.waits is Waits.CHOICE:
        return table.asked.description
    viewer = table.viewer
    if viewer is None and table.game.hidden(table.state):
        return ""
    return table.game.describe(table.game.observe(table.state, viewer or 0))


def _cells(table: Rows) -> list[list[str]]:
    """Return rows of the same length, without empty columns, and without letters: they are those of maps in text."""
    columns = [column for column in zip_longest(*table, fillvalue="") if any(column)]
    if not columns[0][0] and all(len(letter) <= 1 for letter in columns[0]):
        del columns[0]
    return [list(map(with_blanks, row)) for row in zip(*columns, strict=True)]
