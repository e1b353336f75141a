"""Heading: what a page or a part of it is called."""

from nicegui import ui

_SIZES = {1: "text-h5", 2: "text-h6"}


def heading(text: str, level: int = 2) -> None:
    """Add a heading; that of the page has level 1."""
    with ui.element(f"h{level}").classes(_SIZES[level]):
        ui.label(text)
