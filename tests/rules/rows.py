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


class RowGame:
    """A game whose states are named tuples and whose actions are their own texts; mixed in before `Game` or `OpenGame`.

    Attributes
    ----------
    like
        Any state.
    words
        Every action that there is.
    """

    def players(self, state):
        return 2

    def problems(self, state, action):
        return [] if action in self.actions(state) else [f"{self.name} 1: no {action!r} now"]

    def alternative(self, state, player, rng):
        return self.imagine(self.observe(state, player), rng)

    def format_state(self, state):
        return write(state)

    def parse_state(self, text):
        return read(text, self.like)

    def format_action(self, action):
        return action

    def parse_action(self, text):
        if text not in self.words:
            raise InvalidValueError(f"{text!r} is no action of {self.name}")
        return text
