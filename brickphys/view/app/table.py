"""Table: rows of text as an HTML table with headings, which screen readers can tell."""

from collections.abc import Iterable, Mapping, Sequence
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


def row_texts(row: Mapping[str, object], columns: Sequence[str]) -> list[str]:
    """Return the values of a row as texts, numbers short; what it does not have is empty."""
    return [_value(row.get(name)) for name in columns]


def _value(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _text(text: str) -> str:
    return escape(cleaned_line(text))
