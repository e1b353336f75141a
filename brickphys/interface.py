"""Interface: what the public functions and methods take, and how their results are shown.

A call that does not fit is refused in one line. A value shows as a line at a prompt, a table in a notebook, rows for
pandas, JSON or a picture.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from importlib import import_module
from inspect import Parameter, Signature, cleandoc, signature
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, Union, cast, get_args, get_origin

from brickphys import errors
from brickphys.text import cell_text, nearest, percent, percent_range, shown, table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

F = TypeVar("F", bound=Callable[..., Any])

_ALSO_CALLED = {"hp": "health", "p": "law", "n": "throws", "k": "bricks", "mu": "friction"}
"""Names that people try (some are options of commands) -> the parameter that is meant."""
_WORDS: Mapping[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    Path: "a path",
    tuple: "a pair of numbers",
    Callable: "a function",
    Mapping: "a dict",
    Sequence: "a list",
}


def public(hint: str = "") -> Callable[[F], F]:
    """Return the decorator of a public function or method, which checks its arguments before it is called.

    Unknown, missing and surplus arguments, and values of another type than annotated, raise `ArgumentError`. Numbers of
    other libraries, such as NumPy's, become those of Python. Protocols are left to the function. The traceback of a
    `WorkerStartError` ends at the call. What the operating system refuses is a `SystemFaultError`. The error of too
    many arguments has the `hint`, too.
    """

    def decorate(function: F) -> F:
        form = signature(function)
        called = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]

        @wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            try:
                bound = form.bind(*args, **kwargs)
            except TypeError:
                fault = _call_fault(form, args, kwargs, hint)
                raise errors.ArgumentError(f"{called}() {fault}") from None
            values = {
                name: _own_number(value, form.parameters[name].annotation)
                for name, value in bound.arguments.items()
            }
            for name, value in values.items():
                if not _fits(value, form.parameters[name].annotation):
                    fault = _value_fault(function, form.parameters[name], value)
                    raise errors.ArgumentError(f"{called}(): {fault}")
            bound.arguments.update(values)
            try:
                return function(*bound.args, **bound.kwargs)
            except errors.WorkerStartError as error:  # the fault is in the caller's lines
                raise error.with_traceback(None) from error.__cause__
            except OSError as error:
                if isinstance(error, errors.BrickphysError | BrokenPipeError):
                    raise
                if errors.is_short_of_memory(error):
                    raise errors.ShortOfMemoryError(
                        f"memory is short: {errors.in_words(error)}"
                    ) from error
                raise errors.SystemFaultError(errors.system_fault(error)) from error

        return cast("F", checked)

    return decorate


def _call_fault(form: Signature, args: Sequence[Any], named: Mapping[str, Any], hint: str) -> str:
    """Return why arguments do not fit a function, after its name."""
    if next(iter(form.parameters), "") == "self":
        form, args = form.replace(parameters=list(form.parameters.values())[1:]), args[1:]
    known = list(form.parameters)
    takes = f"it takes {', '.join(known)}" if known else "it takes none"
    for name in named:
        if name not in known:
            meant = _ALSO_CALLED.get(name)
            meant = meant if meant in known else nearest(name, known)
            return (
                f"has no argument {name!r}{f'; did you mean {meant}?' if meant else f': {takes}'}"
            )
    by_place = [name for name, one in form.parameters.items() if one.kind is not one.KEYWORD_ONLY]
    if len(args) > len(by_place):
        surplus = shown(args[len(by_place)])
        by_name = ", ".join(f"{name}=" for name in known if name not in by_place)
        also = f"; give the others by name ({by_name})" if by_name else ""
        return f"has no place for {surplus}: {takes}{also}{f'; {hint}' if hint else ''}"
    twice = [name for name in by_place[: len(args)] if name in named]
    if twice:
        return f"got {twice[0]} twice"
    given = {*by_place[: len(args)], *named}
    lacking = [
        name
        for name, one in form.parameters.items()
        if one.default is Parameter.empty and name not in given
    ]
    return f"lacks {' and '.join(lacking)}: {takes}"


def _value_fault(function: Callable[..., Any], parameter: Parameter, value: Any) -> str:
    """Return why a value does not fit a parameter, with what the docstring says of it."""
    *most, last = dict.fromkeys(_words(parameter.annotation))
    kinds = f"{', '.join(most)} or {last}" if most else last
    if hasattr(value, "to_csv") and "a path" in (*most, last):
        instead = "write it to a file first (to_csv('FILE', index=False)), and give 'FILE'"
        return f"{parameter.name}: a {type(value).__name__} is not {kinds}; {instead}"
    described = _description(function, parameter.name)
    instead = f"; give: {described}" if described else ""
    if last == "a whole number" and isinstance(value, float) and value.is_integer():
        instead = f"; write {int(value)}"
    return f"{parameter.name}: {shown(value)} is not {kinds}{instead}"


def _description(function: Callable[..., Any], name: str) -> str:
    """Return what the docstring of a function says of a parameter; empty if it says nothing."""
    _, _, section = cleandoc(function.__doc__ or "").partition("\nParameters\n----------\n")
    said: list[str] = []
    is_meant = False
    for line in section.splitlines():
        if line and not line.startswith(" "):
            is_meant = name in line.split(", ")
        elif is_meant:
            said.append(line.strip())
    return re.sub("`+", "", " ".join(said)).strip().rstrip(".")


def _own_number(value: Any, kind: Any) -> Any:
    """Return a number of another library as one of Python, a fraction as a float where none is meant."""
    if isinstance(value, int | float):
        return value
    if isinstance(value, Integral):
        return int(value)
    if not isinstance(value, Real):
        return value
    from fractions import Fraction  # takes time to load

    is_meant = isinstance(value, Fraction) and Fraction in get_args(kind)
    return value if is_meant else float(value)


def _fits(value: Any, kind: Any) -> bool:
    """Tell whether a value is of an annotated type; a protocol is left to the function."""
    origin = get_origin(kind) or kind
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(kind))
    if origin in (Any, Parameter.empty) or not isinstance(origin, type):  # empty: of `self`
        return True
    if getattr(origin, "_is_protocol", False):
        return True
    if isinstance(value, bool):  # it is no number here
        return origin is bool
    if origin is float:
        return isinstance(value, Real)
    if origin is tuple:
        is_one = isinstance(value, tuple | list) and len(value) == len(get_args(kind))
        return is_one and all(map(_fits, value, get_args(kind)))
    return isinstance(value, origin)


def _words(kind: Any) -> Iterator[str]:
    """Yield the types of an annotation in words, without None."""
    origin = get_origin(kind) or kind
    if origin in (Union, UnionType):
        for one in get_args(kind):
            yield from _words(one)
    elif origin not in (None, NoneType):
        yield _WORDS.get(origin, f"a {origin.__name__}")


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
    """

    instead: ClassVar[Mapping[str, str]] = {}
    """Names that people try, and what to write instead."""

    def line(self) -> str:
        """Return what the value says in one line."""
        raise NotImplementedError

    def rows(self) -> Sequence[Row]:
        """Return the rows of its table; units are in the names of the columns."""
        raise NotImplementedError

    def text(self) -> str:
        """Return what its command prints for people."""
        return self.line()

    def to_pandas(self) -> "pd.DataFrame":
        """Return its rows as a data frame; MissingExtraError without pandas."""
        with errors.needing("analysis", "pandas"):
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
        from html import escape  # takes time to load

        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        head = _table_row("th", names)
        body = [
            _table_row("td", [cell_text(row.get(name)) for name in names]) for row in rows[:_MOST]
        ]
        more = f"<p>and {len(rows) - _MOST:,} more rows</p>" if len(rows) > _MOST else ""
        return f"<p>{escape(self.line())}</p><table>{head}{''.join(body)}</table>{more}"


def no_attribute(value: object, name: str, instead: Mapping[str, str]) -> errors.UnknownNameError:
    """Return the error for a name that a value does not have: it says what to write instead."""
    known = [one for one in dir(value) if not one.startswith("_") and one != "instead"]
    if name in instead:
        hint = f": {instead[name]}"
    else:
        meant = "range90" if name == "ci90" and "range90" in known else nearest(name, known)
        hint = f"; did you mean {meant}?" if meant else f"; it has {', '.join(known)}"
    return errors.UnknownNameError(f"{type(value).__name__} has no {name!r}{hint}")


_MOST = 40
"""Rows of a table in a notebook."""


def _table_row(tag: str, cells: Sequence[str]) -> str:
    from html import escape

    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


class Drawn(Displayed):
    """A value with a picture."""

    drawn_by: ClassVar[str]
    """``module:function`` below `brickphys.plots` that draws it. It is a name, since pictures lie above values."""

    def plot(self, **options: Any) -> "Figure":
        """Return its picture as a figure of matplotlib; it has no window, and a notebook shows it."""
        draw = drawer(self.drawn_by)
        _, *known = signature(draw).parameters
        for name in options:
            if name not in known:
                takes = f"it takes {', '.join(known)}" if known else "it takes none"
                raise errors.ArgumentError(f"plot() has no argument {name!r}: {takes}")
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
    total = sum(counts.values()) or 1
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


def share_table(counts: Mapping[str, int], intervals: Mapping[str, tuple[float, float]]) -> str:
    """Return the counts of poses for people; see `share_rows`."""
    total = sum(counts.values()) or 1
    rows = [
        (pose, str(count), percent(count / total), percent_range(*intervals[pose]))
        for pose, count in counts.items()
    ]
    return table(("pose", "bodies", "share", "95 % interval"), rows)
