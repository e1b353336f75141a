"""Glyphs: replaces characters that the font of the plots lacks."""

from matplotlib.font_manager import FontProperties, findfont, get_font


def drawable(text: str) -> str:
    r"""Return a text with the characters that the font of the plots lacks as escapes, such as ``\u7532``."""
    font = get_font(findfont(FontProperties()))
    return "".join(
        c if font.get_char_index(ord(c)) else c.encode("unicode_escape").decode() for c in text
    )


def label(text: str) -> str:
    """Return a drawable text in which no dollar sign begins a formula."""
    return drawable(text).replace("$", r"\$")


def heading(text: str) -> str:
    """Return `label` of each line of a text."""
    return "\n".join(map(label, text.split("\n")))
