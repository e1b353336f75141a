"""Scene fields: what stands in a scene, and how it moves; faults of a scene in the words of these fields."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol

from nicegui import ui

from brickphys.errors import InvalidValueError
from brickphys.shapes.assembly import assembly, assembly_names
from brickphys.vehicles.scene import LIMITS, Piece, PivotTurn, Scene, Straight, Thing, ThingType
from brickphys.vehicles.scene_edit import built_as, changed, values_of
from brickphys.vehicles.sectors import Scheme
from brickphys.view.app.elements import NumberField, explain

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
    """The fields; they stay where they are while the same thing is chosen, so that the keyboard does, too."""

    def __init__(self, edit: Edit) -> None:
        self._edit = edit
        self._place = ui.element("div").classes("brickphys-fields w-full")
        self._shown: tuple[object, ...] = ()
        self._numbers: dict[str, NumberField] = {}
        self._thing: Thing | None = None

    def show(self, thing: Thing) -> None:
        """Show the values of a thing."""
        values = values_of(thing)
        self._thing = thing
        if (thing.type, *values) != self._shown:
            self._shown = (thing.type, *values)
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
                    partial(self._set, key),
                    step=_STEPS.get(key, 1.0),
                    same=lambda: self._edit(lambda scene: scene),
                    about=_ABOUT.get(key, ""),
                )
                for key in values_of(thing)
            }

    def _rename(self) -> None:
        name, new = self._id, str(self._name.value)
        if new != name:
            self._edit(lambda scene: changed(scene, name, id=new), new)

    def _rebuild(self) -> None:
        model = self._model.value or None
        if self._thing is not None and model != self._thing.model:
            name = self._id
            self._edit(lambda scene: built_as(scene, name, model))

    def _set(self, key: str, value: float | None) -> None:
        name = self._id
        self._edit(lambda scene: changed(scene, name, **{key: _checked(key, value)}))

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


class MoveFields:
    """The fields."""

    def __init__(self, edit: Edit) -> None:
        self._edit = edit
        self._scene: Scene | None = None
        with ui.element("div").classes("brickphys-fields w-full"):
            self._mover = ui.select([], label="Moves").props("dense options-dense")
            self._lashed = ui.select([], multiple=True, value=[], label="Tied to it (lashed)")
            self._lashed.props("dense options-dense")
            explain(self._lashed, "Vehicles that go with the one that moves, as one body.")
            self._mover.on_value_change(self._set_mover)
            self._lashed.on_value_change(self._set_lashed)
        self._sectors = ui.select(_SECTORS, label="Which side is hit (sector)")
        self._sectors.props("dense options-dense").classes("w-full")
        self._sectors.on_value_change(self._set_sectors)
        self._course = ui.element("div").classes("w-full")
        self._pieces: list[list[NumberField]] = []
        self._kinds: tuple[type[Piece], ...] | None = None
        with ui.row().classes("gap-2"):
            ui.button("Add a straight piece", on_click=partial(self._add, _NEW_STRAIGHT)).props(
                "flat dense"
            )
            ui.button("Add a turn", on_click=partial(self._add, _NEW_TURN)).props("flat dense")
        with ui.element("div").classes("brickphys-fields w-full"):
            self._width, self._height = (
                NumberField(label, partial(self._resize, key), same=self._nothing)
                for key, label in FIELD_LABELS.items()
            )

    def _nothing(self) -> None:
        """Change nothing: a fault that was told is over."""
        self._edit(lambda scene: scene)

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
        self._width.show(scene.bounds.width_studs)
        self._height.show(scene.bounds.height_studs)

    def _build(self, scene: Scene) -> None:
        self._course.clear()
        self._pieces = []
        with self._course:
            if not scene.course:
                ui.label("It goes straight on: five studs for each point of its speed.").classes(
                    "text-sm"
                )
            for number, piece in enumerate(scene.course):
                with ui.element("fieldset").classes("w-full"):
                    what = "turn" if isinstance(piece, PivotTurn) else "straight on"
                    with ui.element("legend"):
                        ui.label(f"{number + 1}. {what}")
                    with ui.element("div").classes("brickphys-fields w-full"):
                        self._pieces.append(self._piece_fields(number, piece))
                    remove = ui.button("Take out", on_click=partial(self._remove, number))
                    remove.props(f'flat dense aria-label="Take out piece {number + 1}"')

    def _piece_fields(self, number: int, piece: Piece) -> list[NumberField]:
        labels = (
            ("Turn, degrees", "Pivot ahead, studs", "Pivot to the left, studs")
            if isinstance(piece, PivotTurn)
            else ("Ahead, studs", "Drift to, degrees")
        )
        return [
            NumberField(label, partial(self._set_piece, number, place), same=self._nothing)
            for place, label in enumerate(labels)
        ]

    def _set_mover(self) -> None:
        mover, scene = self._mover.value, self._scene
        if scene is not None and mover not in (None, scene.mover_id):
            lashed = tuple(name for name in scene.lashed if name != mover)
            self._edit(lambda scene: replace(scene, mover_id=mover, lashed=lashed))

    def _set_sectors(self) -> None:
        if self._scene is not None and self._sectors.value != self._scene.scheme.value:
            scheme = Scheme(self._sectors.value)
            self._edit(lambda scene: replace(scene, scheme=scheme))

    def _set_lashed(self) -> None:
        lashed = tuple(self._lashed.value)
        if self._scene is not None and lashed != self._scene.lashed:
            self._edit(lambda scene: replace(scene, lashed=lashed))

    def _resize(self, key: str, value: float | None) -> None:
        self._edit(
            lambda scene: replace(scene, bounds=replace(scene.bounds, **{key: _needed(value)}))
        )

    def _add(self, piece: Piece) -> None:
        def added(scene: Scene) -> Scene:
            if len(scene.course) >= _MOST_PIECES:
                raise InvalidValueError(f"a course has at most {_MOST_PIECES} pieces here")
            return replace(scene, course=(*scene.course, piece))

        self._edit(added)

    def _remove(self, number: int) -> None:
        self._edit(
            lambda scene: replace(scene, course=scene.course[:number] + scene.course[number + 1 :])
        )

    def _set_piece(self, number: int, place: int, value: float | None) -> None:
        def with_value(scene: Scene) -> Scene:
            values = _values(scene.course[number])
            values[place] = value
            piece = _piece(scene.course[number], values)
            return replace(
                scene, course=(*scene.course[:number], piece, *scene.course[number + 1 :])
            )

        self._edit(with_value)


def _values(piece: Piece) -> list[float | None]:
    if isinstance(piece, PivotTurn):
        return [piece.turn_deg, *piece.pivot_studs]
    return [piece.ahead_studs, piece.direction_deg]


def _piece(like: Piece, values: list[float | None]) -> Piece:
    if isinstance(like, PivotTurn):
        turn, ahead, left = values
        return PivotTurn(_needed(turn), (_needed(ahead), _needed(left)))
    way, direction = values
    return Straight(_needed(way), direction)


def _needed(value: float | None) -> float:
    if value is None:
        raise InvalidValueError("a number is missing")
    return value
