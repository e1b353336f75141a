"""Player: the player of scene recordings as an element of a page."""

import json
from dataclasses import asdict, dataclass
from secrets import token_urlsafe
from typing import Any

from nicegui import app, ui
from starlette.responses import Response

from brickphys.view.app.jobs import quick
from brickphys.view.app.start_page import SHOW, STILL, STYLE
from brickphys.view.document import text_of
from brickphys.view.recording import SceneRecording

_SCENES = "/brickphys/scenes"
_scenes: dict[str, str] = {}
"""Documents by names that nobody can guess; each belongs to one open page."""


@dataclass(frozen=True)
class Arrangement:
    """What a person may move in a scene."""

    ids: tuple[str, ...]
    """Things that can be moved."""
    turns: tuple[str, ...]
    """Those that can be turned."""
    chosen: str = ""
    """The one that is framed; empty for none."""


class ScenePlayer:
    """Shows one recording after the other; what a page does not show any more is forgotten."""

    def __init__(self) -> None:
        ui.add_head_html(f'<link rel="stylesheet" href="{STYLE}">')
        self._name = ""
        self.element = ui.element("div").classes("player-place")
        ui.context.client.on_delete(self._forget)

    async def show(self, recording: SceneRecording, **options: Any) -> None:
        """Show a recording from its beginning, with the options of `show_document`."""
        self.show_document(await quick(text_of, recording), **options)

    def show_document(
        self,
        document: str,
        *,
        is_same: bool = False,
        arrange: Arrangement | None = None,
        plays: bool = False,
        is_over: bool = False,
    ) -> None:
        """Show the document of a recording, as `text_of` writes it, from its beginning, or its end if it `is_over`.

        Of the scene that was there, as it is now (`is_same`), the camera stays where it is. A recording that `plays` is
        scrolled into view, and plays at once unless the browser is asked to show little that moves.
        """
        options = {"isSame": is_same, "plays": plays, "isOver": is_over}
        moved = arrange and asdict(arrange)
        given = json.dumps({**self._offered(document), **options, "arrange": moved})
        self.element.client.run_javascript(f"(await import({json.dumps(SHOW)})).show({given})")

    def hide(self) -> None:
        """Hide what is shown, and empty its caption: a screen reader would read it again with the next one."""
        self.element.set_visibility(False)
        self.element.client.run_javascript('globalThis.player?.story.say("")')

    def _offered(self, document: str) -> dict[str, str]:
        """Return where the browser gets a document, which takes the place of the last one, and for which element."""
        self._forget()
        self._name = token_urlsafe(16)
        _scenes[self._name] = document
        return {"id": self.element.html_id, "scene": f"{_SCENES}/{self._name}"}

    def _forget(self) -> None:
        _scenes.pop(self._name, None)


class StillPicture(ScenePlayer):
    """Shows a recording as it begins, as an image."""

    def __init__(self) -> None:
        super().__init__()
        self.element.classes(replace="brickphys-still")

    def show_document(self, document: str, **_: Any) -> None:
        """Show the document of a recording in the place of the last one."""
        given = json.dumps(self._offered(document))
        self.element.client.run_javascript(f"(await import({json.dumps(STILL)})).still({given})")


@app.get(f"{_SCENES}/{{name}}")
def scene(name: str) -> Response:
    """Return the document of a recording that is shown somewhere."""
    found = _scenes.get(name)
    if found is None:
        return Response("there is no such scene", status_code=404)
    # no copy stays on the disk of the browser: another person may come to the screen
    headers = {"Cache-Control": "no-store"}
    return Response(found, media_type="application/json", headers=headers)
