"""Ordering: one goal for several units in the browser: who is chosen, their goals, and what each would do."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from brickphys.battles.ongoing_game import OngoingGame, Waits
from brickphys.rules.players.orders import Look, Orders, groups_of
from brickphys.rules.players.preview import preview
from brickphys.rules.players.prompt import Asked
from brickphys.text import spoken
from brickphys.view.app.battles.inputs import unit_of
from brickphys.view.app.battles.picture import GamePicture
from brickphys.view.app.battles.preview import drawn_together, drawn_units
from brickphys.view.app.elements import StatusLine
from brickphys.view.app.jobs import long

_HOW = "Choose figures: Shift and a click, or Shift and a drag around them in the picture, or:"
Do = Callable[[Orders[Any, Any, Any]], Awaitable[None]]


def moves(orders: Orders[Any, Any, Any], table: OngoingGame, begun: int) -> Iterator[Any]:
    """Yield what orders do up to the next roll, given how many steps there were when they began."""
    actors = {step.actor for step in table.session.steps[begun:]}
    while table.waits is Waits.CHOICE and not orders.is_done:
        yield orders.next(table.asked, actors) if (only := table.only) is None else only


class OrderPanel:
    """Offers orders while several units may be chosen; `do` carries them out."""

    def __init__(self, picture: GamePicture, note: StatusLine, do: Do) -> None:
        self._picture, self._note, self._do = picture, note, do
        self._look: Look[Any, Any, Any] | None = None
        self.shown: Orders[Any, Any, Any] | None = None
        self._place = ui.expansion("Orders for several").classes("w-full")
        with self._place:
            self._groups, self._goals = ui.element("div"), ui.element("div")
        picture.element.on("selected", self._selected, args=["detail"])
        self.offer(None)

    def offer(self, asked: Asked[Any, Any, Any] | None) -> None:
        """Offer orders where somebody is asked who of several units acts."""
        self._asked, self._look, self._chosen, self.shown = asked, None, list[str](), None
        firsts = [one for one in asked.actions if asked.game.chooses(one)] if asked else []
        names = [asked.game.format_action(one).split(" ")[1] for one in firsts] if asked else []
        self._place.visible = len(names) > 1
        self._groups.clear()
        self._goals.clear()
        if not self._place.visible:
            return
        with self._groups:
            ui.label(_HOW)
            groups = groups_of(map(spoken, names))
            self._buttons({group: partial(self._choose, group) for group in groups})

    async def show(self, text: str) -> None:
        """Show what units would do for a goal, by words such as ``archers: shoot``; it is done when it is sure."""
        asked, live = self._asked, self._picture.live
        assert asked is not None
        with self._note.reporting_faults():
            orders = await long(lambda: Orders(asked, text, self._look))
            found = [await long(preview, asked, actions) for actions in orders.previews]
            if self._asked is not asked or live is None:
                return
            if orders.is_sure:
                await self._do(orders)
                return
            self._picture.sketch(drawn_together(found, live))
            self._place.value, self.shown = True, orders
            self._goals.clear()
            with self._goals:
                with ui.row():
                    ui.button("Do it", on_click=lambda: self._do(orders))
                    ui.button("Leave it", on_click=lambda: self._show([])).props("outline")
                for line in orders.lines:
                    ui.label(line.strip())

    async def _selected(self, event: GenericEventArguments) -> None:
        """Add units that are selected in the picture; one alone that was chosen already is left out."""
        things = event.args.get("detail") if isinstance(event.args, dict) else None
        if self._asked is None or not isinstance(things, list):
            return
        names = {spoken(unit_of(one)) for one in things if isinstance(one, str)}
        is_out = len(names) == 1 and names <= {*self._chosen}
        await self._show([*({*self._chosen} - names if is_out else {*self._chosen} | names)])

    async def _choose(self, group: str) -> None:
        with self._note.reporting_faults():
            await self._show((await self._looked()).group(group))

    async def _show(self, units: Sequence[str]) -> None:
        """Show the units that are chosen, of those that have plans now, and their goals."""
        with self._note.reporting_faults():
            self.shown, look, live = None, await self._looked(), self._picture.live
            chosen = self._chosen = [unit for unit in look.units if unit in units]
            goals = await long(lambda: dict.fromkeys(g for one in chosen for g in look.goals(one)))
            if self._asked is not look.asked or live is None:
                return
            self._picture.sketch(drawn_units(chosen, live))
            self._place.value, group = True, ", ".join(chosen)
            self._goals.clear()
            with self._goals:
                ui.label(group or "Nobody who can act now is chosen.")
                shows = {goal: partial(self.show, f"{group}: {goal}") for goal in goals}
                self._buttons(shows, f"{group}: ")

    async def _looked(self) -> Look[Any, Any, Any]:
        """Return the plans that exist now, which are looked for once."""
        if self._look is None:
            assert self._asked is not None
            self._look = await long(Look, self._asked)
        return self._look

    def _buttons(self, does: Mapping[str, Callable[[], Awaitable[None]]], about: str = "") -> None:
        with ui.element("div").classes("live-orders"):
            for text, do in does.items():
                with ui.element("button").props("type=button").on("click", do) as button:
                    ui.label(text)
                button.props["aria-label"] = f"{about}{text}"
