"""Table: rows of text as an HTML table with headings, which screen readers can tell."""

from collections.abc import Iterable, Sequence
from html import escape

from brickphys.text import cleaned_line


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as HTML; all texts are escaped, the first of a row is its heading."""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in columns)
    body = "".join(
        f'<tr><th scope="row">{_text(row[0])}</th>'
        + "".join(f"<td>{_text(text)}</td>" for text in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<table class="brickphys-table"><caption>{_text(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _text(text: str) -> str:
    return escape(cleaned_line(text))
