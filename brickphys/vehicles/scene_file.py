"""Scene files: a scene as TOML, in studs, degrees and plates, checked when read and written whole or not at all."""

from pathlib import Path

from brickphys.errors import InvalidValueError, SceneFileError
from brickphys.files import parse_toml, read_text
from brickphys.text import listed
from brickphys.vehicles.scene import Scene
from brickphys.vehicles.scene_table import tables


def read_scene(path: Path | str) -> Scene:
    """Read a scene file.

    Raises
    ------
    SceneFileError
        If the file cannot be read, is no TOML, or has any fault; one line lists the faults as ``key.path: what``.
    """
    try:
        text = read_text(path)
    except InvalidValueError as error:
        raise SceneFileError(str(error)) from None
    return parse_scene(text, str(path))


def parse_scene(text: str, name: str = "scene") -> Scene:
    """Return the scene in a text; `name` begins the message of an error (see `read_scene`)."""
    from brickphys.vehicles.scene_faults import faults
    from brickphys.vehicles.scene_schema import scene_of

    try:
        raw = parse_toml(text, name)
    except InvalidValueError as error:
        raise SceneFileError(str(error)) from None
    found = faults(raw)
    if found:
        raise SceneFileError(f"{name}: {listed(found)}")
    return scene_of(raw)


def scene_text(scene: Scene) -> str:
    """Return a scene as the text of a scene file; reading it gives the same scene."""
    import tomli_w

    return tomli_w.dumps(tables(scene))
