"""Kept game: the game of a tab, kept in the browser while it is played: a page that is loaded again goes on with it."""

import json
from contextlib import suppress
from itertools import takewhile

from nicegui import Client, ui

from brickphys.battles.table import Rolls, Table
from brickphys.reading import parse_json

_NAME = "brickphys game"
_MOST_CHARACTERS = 700_000
"""A longer game is not kept: it would be more than a message to the server may hold."""
_ANSWER_S = 30.0
"""Time in which a browser answers, however busy the machine is."""
_KEEP = """
    globalThis.kept = (globalThis.kept ?? []).slice(0, {start}).concat({lines});
    sessionStorage.setItem("{name}", JSON.stringify([{rolls}, globalThis.kept.join("\\n")]));
"""


class KeptGame:
    """Writes the replay of the game so far into the storage of the tab, where nobody else reads it."""

    def __init__(self) -> None:
        self._client = ui.context.client
        self._lines = list[str]()

    def keep(self, table: Table) -> None:
        """Keep the game as it is now; only the lines that are new are sent."""
        text = table.replay()
        if len(text) > _MOST_CHARACTERS:
            forget(self._client)
            return
        lines = text.split("\n")
        pairs = zip(lines, self._lines, strict=False)
        start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._lines = lines
        self._client.run_javascript(
            _KEEP.format(
                start=start,
                lines=json.dumps(lines[start:]),
                rolls=json.dumps(table.rolls.value),
                name=_NAME,
            )
        )


def forget(client: Client | None = None) -> None:
    """Keep no game in a tab any more, by default in that of whom is answered now."""
    (client or ui.context.client).run_javascript(
        f'globalThis.kept = []; sessionStorage.removeItem("{_NAME}")'
    )


async def kept_game() -> tuple[Rolls, str] | None:
    """Return who rolls in the game that this tab has kept, and its replay; None if it has kept none."""
    found = None
    with suppress(TimeoutError):
        found = await ui.run_javascript(
            f'return sessionStorage.getItem("{_NAME}")', timeout=_ANSWER_S
        )
    try:
        rolls, text = parse_json(found, "kept game") if found else ("", "")
        return (Rolls(rolls), str(text)) if text else None
    except (ValueError, TypeError):
        return None
