"""HTML of pages: rows as a table, whose headings a screen reader reads out, or as a list; figures as images; laws.

A cell with a chance has a bar. All texts are escaped.
"""

import base64
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from brickphys.odds.law import Law
from brickphys.text import cell_text, cleaned_line, percent, percent_range, spoken

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Chance(NamedTuple):
    """A cell with the bar of a chance."""

    share: float
    ends: tuple[float, float] | None = None
    """Its range, which the bar shows as a line; None if it has none."""


Cell = str | Chance


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table as HTML; all texts are escaped, the first of a row is its heading.

    A column without a name has none in HTML, either: the cell above the headings of rows. A row of one cell among
    others is the heading of those below it.
    """
    head = "".join(
        f'<th scope="col">{_text(name)}</th>' if name else "<td></td>" for name in columns
    )
    body = "".join(
        f'<tr><th scope="row">{_cell(row[0])}</th>'
        + "".join(f"<td>{_cell(cell)}</td>" for cell in row[1:])
        + "</tr>"
        if len(row) == len(columns)
        else f'<tr><th scope="colgroup" colspan="{len(columns)}">{_cell(row[0])}</th></tr>'
        for row in rows
    )
    return (  # what is too wide for a phone is scrolled, also by keys
        f'<div class="brickphys-scroll" role="group" aria-label="{_text(caption)}" tabindex="0">'
        f'<table class="brickphys-table"><caption>{_text(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def html_list(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows as a list that fits anywhere: the first text, then the others with the names of their columns.

    All texts are escaped; empty ones are left out. A text alone is the heading of those below it.
    """
    items = "".join(
        f"<li{'' if others else ' class=group'}><b>{_text(first)}</b>"
        + "".join(
            f"<span><small>{_text(name)}</small> {_text(text)}</span>"
            for name, text in zip(columns[1:], others, strict=False)
            if text
        )
        + "</li>"
        for first, *others in rows
    )
    return f'<div class="brickphys-list"><p>{_text(caption)}</p><ul>{items}</ul></div>'


def row_texts(row: Mapping[str, object], columns: Sequence[str]) -> list[str]:
    """Return the values of a row as texts, numbers short; what it does not have is empty."""
    return [cell_text(row.get(name)) for name in columns]


def _cell(cell: Cell) -> str:
    """Return a cell; a bar says its chance in text, too."""
    if isinstance(cell, str):
        return _text(cell)
    text, line = f"<span>{_text(percent(cell.share))}</span>", ""
    if cell.ends is not None:
        low, high = cell.ends
        text += f" <small>{percent_range(low, high)}</small>"
        line = f'<i style="left:{100 * low:.2f}%;width:{100 * (high - low):.2f}%"></i>'
    bar = f'<b style="width:{100 * cell.share:.2f}%"></b>{line}'
    return f'<span class="brickphys-bar" aria-hidden="true">{bar}</span><span>{text}</span>'


def _text(text: str) -> str:
    return escape(cleaned_line(text))


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


_LAW_COLUMNS = ("Pose", "Bodies", "Share", "95 % interval")


def law_line(law: Law) -> str:
    """Return what a law says as a sentence."""
    return f"{law.line()[:1].upper()}{law.line()[1:]}."


def law_table(law: Law) -> str:
    """Return the shares of the poses as HTML."""
    bodies = sum(law.counts.values())
    rows = [
        (
            spoken(pose),
            f"{count:,}",
            percent(count / bodies, 2),
            percent_range(*law.poses_ci95[pose]),
        )
        for pose, count in law.counts.items()
    ]
    return html_table("How bricks came to rest", _LAW_COLUMNS, rows)
