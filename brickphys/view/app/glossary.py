"""Glossary: what the terms of a page mean, and those of a game's book."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from nicegui import ui

from brickphys.reading import shipped_toml


@cache
def _meanings(package: str, folder: str = "data") -> Mapping[str, Any]:
    """Return the meanings in a package of a game, by their terms; none if it has no file of them."""
    file = files(package) / folder / "terms.toml"
    return shipped_toml(file) if file.is_file() else {}


def glossary(*terms: str) -> None:
    """Add the explanations of terms of a page."""
    meanings = _meanings(__package__, "")
    entries = "".join(f"<dt>{escape(term)}</dt><dd>{escape(meanings[term])}</dd>" for term in terms)
    ui.html(
        f"<details><summary>Terms of this page</summary><dl>{entries}</dl></details>",
        sanitize=False,
    ).classes("brickphys-terms")


def terms_of(module: str, texts: Iterable[str]) -> None:
    """Add the terms of a game that stand in some texts: each is explained under the pointer, and if it has the focus.

    The package of the game's module has the file ``data/terms.toml``.
    """
    package, text = module.rpartition(".")[0], " ".join(texts)
    meanings = _meanings(package) if package else {}
    parts = [
        f'<span><button type="button" aria-describedby="term{number}">{escape(term)}</button>'
        f'<span role="tooltip" id="term{number}">{escape(meaning)}</span></span>'
        for number, (term, meaning) in enumerate(meanings.items())
        if re.search(rf"\b{re.escape(term)}(s|ed)?\b", text, re.IGNORECASE)
    ]
    if parts:
        ui.html(f"Terms: {' '.join(parts)}", sanitize=False).classes("brickphys-words")
