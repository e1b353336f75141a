"""Codes: each action as a few integers, for programs that learn or plan; its code and its text say the same.

A code is the number of the type of action, and an integer for each argument. For a thing of the setup that is the place
of its name in the sorted list of all such names.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.rules.words import KIND, Action, ActionTypes, Argument, Codes, by_word


class CodeSpace(NamedTuple):
    """The codes of a type of action."""

    word: str
    """The first word of its text."""
    sizes: tuple[int, ...]
    """How many integers may stand for each argument, from 0."""
    further: int = 0
    """How many may stand for each of any number of values after the arguments; 0 if there are none."""


class ActionCodes:
    """The codes of all actions of a game with one setup."""

    def __init__(self, types: ActionTypes, names: Set[str]) -> None:
        self._types, self._names = types, sorted(names)
        self._numbers = {kind: number for number, kind in enumerate(types)}
        self._known: dict[Argument, Codes] = {}

    @property
    def space(self) -> tuple[CodeSpace, ...]:
        """The codes of each type of action; its place is its number."""
        return tuple(
            CodeSpace(
                kind.word,
                tuple(self._codes(argument).size for argument in kind.arguments),
                self._codes(kind.further).size if kind.further else 0,
            )
            for kind in self._types
        )

    def code(self, action: Action[Any]) -> tuple[int, ...]:
        """Return the code of an action; InvalidValueError if it names nothing of the setup."""
        kind, values = type(action), (*action.values(), *action.further_values())
        codes = self._codes_of(kind, len(values))
        try:
            numbers = [one.write(value) for one, value in zip(codes, values, strict=True)]
        except KeyError as error:
            problem = f"action {action.text()!r}: the setup has nothing with the name {error}"
            raise InvalidValueError(problem) from None
        return (self._numbers[kind], *numbers)

    def decoded(self, code: Sequence[int]) -> Action[Any]:
        """Return the action of a code; InvalidValueError if it is the code of none."""
        if not code or code[0] not in range(len(self._types)):
            types = len(self._types)
            raise InvalidValueError(
                f"code {[*code]}: begins with none of the {types} types, from 0"
            )
        kind, numbers = self._types[code[0]], code[1:]
        count = len(kind.arguments)
        if len(numbers) < count or (len(numbers) > count and kind.further is None):
            raise InvalidValueError(f"code {[*code]}: {kind.word!r} has {count} integers more")
        values = []
        for one, number in zip(self._codes_of(kind, len(numbers)), numbers, strict=True):
            if number not in range(one.size):
                wrong = f"{number} for {kind.word!r} is not from 0 to {one.size - 1}"
                raise InvalidValueError(f"code {[*code]}: {wrong}")
            values.append(one.read(number))
        further = values[count:]
        return kind(*values[:count], *([tuple(further)] if further else []))

    def _codes_of(self, kind: type[Action[Any]], count: int) -> list[Codes]:
        """Return the codes of each of so many values of a type of action."""
        more = [kind.further] * (count - len(kind.arguments)) if kind.further else []
        return [self._codes(argument) for argument in (*kind.arguments, *more)]

    def _codes(self, argument: Argument) -> Codes:
        if argument not in self._known:
            known = by_word(self._types) if argument is KIND else self._names
            self._known[argument] = argument.codes or Codes.of(filter(argument.fits, known))
        return self._known[argument]


def named(value: Any) -> Iterator[str]:
    """Yield every text in the fields, keys and items of a value, such as the names in a setting."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (name for pair in value.items() for name in named(pair))
    elif isinstance(value, list | tuple | Set):
        yield from (name for item in value for name in named(item))
    elif is_dataclass(value):
        for field in fields(value):
            yield from named(getattr(value, field.name))
