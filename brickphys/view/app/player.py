"""Player: the player of scene recordings as an element of a page."""

from secrets import token_urlsafe

from nicegui import app, ui
from starlette.responses import Response

from brickphys.view.app.modules import PLAYER, STYLE
from brickphys.view.document import text_of
from brickphys.view.recording import SceneRecording

_SCENES = "/brickphys/scenes"
_scenes: dict[str, str] = {}
"""Documents by names that nobody can guess; each belongs to one open page."""


class ScenePlayer:
    """Shows one recording after the other; what a page does not show any more is forgotten."""

    def __init__(self) -> None:
        ui.add_head_html(f'<link rel="stylesheet" href="{STYLE}">')
        self._name = ""
        self.element = ui.element("div").classes("player-place")
        ui.context.client.on_delete(self._forget)

    def show(self, recording: SceneRecording) -> None:
        """Show a recording from its beginning."""
        self._forget()
        self._name = token_urlsafe(16)
        _scenes[self._name] = text_of(recording)
        ui.run_javascript(
            _SHOW.format(id=self.element.html_id, player=PLAYER, scene=f"{_SCENES}/{self._name}")
        )

    def _forget(self) -> None:
        _scenes.pop(self._name, None)


_SHOW = """
    const element = document.getElementById("{id}");
    const {{ Player }} = await import("{player}");
    const answer = await fetch("{scene}");
    try {{
        globalThis.player?.close();
        globalThis.player = new Player(element, await answer.json());
    }} catch (error) {{
        element.textContent = "This browser shows no pictures in three dimensions: WebGL is missing.";
    }}
"""


@app.get(f"{_SCENES}/{{name}}")
def scene(name: str) -> Response:
    """Return the document of a recording that is shown somewhere."""
    found = _scenes.get(name)
    if found is None:
        return Response("there is no such scene", status_code=404)
    return Response(found, media_type="application/json")
