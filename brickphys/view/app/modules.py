"""Modules: the files of the player as a server gives them out; only files with known names are ever read."""

import re
from functools import lru_cache
from importlib.resources import files

from brickphys.reading import shipped_text

FOLDER = "/brickphys"
"""Address below which they are."""
STYLE = f"{FOLDER}/player/player.css"
PAGE_STYLE = f"{FOLDER}/app/app.css"
FIRST_STYLE = f"{FOLDER}/player/page.css"
SHOW = f"{FOLDER}/app/show.js"
AWAY = f"{FOLDER}/app/away.js"
FIRST = f"{FOLDER}/app/first.js"
PICTURE = f"{FOLDER}/picture"
"""The first picture of a file."""
WHOLE = f"{FOLDER}/whole"
"""Is answered once all pages are loaded."""
LIVE = f"{FOLDER}/app/live.js"
LIVE_STYLE = f"{FOLDER}/app/live.css"
_PLACES = {
    "three": f"{FOLDER}/three/three.module.min.js",
    "three/addons/controls/OrbitControls.js": f"{FOLDER}/three/OrbitControls.js",
}
PRELOADS = "".join(
    f'<link rel="modulepreload" href="{FOLDER}/{name}">'
    for name in (
        "app/show.js",
        "player/player.js",
        "player/stage.js",
        "three/three.module.min.js",
        "three/three.core.min.js",
    )
)
"""Lets the browser load the largest modules of the player while the rest of a page is being made."""
_BARE = re.compile(r"""(from\s*)(["'])(three[\w./]*)\2""")
_KINDS = {".js": "text/javascript", ".css": "text/css"}


@lru_cache
def module_files() -> dict[str, tuple[str, str]]:
    """Return the content and its type of each file, by its address."""
    static = files("brickphys.view") / "static"
    return {
        f"{FOLDER}/{folder}/{entry.name}": (_text(entry.name, shipped_text(entry)), _KINDS[suffix])
        for folder in ("app", "player", "three")
        for entry in (static / folder).iterdir()
        for suffix in [entry.name[entry.name.rfind(".") :]]
        if suffix in _KINDS
    }


def _text(name: str, text: str) -> str:
    """Return a module whose imports are addresses of this server, not names."""
    if not name.endswith(".js"):
        return text
    return _BARE.sub(lambda found: f"{found[1]}{found[2]}{_PLACES[found[3]]}{found[2]}", text)
