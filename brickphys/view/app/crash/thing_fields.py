"""Thing fields: name, model and numbers of the thing of a scene that is chosen."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from nicegui import ui

from brickphys.errors import InvalidValueError
from brickphys.shapes.assembly_file import assembly, assembly_names
from brickphys.vehicles.scene import Scene, Thing, ThingType
from brickphys.vehicles.scene_edit import built_as, changed, values_of
from brickphys.view.app.crash.fault_words import LABELS
from brickphys.view.app.number_field import NumberField


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
