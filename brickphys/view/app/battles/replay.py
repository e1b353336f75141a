"""Replay: a game that was played, event by event, with its odds, as all or as one player may know it.

A game that was played on this server has an address that nobody can guess.
"""

from functools import lru_cache
from secrets import token_urlsafe
from typing import Any

from nicegui import ui

from brickphys.battles.players import outcome_text
from brickphys.rules.action_odds import with_odds
from brickphys.rules.report.analysis import Analysis
from brickphys.text import as_title, sentence, spoken
from brickphys.view.app.battles.judging import Judging
from brickphys.view.app.elements import StatusLine, UncorrectedNumber, message, whole_number
from brickphys.view.app.jobs import at_work, long
from brickphys.view.app.player import ScenePlayer
from brickphys.view.battle import PlayedGame, battle_page
from brickphys.view.chances import with_chances
from brickphys.view.document import text_of

_EVERYBODY = -1
_MOST_DOCUMENTS = 8
"""That are kept for whoever comes again."""


async def replay_page(played: PlayedGame) -> None:
    """Add the player, and what of the game it shows; of a campaign also its battles."""
    game, record = played.game, played.record
    found = game.episodes(record)
    parts = [played, *(PlayedGame(one.game, one.record, played.law) for one in found)]
    if found:
        titles = [f"the whole {as_title(game.name)}", *(one.title for one in found)]
        chosen = ui.select(dict(enumerate(titles)), value=0, label="Watch").classes("min-w-[22rem]")
    line, player = StatusLine("alert"), ScenePlayer()
    fields, below = (ui.element("section").classes("brickphys-content w-full") for _ in range(2))

    async def watch(number: int = 0) -> None:
        fields.clear()
        with fields:
            show = _Fields(parts[number], line, player, below).show
        await show()

    if found:
        chosen.on_value_change(lambda event: watch(event.value))
    await ui.context.client.connected()
    await watch()


class _Fields:
    """The fields for what is shown of a game: as whom, with odds or without, which rounds, and how it is judged.

    What is found of luck and choices is told in an element below the picture.
    """

    def __init__(
        self, played: PlayedGame, line: StatusLine, player: ScenePlayer, below: ui.element
    ) -> None:
        self._played, self._line, self._player = played, line, player
        game, record = played.game, played.record
        ui.label(sentence(outcome_text(game, record))).props("role=status")
        ui.label(f"Seed {record.root}").classes("brickphys-note")
        names = {
            n: f"only what {spoken(game.player_name(record.initial, n))} may know"
            for n in range(len(record.players))
        }
        self._rounds = rounds = game.rounds(record.final)
        word = game.round_word.lower()
        with ui.element("div").classes("brickphys-toolbar"):
            self._viewer = ui.select(
                {_EVERYBODY: "everything", **names}, value=_EVERYBODY, label="What is shown"
            )
            self._viewer.classes("min-w-[13rem]")
            self._odds = ui.checkbox("Odds of each roll", value=True)
            self._first = UncorrectedNumber(f"From {word}", value=1, min=1, max=rounds, step=1)
            self._last = UncorrectedNumber(f"To {word}", value=rounds, min=1, max=rounds, step=1)
            self._button = ui.button("Apply", on_click=self.show)
        for field in (self._first, self._last):
            field.classes("min-w-[7rem]").visible = bool(rounds)
        self._judging = Judging(played, line, below, self.show)

    async def show(self) -> None:
        """Show what the fields say."""
        await at_work(self._button, self._show)

    async def _show(self) -> None:
        seen = None if self._viewer.value == _EVERYBODY else self._viewer.value
        with self._line.reporting_faults():
            analysis = self._judging.found if seen is None else None
            asked = bool(self._odds.value), seen, self._span(), analysis
            self._player.show_document(await long(_document, self._played, *asked))

    def _span(self) -> tuple[int, int] | None:
        if not self._rounds:
            return None
        first = whole_number(self._first, 1, self._rounds)
        span = first, whole_number(self._last, first, self._rounds)
        return None if span == (1, self._rounds) else span


@lru_cache(_MOST_DOCUMENTS)
def _document(
    played: PlayedGame,
    has_odds: bool,
    viewer: int | None,
    rounds: tuple[int, int] | None,
    analysis: Analysis | None,
) -> str:
    game, record = played.game, played.record
    found: Any = game.trajectories(record, viewer)
    if has_odds:
        found = with_odds(game, record, found, played.law, viewer)
    shown = found if rounds is None else found.during(*rounds)
    page = battle_page(game, shown, played.title)
    return text_of(with_chances(page, record, shown, analysis) if analysis else page)


_ADDRESS = "/replay"
_MOST_KEPT = 50
"""Games that have an address; the oldest lose theirs."""

_MOST_TOLD = 5

_played: dict[str, PlayedGame] = {}


def replay_address(played: PlayedGame) -> str:
    """Return the address, on this server, of the page of a game that was played here; one for all who played it."""
    if known := next((name for name, one in _played.items() if one.is_same(played)), None):
        return f"{_ADDRESS}/{known}"
    while len(_played) >= _MOST_KEPT:
        del _played[next(iter(_played))]
    name = token_urlsafe(16)
    _played[name] = played
    return f"{_ADDRESS}/{name}"


def told() -> list[dict[str, Any]]:
    """Return the last games that were played here to their end, the last one first."""
    return [
        {
            "title": f"{as_title(one.game.name)}, {one.title}: {outcome_text(one.game, one.record)}",
            "links": {"Watch it again": f"{_ADDRESS}/{name}"},
        }
        for name, one in [*_played.items()][: -_MOST_TOLD - 1 : -1]
    ]


async def named_replay(name: str) -> None:
    """Add the page of a game that was played here."""
    if name in _played:
        await replay_page(_played[name])
    else:
        message("This game is not here any more.", "The page Play opens one that was saved.")
