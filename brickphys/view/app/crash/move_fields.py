"""Move fields: which vehicle of a scene moves, how, which go with it, and the size of the field."""

from dataclasses import replace
from functools import partial

from nicegui import ui

from brickphys.errors import InvalidValueError
from brickphys.vehicles.piece import Piece, PivotTurn, Straight
from brickphys.vehicles.scene import Scene
from brickphys.vehicles.sectors import Scheme
from brickphys.view.app.crash.fault_words import FIELD_LABELS
from brickphys.view.app.crash.thing_fields import Edit
from brickphys.view.app.number_field import NumberField, explain

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
