"""Scene fields: what stands in a scene, and how it moves; faults of a scene in the words of these fields."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import isfinite
from typing import Any, Protocol

from nicegui import ui

from brickphys.errors import InvalidValueError
from brickphys.shapes.assembly import assembly, assembly_names
from brickphys.vehicles.scene import LIMITS, Piece, PivotTurn, Scene, Straight, Thing, ThingType
from brickphys.vehicles.scene_edit import built_as, changed, values_of
from brickphys.vehicles.sectors import Scheme
from brickphys.view.app.elements import explain, titled

LABELS = {
    "x_studs": "x, studs",
    "y_studs": "y, studs",
    "heading_deg": "Heading, degrees",
    "length_studs": "Length, studs",
    "width_studs": "Width, studs",
    "bottom_plates": "Underside, plates",
    "top_plates": "Top, plates",
    "speed": "Speed, points",
}
"""Value of a thing -> its name for people, with the unit."""
FIELD_LABELS = {"width_studs": "Field along x, studs", "height_studs": "Field along y, studs"}
_THING = re.compile(r"\b(?:vehicle|unit|decor)\[\d+\](?:\.(\w+))?: ([^;]*?) \(id '([^']*)'\)")
_FIELD = re.compile(r"\bfield\.(\w+):")
_PIECE = re.compile(r"\bmove\.piece\[(\d+)\]\.(\w+):")
_KEYS = {key: name for name, (key, _, _) in LIMITS.items()}
_PIECE_WORDS = {"ahead": "ahead", "direction_deg": "drift", "turn_deg": "turn", "pivot": "pivot"}


def fault_words(text: str) -> str:
    """Return a fault of `Scene` as it is told on the page: ``speed of jeep: 13 is not from 0 to 12``."""
    text = _THING.sub(lambda found: f"{_of(found[1])}{found[3]}: {found[2]}", text)
    text = _FIELD.sub(lambda found: f"{FIELD_LABELS[_KEYS[found[1]]].partition(',')[0]}:", text)
    text = _PIECE.sub(
        lambda found: f"{_PIECE_WORDS.get(found[2], found[2])} of piece {int(found[1]) + 1}:", text
    )
    return text.replace("move.lashed: ", "")


def _of(key: str | None) -> str:
    """Return the name of a key of a thing in a scene file, and that it is one of something; empty for none."""
    if not key:
        return ""
    label = LABELS.get(_KEYS.get(key, key), key).partition(",")[0]
    return f"{label.lower()} of "


class Edit(Protocol):
    """Changes the scene, or tells why not; then another thing may be the chosen one."""

    def __call__(self, change: Callable[[Scene], Scene], chosen: str | None = None) -> None:
        """Do it."""


_DECIMALS = 3
"""As shown; a number that nobody has changed keeps all of its own."""


class NumberField:
    """A labelled number, which changes the scene once it is entered, not with each digit.

    `change` returns the scene with a number, None if the field was cleared. A number that was there already changes
    nothing, but ends a fault that was told.
    """

    def __init__(
        self,
        label: str,
        edit: Edit,
        change: Callable[[Scene, float | None], Scene],
        step: float = 1.0,
        about: str = "",
    ) -> None:
        self._edit, self._change = edit, change
        self._shown: float | None = None
        self._element = ui.number(label, step=step).props("dense")
        if about:
            explain(self._element, about)
        self._element.on("change", self._entered, args=[])

    def show(self, value: float | None) -> None:
        """Show a number that something else has set."""
        self._shown = None if value is None else round(value, _DECIMALS) + 0.0
        self._element.value = self._shown

    def _entered(self) -> None:
        typed = self._element.value
        value = float(typed) if isinstance(typed, int | float) and isfinite(typed) else None
        is_same = value == self._shown
        self._edit(lambda scene: scene if is_same else self._change(scene, value))


_STEPS = {"x_studs": 0.5, "y_studs": 0.5, "heading_deg": 15.0}
"""Value -> the step of its field; 1 for the others."""
_PLATES = "Height over the ground, in plates; three plates are a brick."
_ABOUT = {
    "bottom_plates": _PLATES,
    "top_plates": _PLATES,
    "heading_deg": "Where its front points: 0 along x, counted counter-clockwise.",
    "speed": "It moves five studs for each point.",
}
_BLOCK = ""
_NO_MODEL = {
    ThingType.VEHICLE: "a block",
    ThingType.UNIT: "the usual figure",
    ThingType.DECOR: "a block",
}


def models(kind: ThingType) -> dict[str, str]:
    """Return the models of a kind of thing, value -> name; the first one is none."""
    wanted = "figure" if kind is ThingType.UNIT else kind.value
    known = [name for name in assembly_names() if assembly(name).kind == wanted]
    return {_BLOCK: _NO_MODEL[kind], **{name: name.replace("_", " ") for name in known}}


class ThingFields:
    """The fields of a thing; they stay while the same thing is chosen, so that the keyboard does, too."""

    def __init__(self, edit: Edit) -> None:
        self._edit = edit
        self._place = ui.element("div").classes("brickphys-fields w-full")
        self._numbers: dict[str, NumberField] = {}
        self._thing: Thing | None = None
        self._shown: tuple[object, ...] = ()

    def show(self, thing: Thing) -> None:
        """Show the values of a thing."""
        values = values_of(thing)
        self._thing, shown = thing, (thing.type, *values)
        if shown != self._shown:
            self._shown = shown
            self._build(thing)
        self._name.value = thing.id
        self._model.value = thing.model or _BLOCK
        for key, value in values.items():
            self._numbers[key].show(value)

    def _build(self, thing: Thing) -> None:
        self._place.clear()
        with self._place:
            self._name = ui.input("Name").props("dense maxlength=100")
            self._name.on("change", self._rename, args=[])
            self._model = ui.select(models(thing.type), value=thing.model or _BLOCK, label="Model")
            self._model.props("dense options-dense").on_value_change(self._rebuild)
            self._numbers = {
                key: NumberField(
                    LABELS[key],
                    self._edit,
                    partial(self._changed, key),
                    _STEPS.get(key, 1.0),
                    _ABOUT.get(key, ""),
                )
                for key in values_of(thing)
            }

    def _changed(self, key: str, scene: Scene, value: float | None) -> Scene:
        return changed(scene, self._id, **{key: _checked(key, value)})

    def _rename(self) -> None:
        name, new = self._id, str(self._name.value)
        if new != name:
            self._edit(lambda scene: changed(scene, name, id=new), new)

    def _rebuild(self) -> None:
        model = self._model.value or None
        if self._thing is not None and model != self._thing.model:
            name = self._id
            self._edit(lambda scene: built_as(scene, name, model))

    @property
    def _id(self) -> str:
        return "" if self._thing is None else self._thing.id


def _checked(key: str, value: float | None) -> float:
    if value is None:
        raise InvalidValueError(f"{LABELS[key]}: a number is missing")
    if key != "speed":
        return value
    if value != int(value):
        raise InvalidValueError(f"speed {value:g} is not a whole number")
    return int(value)


_NEW_STRAIGHT, _NEW_TURN = Straight(5.0), PivotTurn(30.0)
_MOST_PIECES = 30
_SECTORS = {
    Scheme.QUADRANT.value: "by the direction (quadrant)",
    Scheme.CORNER.value: "by its corners (corner)",
    Scheme.CONTACT.value: "by the face touched (contact)",
}
_PIECES = {
    Straight: ("straight on", ("Ahead, studs", "Drift to, degrees")),
    PivotTurn: ("turn", ("Turn, degrees", "Pivot ahead, studs", "Pivot to the left, studs")),
}
"""Kind of piece -> its name, and its numbers."""


class MoveFields:
    """The fields of a move: who makes it, on which course, and the size of the field."""

    def __init__(self, edit: Edit) -> None:
        self._edit = edit
        self._scene: Scene | None = None
        with ui.element("div").classes("brickphys-fields w-full"):
            self._mover = ui.select([], label="Moves").props("dense options-dense")
            self._lashed = ui.select([], multiple=True, value=[], label="Tied to it (lashed)")
            self._lashed.props("dense options-dense")
            explain(self._lashed, "Vehicles that go with the one that moves, as one body.")
        self._sectors = ui.select(_SECTORS, label="Which side is hit (sector)")
        self._sectors.props("dense options-dense").classes("w-full")
        self._mover.on_value_change(lambda event: self._choose("mover_id", event.value))
        self._lashed.on_value_change(lambda event: self._choose("lashed", tuple(event.value)))
        self._sectors.on_value_change(lambda event: self._choose("scheme", Scheme(event.value)))
        self._course = ui.element("div").classes("w-full")
        self._pieces: list[list[NumberField]] = []
        self._kinds: tuple[type[Piece], ...] | None = None
        with ui.row().classes("gap-2"):
            for text, piece in (("Add a straight piece", _NEW_STRAIGHT), ("Add a turn", _NEW_TURN)):
                ui.button(text, on_click=partial(self._add, piece)).props("flat dense")
        with ui.element("div").classes("brickphys-fields w-full"):
            self._size = {
                key: NumberField(label, edit, partial(_resized, key))
                for key, label in FIELD_LABELS.items()
            }

    def show(self, scene: Scene) -> None:
        """Show the move of a scene."""
        self._scene = scene
        names = [vehicle.id for vehicle in scene.vehicles]
        self._mover.set_options(names, value=scene.mover_id)
        others = [name for name in names if name != scene.mover_id]
        self._lashed.set_options(others, value=list(scene.lashed))
        self._sectors.value = scene.scheme.value
        kinds = tuple(type(piece) for piece in scene.course)
        if kinds != self._kinds:
            self._kinds = kinds
            self._build(scene)
        for fields, piece in zip(self._pieces, scene.course, strict=True):
            for field, value in zip(fields, _values(piece), strict=True):
                field.show(value)
        for key, field in self._size.items():
            field.show(getattr(scene.bounds, key))

    def _build(self, scene: Scene) -> None:
        self._course.clear()
        self._pieces = []
        with self._course:
            if not scene.course:
                ui.label("It goes straight on: five studs for each point of its speed.").classes(
                    "text-sm"
                )
            for number, piece in enumerate(scene.course):
                what, labels = _PIECES[type(piece)]
                with titled(f"{number + 1}. {what}").classes("w-full"):
                    with ui.element("div").classes("brickphys-fields w-full"):
                        self._pieces.append(
                            [
                                NumberField(label, self._edit, partial(_with_value, number, place))
                                for place, label in enumerate(labels)
                            ]
                        )
                    remove = ui.button("Take out", on_click=partial(self._remove, number))
                    remove.props(f'flat dense aria-label="Take out piece {number + 1}"')

    def _choose(self, key: str, value: Any) -> None:
        """Take a value that was chosen; who moves is tied to nobody."""
        scene = self._scene
        if scene is None or value in (None, getattr(scene, key)):
            return
        lashed = tuple(name for name in scene.lashed if name != value)
        changes = {"lashed": lashed, key: value}
        self._edit(lambda scene: replace(scene, **changes))

    def _add(self, piece: Piece) -> None:
        def added(scene: Scene) -> Scene:
            if len(scene.course) >= _MOST_PIECES:
                raise InvalidValueError(f"a course has at most {_MOST_PIECES} pieces here")
            return replace(scene, course=(*scene.course, piece))

        self._edit(added)

    def _remove(self, number: int) -> None:
        self._edit(lambda scene: _with_piece(scene, number))


def _resized(key: str, scene: Scene, value: float | None) -> Scene:
    return replace(scene, bounds=replace(scene.bounds, **{key: _needed(value)}))


def _with_value(number: int, place: int, scene: Scene, value: float | None) -> Scene:
    piece = scene.course[number]
    values = _values(piece)
    values[place] = value
    if isinstance(piece, PivotTurn):
        turn, ahead, left = map(_needed, values)
        return _with_piece(scene, number, PivotTurn(turn, (ahead, left)))
    return _with_piece(scene, number, Straight(_needed(values[0]), values[1]))


def _with_piece(scene: Scene, number: int, *pieces: Piece) -> Scene:
    before, after = scene.course[:number], scene.course[number + 1 :]
    return replace(scene, course=(*before, *pieces, *after))


def _values(piece: Piece) -> list[float | None]:
    if isinstance(piece, PivotTurn):
        return [piece.turn_deg, *piece.pivot_studs]
    return [piece.ahead_studs, piece.direction_deg]


def _needed(value: float | None) -> float:
    if value is None:
        raise InvalidValueError("a number is missing")
    return value
