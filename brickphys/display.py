"""Display: shows a value as a line at a prompt, a table in a notebook, rows for pandas, JSON or a picture."""

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar

from brickphys.errors import ArgumentError, UnknownNameError, needing
from brickphys.text import cell_text, nearest

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Row = Mapping[str, object]


SCHEMA_VERSION = 1


def plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document as reading its JSON gives it: lists for tuples, texts for keys; NaN is a ValueError."""
    found: dict[str, Any] = json.loads(json.dumps(document, allow_nan=False, default=dict))
    return found


def json_object(kind: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document as the JSON object of a command, its schema first."""
    return plain({"schema": f"brickphys.{kind}/{SCHEMA_VERSION}", **document})


class Displayed:
    """A value that people see. A subclass gives its line and its rows.

    A dataclass that inherits from it needs ``repr=False``, or its own long text comes first.

    Attributes
    ----------
    instead
        Names that people try, and what to write instead.
    """

    instead: ClassVar[Mapping[str, str]] = {}

    def line(self) -> str:
        """Return what the value says in one line."""
        raise NotImplementedError

    def rows(self) -> Sequence[Row]:
        """Return the rows of its table; units are in the names of the columns."""
        raise NotImplementedError

    def to_pandas(self) -> "pd.DataFrame":
        """Return its rows as a data frame.

        Raises
        ------
        MissingExtraError
            Without pandas.
        """
        with needing("analysis", "pandas"):
            import pandas as pd
        return pd.DataFrame(list(self.rows()))

    def __repr__(self) -> str:
        return f"<{self.line()}>"

    if not TYPE_CHECKING:  # a type checker knows which names there are

        def __getattr__(self, name: str) -> Any:
            """Say what there is instead of a name that is not there."""
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)  # raises; of a property its own error
            raise no_attribute(self, name, self.instead)

    def _repr_html_(self) -> str:
        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        head = _table_row("th", names)
        body = [
            _table_row("td", [cell_text(row.get(name)) for name in names]) for row in rows[:_MOST]
        ]
        more = f"<p>and {len(rows) - _MOST:,} more rows</p>" if len(rows) > _MOST else ""
        return f"<p>{escape(self.line())}</p><table>{head}{''.join(body)}</table>{more}"


def no_attribute(value: object, name: str, instead: Mapping[str, str]) -> UnknownNameError:
    """Return the error for a name that a value does not have: it says what to write instead."""
    known = [one for one in dir(value) if not one.startswith("_") and one != "instead"]
    if name in instead:
        hint = f": {instead[name]}"
    else:
        meant = "range90" if name == "ci90" and "range90" in known else nearest(name, known)
        hint = f"; did you mean {meant}?" if meant else f"; it has {', '.join(known)}"
    return UnknownNameError(f"{type(value).__name__} has no {name!r}{hint}")


_MOST = 40
"""Rows of a table in a notebook."""


def _table_row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


class Drawn(Displayed):
    """A value with a picture.

    Attributes
    ----------
    drawn_by
        ``module:function`` below `brickphys.plots` that draws it. It is a name, since pictures lie above values.
    """

    drawn_by: ClassVar[str]

    def plot(self, **options: Any) -> "Figure":
        """Return its picture as a figure of matplotlib; it has no window, and a notebook shows it."""
        draw = drawer(self.drawn_by)
        _, *known = signature(draw).parameters
        for name in options:
            if name not in known:
                takes = f"it takes {', '.join(known)}" if known else "it takes none"
                raise ArgumentError(f"plot() has no argument {name!r}: {takes}")
        figure: Figure = draw(self, **options)
        return figure


def drawer(name: str) -> Callable[..., Any]:
    """Return the function ``module:function`` below `brickphys.plots`, imported when it is needed."""
    module, function = name.split(":")
    found: Callable[..., Any] = getattr(import_module(f"brickphys.plots.{module}"), function)
    return found


def share_rows(
    counts: Mapping[str, int], intervals: Mapping[str, tuple[float, float]]
) -> list[Row]:
    """Return a row for each pose: its count, its share and the 95 % interval of that."""
    total = sum(counts.values())
    return [
        {
            "pose": pose,
            "bodies": count,
            "share": count / total,
            "ci95_low": intervals[pose][0],
            "ci95_high": intervals[pose][1],
        }
        for pose, count in counts.items()
    ]
