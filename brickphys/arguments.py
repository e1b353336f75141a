"""Arguments: what the public functions and methods take; a call that does not fit is refused in one line."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from inspect import Parameter, Signature, cleandoc, signature
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin

from brickphys.errors import (
    ArgumentError,
    BrickphysError,
    ShortOfMemoryError,
    SystemFaultError,
    WorkerStartError,
    in_words,
    is_short_of_memory,
    system_fault,
)
from brickphys.text import nearest, shown

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
    `WorkerStartError` ends at the call. What the operating system refuses is a `SystemFaultError`.

    Parameters
    ----------
    hint
        What is added if the function gets more arguments than it takes.
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
                raise ArgumentError(f"{called}() {fault}") from None
            values = {
                name: _own_number(value, form.parameters[name].annotation)
                for name, value in bound.arguments.items()
            }
            for name, value in values.items():
                if not _fits(value, form.parameters[name].annotation):
                    fault = _value_fault(function, form.parameters[name], value)
                    raise ArgumentError(f"{called}(): {fault}")
            bound.arguments.update(values)
            try:
                return function(*bound.args, **bound.kwargs)
            except WorkerStartError as error:  # the fault is in the caller's lines, not in ours
                raise error.with_traceback(None) from error.__cause__
            except OSError as error:
                if isinstance(error, BrickphysError | BrokenPipeError):
                    raise
                if is_short_of_memory(error):
                    raise ShortOfMemoryError(f"memory is short: {in_words(error)}") from error
                raise SystemFaultError(system_fault(error)) from error

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
    if isinstance(value, int | float) or (
        isinstance(value, Fraction) and Fraction in get_args(kind)
    ):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value


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
