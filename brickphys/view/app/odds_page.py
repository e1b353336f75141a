"""Odds page: the odds desk: exact odds by bricks or by the units of a game, and real rolls beside the law."""

from collections.abc import Callable

from nicegui import ui

from brickphys.odds.law import Law
from brickphys.view.app.desk.brick_odds import BrickOdds
from brickphys.view.app.desk.game_odds import GameOdds, offered_rolls
from brickphys.view.app.desk.law_field import LawField, shipped
from brickphys.view.app.desk.real_rolls import RealRolls
from brickphys.view.app.glossary import glossary
from brickphys.view.app.jobs import quick

_Way = BrickOdds | GameOdds | RealRolls


async def odds_page(own: Law | None = None) -> None:
    """Add the law, at first one of a file if there is one, and a tab for each way to ask."""
    laws, rolls = await quick(shipped), await quick(offered_rolls)
    ways: list[_Way] = []

    def changed() -> None:
        for way in ways:
            way.refresh()

    law = LawField(laws, changed, own)
    with ui.tabs().props("align=left dense no-caps") as tabs:
        names = [ui.tab(name) for name in ("By bricks", "By units of a game", "Real rolls")]
    makers: tuple[Callable[[], _Way], ...] = (
        lambda: BrickOdds(law),
        lambda: GameOdds(law, rolls),
        lambda: RealRolls(law),
    )
    with ui.tab_panels(tabs, value=names[0], animated=False).props("keep-alive").classes("w-full"):
        for name, make in zip(names, makers, strict=True):
            with ui.tab_panel(name).classes("p-0"):
                ways.append(make())
    glossary(
        *(
            "Law",
            "Alone or with others",
            "Score",
            "Success",
            "95 % interval",
            "90 % range",
            "Percentage points",
            "p-value",
        )
    )
