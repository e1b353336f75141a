"""States of the small games as one line of JSON: the fields of a named tuple in order."""

import json
from typing import Any, TypeVar

from brickphys.errors import InvalidValueError

T = TypeVar("T")


def write(state: Any) -> str:
    return json.dumps(state, separators=(",", ":"))


def read(text: str, like: T) -> T:
    """The state in a text that `write` wrote; its fields have the types of a state like it."""
    try:
        row = json.loads(text)
    except ValueError:
        raise InvalidValueError(f"{text!r} is no JSON") from None
    if not isinstance(row, list) or list(map(type, map(_frozen, row))) != list(map(type, like)):
        raise InvalidValueError(f"{text!r} has other fields than {type(like).__name__}")
    state = type(like)(*map(_frozen, row))
    if write(state) != text:
        raise InvalidValueError(f"{text!r} is not as it would be written")
    return state


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
