"""HTML image: a matplotlib figure as an image within a page."""

import base64
import io
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from brickphys.text import cleaned_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 100


def png_of(draw: Callable[[], "Figure"]) -> bytes:
    """Return what a function draws as PNG."""
    target = io.BytesIO()
    draw().savefig(target, dpi=_DPI)
    return target.getvalue()


def html_image(png: bytes, text: str) -> str:
    """Return an image as HTML; the text says what it shows, and is escaped."""
    address = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    return f'<img class="brickphys-picture" src="{address}" alt="{escape(cleaned_line(text))}">'
