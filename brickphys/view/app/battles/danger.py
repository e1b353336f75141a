"""Danger: what enemies could attack in their next turn, drawn into the picture of a game and told beside it."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from brickphys.rules.players.preview import threat_lines, threats
from brickphys.rules.players.prompt import Asked
from brickphys.rules.scene import Threat
from brickphys.text import sentence
from brickphys.view.app.battles.picture import GamePicture
from brickphys.view.app.battles.preview import OWN, drawing
from brickphys.view.app.elements import StatusLine
from brickphys.view.app.jobs import quick
from brickphys.view.battle import LiveBattle
from brickphys.view.recording import Sign

_MOST_LINES = 4


class DangerPanel:
    """Tells and draws it as long as that is wanted; `asked` returns the choice that is asked now."""

    def __init__(
        self,
        picture: GamePicture,
        note: StatusLine,
        asked: Callable[[], Asked[Any, Any, Any] | None],
    ) -> None:
        self._picture, self._note, self._asked = picture, note, asked
        self._is_wanted = False
        self._label = ui.label().classes("live-about").props("role=status")
        picture.element.on("threatened", self._threatened, args=["detail"])

    def clear(self) -> None:
        """Tell nothing."""
        self._label.text = ""

    async def _threatened(self, event: GenericEventArguments) -> None:
        args = event.args
        await self.show(is_wanted=isinstance(args, dict) and args.get("detail") is True)

    async def show(self, *, is_wanted: bool = True) -> None:
        """Show it, or show it no more."""
        self._is_wanted, live, asked = is_wanted, self._picture.live, self._asked()
        drawn, words = None, ""
        if is_wanted and live is not None and asked is not None:
            with self._note.reporting_faults():
                found = await quick(threats, asked)
                drawn, words = drawn_threats(found, live), told_threats(found)
            if not self._is_wanted or self._asked() is not asked:
                return
        self._picture.sketch(drawn, "warn")
        self._label.text = words


def drawn_threats(found: Sequence[Threat], live: LiveBattle) -> dict[str, Any]:
    """Return what enemies could attack: where, and the lanes of their shots, half as wide as others."""
    pieces = live.builder.scene(live.scene).pieces
    carriers = {one.id: one.at for one in pieces}
    at = {one.name: carriers.get(one.parent, one.at) for one in pieces if one.name}
    lanes = (
        (at[each.name], at[foe])
        for each in found
        for foe in each.shoots
        if {each.name, foe} <= {*at}
    )
    areas = (outline for one in found for outline in one.reach)
    signs = chain(
        ((Sign.AREA, outline, OWN, "") for outline in areas),
        ((Sign.ARROW, lane, OWN, "") for lane in lanes),
    )
    drawn = drawing(live, signs)
    for mark in drawn["marks"]:
        mark["size"] //= 2
    return drawn


def told_threats(found: Sequence[Threat]) -> str:
    """Return the worst of what enemies could attack, in few lines below a heading."""
    lines = [f"{sentence(line)}." for line in threat_lines(found)]
    more = [f"And {len(lines) - _MOST_LINES} more: see the picture."] * (len(lines) > _MOST_LINES)
    return "\n".join(["Danger", *lines[:_MOST_LINES], *more])
