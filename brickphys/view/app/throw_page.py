"""Throw page: the throw lab."""

from nicegui import run, ui

from brickphys.calibration.throw import throw
from brickphys.errors import BrickphysError
from brickphys.shapes.catalogue import SHAPE_EXAMPLES, parse_shape
from brickphys.throws.conditions import PRESETS
from brickphys.throws.floors import FLOORS
from brickphys.throws.surfaces import SURFACES
from brickphys.view.app.player import ScenePlayer
from brickphys.view.recording import SceneRecording
from brickphys.view.throw import throw_recording

_MOST_THROWS, _MOST_BRICKS, _MOST_SEED = 10_000, 12, 2**53 - 1


async def throw_page() -> None:
    """Add the fields of a throw, what came of it, and its picture."""
    with ui.row().classes("items-end"):
        shape = ui.select(list(SHAPE_EXAMPLES), value="2x2", label="Body", with_input=True)
        preset = ui.select(list(PRESETS), value="hand", label="Throw")
        floor = ui.select(list(FLOORS), value="plane", label="Floor")
        surface = ui.select(list(SURFACES), value="wood", label="Surface")
        bricks = ui.number("Together", value=1, min=1, max=_MOST_BRICKS, precision=0)
        throws = ui.number("Throws", value=200, min=1, max=_MOST_THROWS, precision=0)
        seed = ui.number("Seed", value=1, min=0, precision=0)
        button = ui.button("Throw")
    result = ui.label().props("role=status")
    player = ScenePlayer()

    async def go() -> None:
        button.disable()
        try:
            hands, together = _whole(throws.value, _MOST_THROWS), _whole(bricks.value, _MOST_BRICKS)
            names = str(shape.value), str(preset.value), str(floor.value), str(surface.value)
            made = await run.io_bound(
                _thrown, hands, together, _whole(seed.value, _MOST_SEED, 0), names
            )
            if made is not None:
                result.text, recording = made
                player.show(recording)
        except BrickphysError as error:
            result.text = str(error)
        finally:
            button.enable()

    button.on_click(go)


def _whole(value: float | None, most: int, least: int = 1) -> int:
    """Return what was typed as a whole number within its limits."""
    return min(max(int(value or 0), least), most)


def _thrown(
    hands: int, bricks: int, seed: int, names: tuple[str, str, str, str]
) -> tuple[str, SceneRecording]:
    """Return what came of some throws as a line, and the first of them as a recording.

    The body is one of the shapes by name: no file of a request is ever opened.
    """
    shape, preset, floor, surface = names
    parse_shape(shape)
    found = throw(
        shape, hands, bricks=bricks, preset=preset, floor=floor, surface=surface, seed=seed
    )
    return found.line(), throw_recording(found)
