"""Throw fields: body, throw and tables of the throw lab, which the tab keeps."""

import json
from contextlib import suppress
from typing import Any

from nicegui import ui
from pydantic import TypeAdapter

from brickphys.errors import InvalidValueError, unknown
from brickphys.seeds import MAX_ROOT
from brickphys.shapes.catalogue import SHAPE_EXAMPLES
from brickphys.throws.conditions import PRESETS
from brickphys.throws.floors import FLOORS
from brickphys.throws.surfaces import SURFACES
from brickphys.view.app.jobs import quick
from brickphys.view.app.lab.lab_throw import LabTable, LabThrow
from brickphys.view.app.lab.own_things import OwnThings, own_panel
from brickphys.view.app.number_field import RefusedNumber, whole
from brickphys.view.app.tab_storage import TabStorage

MOST_BRICKS = 12
_KEPT = TypeAdapter(list[bool | int | float | str | None])
"""Values of all fields, in order."""


class TableFields:
    """Floor, surface, friction and restitution of one table."""

    def __init__(self, own: OwnThings, title: str, surface: str, which: str = "") -> None:
        self._own = own
        with ui.row().classes("items-end") as self.row:
            ui.label(title).classes("min-w-20 pb-2")
            self._floor = ui.select(
                list(FLOORS), value="plane", label=_label(which, "floor")
            ).classes("min-w-36")
            self.surface = ui.select(list(SURFACES), value=surface, label=_label(which, "surface"))
            self.surface.classes("min-w-36")
            self._friction = _coefficient(_label(which, "friction"), 5.0)
            self._restitution = _coefficient(_label(which, "restitution"), 1.0)

    @property
    def elements(self) -> tuple[Any, ...]:
        """All fields."""
        return self._floor, self.surface, self._friction, self._restitution

    def table(self) -> LabTable:
        """Return the table; InvalidValueError if a value is impossible."""
        surface, files = self._own.surface(str(self.surface.value))
        friction, restitution = self._friction.value, self._restitution.value
        table = LabTable(str(self._floor.value), surface, friction, restitution, files)
        _ = table.contact  # raises
        return table


class ThrowFields:
    """All that is asked of a throw."""

    def __init__(self) -> None:
        self._own = OwnThings()
        with ui.row().classes("items-start"):
            self._shape = ui.select(
                list(SHAPE_EXAMPLES), value="2x2", label="Body", new_value_mode="add-unique"
            )
            self._shape.props('hint="or a shape such as 2x3, d6:12"')
            self._preset = ui.select(list(PRESETS), value="hand", label="Throw").classes("min-w-36")
            self._bricks = RefusedNumber("Together", value=1, min=1, max=MOST_BRICKS, step=1)
            self._bricks.classes("w-28")
            self._seed = RefusedNumber("Seed", value=1, min=0, step=1).classes("w-64")
            self._seed.props(
                'hint="fixes all chance: an old seed repeats its throw; each throw takes the next one"'
            )
        self._tables = [TableFields(self._own, "Table", "wood")]
        self._has_two = ui.checkbox("Beside a second table")
        self._tables.append(TableFields(self._own, "Second table", "glass", "second"))
        self._tables[1].row.bind_visibility_from(self._has_two, "value")
        own_panel(self._own, self._added)
        tables = (one for table in self._tables for one in table.elements)
        self._elements = self._shape, self._preset, self._bricks, self._seed, self._has_two, *tables
        self._storage = TabStorage("brickphys-throw")
        ui.timer(0, self._go_on, once=True)

    async def _go_on(self) -> None:
        """Take what the tab has kept from before the page was loaded again; from now on keep each change."""
        *lines, values = (await self._storage.kept()).split("\n")
        for line in lines:
            with suppress(ValueError):
                self._offer(*await quick(self._own.add_line, line))
        with suppress(ValueError):
            self._take(_KEPT.validate_json(values))
        for element in self._elements:
            element.on_value_change(self._keep)

    def _take(self, values: list[bool | int | float | str | None]) -> None:
        """Show the values of all fields but those that a field cannot have; ValueError if their number is another."""
        pairs = list(zip(self._elements, values, strict=True))
        if isinstance(shape := values[0], str):
            with suppress(ValueError):
                self._own.body(shape)
                self._offer("body", shape)
        for element, value in pairs:
            if _fits(element, value):
                element.set_value(value)

    def _keep(self) -> None:
        values = json.dumps([one.value for one in self._elements])
        self._storage.keep("\n".join([*self._own.kept_lines(), values]))

    def throws(self) -> list[LabThrow]:
        """Return the throw on each table; whether its cell is possible is not known yet.

        Raises
        ------
        InvalidValueError
            If something else is impossible, or both tables are the same.
        """
        shape = self._own.body(str(self._shape.value or ""))
        bricks, seed = whole(self._bricks, 1, MOST_BRICKS), whole(self._seed, 0, MAX_ROOT - 1)
        tables = [one.table() for one in self._tables[: 2 if self._has_two.value else 1]]
        if len(tables) == 2 and tables[0] == tables[1]:
            raise InvalidValueError("the second table is the same as the first one")
        preset = str(self._preset.value)
        if preset not in PRESETS:
            raise unknown("throw", preset, PRESETS)
        return [LabThrow(shape, preset, bricks, seed, table) for table in tables]

    def move_on(self) -> None:
        """Take the next seed: the next throw is another one."""
        self._seed.value = (whole(self._seed, 0, MAX_ROOT - 1) + 1) % MAX_ROOT

    def _added(self, kind: str, name: str) -> None:
        """Offer, choose and keep a body or a surface that was defined."""
        self._offer(kind, name)
        self._keep()

    def _offer(self, kind: str, name: str) -> None:
        """Offer and choose a body or a surface."""
        chosen = self._shape if kind == "body" else self._tables[0].surface
        for select in [chosen] if kind == "body" else [one.surface for one in self._tables]:
            if name not in select.options:
                select.set_options([*select.options, name])
        chosen.set_value(name)


def _label(which: str, what: str) -> str:
    return f"{which} {what}".strip().capitalize()


def _fits(element: Any, value: object) -> bool:
    """Whether a field can have a value."""
    if isinstance(element, ui.select):
        return value in element.options
    if isinstance(element, ui.checkbox):
        return isinstance(value, bool)
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _coefficient(label: str, most: float) -> ui.number:
    number = RefusedNumber(label, min=0, max=most, step=0.05, placeholder="usual")
    return number.props("clearable stack-label").classes("w-36")
