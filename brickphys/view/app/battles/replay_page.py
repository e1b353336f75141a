"""Replay page: a game that was played, event by event, with its odds, as all or as one player may know it."""

from typing import Any

from nicegui import run, ui

from brickphys.battles.result import AnyRecord, result_text
from brickphys.odds.law import RollLaw
from brickphys.rules.game import AnyGame
from brickphys.rules.report.roll_odds import with_odds
from brickphys.text import spoken
from brickphys.view.app.player import ScenePlayer
from brickphys.view.app.status_line import StatusLine
from brickphys.view.battle import battle_page
from brickphys.view.recording import SceneRecording

_EVERYBODY = -1


async def replay_page(game: AnyGame, record: AnyRecord, law: RollLaw) -> None:
    """Add the player, and what of the game it shows.

    Parameters
    ----------
    game, record
        The game, and how it was played.
    law
        The law of bricks by which odds are told.
    """
    ui.label(result_text(game, record)).props("role=status")
    names = {
        n: f"what {spoken(game.player_name(record.initial, n))} may know"
        for n in range(len(record.players))
    }
    rounds = game.rounds(record.final)
    word = game.round_word.lower()
    with ui.row().classes("items-end"):
        viewer = ui.select({_EVERYBODY: "everything", **names}, value=_EVERYBODY, label="Show")
        odds = ui.checkbox("Odds of each roll", value=True)
        first = ui.number(f"From {word}", value=1, min=1, max=rounds, precision=0)
        last = ui.number(f"to {word}", value=rounds, min=1, max=rounds, precision=0)
        button = ui.button("Show")
        for field in (first, last):
            field.visible = bool(rounds)
    line = StatusLine("alert")
    player = ScenePlayer()

    async def show() -> None:
        span = (int(first.value or 1), int(last.value or 1)) if rounds else None
        is_all = span is None or span == (1, rounds)
        seen = None if viewer.value == _EVERYBODY else viewer.value
        rolls = law if odds.value else None
        button.disable()
        with line.telling():
            shown = await run.io_bound(
                _recording, game, record, rolls, seen, None if is_all else span
            )
            if shown is not None:
                player.show(shown)
        button.enable()

    button.on_click(show)
    await ui.context.client.connected()
    await show()


def _recording(
    game: AnyGame,
    record: AnyRecord,
    law: RollLaw | None,
    viewer: int | None,
    rounds: tuple[int, int] | None,
) -> SceneRecording:
    """Return a game in space and time, as a viewer may know it; without odds if there is no law."""
    found: Any = game.trajectories(record, viewer)
    if law is not None:
        found = with_odds(game, record, found, law)
    return battle_page(game, found if rounds is None else found.during(*rounds))
