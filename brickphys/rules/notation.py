"""Notation: a state as one line of JSON, written and read by the types of its fields."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from json import dumps, loads
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from brickphys.errors import InvalidValueError, refuse
from brickphys.rules.record import GameSetting
from brickphys.rules.turn_state import Pending, TurnState

S = TypeVar("S", bound=TurnState)

_UNSEEN = ("setting", "pending")
_SHOWN = 60
"""The most letters of a value in a message."""


@dataclass(frozen=True)
class FieldForm:
    """How a field is written whose types do not say it."""

    write: Callable[[Any, Any], Any]
    """Takes the setting and the value; returns what JSON can write."""
    read: Callable[[Any, Any], Any]
    """Takes the setting and what JSON has read; returns the value, or raises InvalidValueError with every fault."""


class StateCodec(Generic[S]):
    """Writes and reads the states of a game.

    A state is an object of JSON: ``setup`` is the digest of its setup, then come its fields under their names, the
    last is ``pending``. Dataclasses in it are arrays of their fields, what is pending after the name of its type.

    Parameters
    ----------
    state_type
        The dataclass of the states. Fields may be numbers, texts, enumerations, None, dataclasses, tuples and sets of
        them; ``Annotated[int, range(8)]`` says which numbers they may be, ``Annotated[int, "players"]`` that they
        number the players of the setting, and a tuple with ``"players"`` has an entry for each.
    keys
        Names of fields that are written under another key.
    names
        Names of pending types that are written under another name.
    forms
        Names of fields that are written in a form of their own.
    """

    def __init__(
        self,
        state_type: type[S],
        pending_types: Iterable[type[Pending[Any]]] = (),
        keys: Mapping[str, str] | None = None,
        names: Mapping[type[Pending[Any]], str] | None = None,
        forms: Mapping[str, FieldForm] | None = None,
    ) -> None:
        self._state_type: Any = state_type
        names = names or {}
        self._names = {each: names.get(each, each.__name__) for each in pending_types}
        self._pending = {name: each for each, name in self._names.items()}
        own = [field.name for field in fields(state_type) if field.name not in _UNSEEN]
        self._keys = {name: (keys or {}).get(name, name) for name in own}
        self._forms = forms or {}

    def format(self, state: S) -> str:
        """Write a state as one line."""
        row: dict[str, Any] = {"setup": state.setting.digest}
        for name, key in self._keys.items():
            value = getattr(state, name)
            form = self._forms.get(name)
            row[key] = form.write(state.setting, value) if form else value
        row["pending"] = [[self._names[type(each)], *row_of(each)] for each in state.pending]
        return dumps(row, separators=(",", ":"), default=_plain)

    def parse(self, text: str, setting_of: Callable[[str], GameSetting]) -> S:
        """Read a state; whether it can come up in a game is another question.

        InvalidValueError with every fault of form. `setting_of` returns the setting of a digest, or raises
        InvalidValueError.
        """
        try:
            state = self._read(loads(text), setting_of)
        except InvalidValueError:
            raise
        except (ValueError, RecursionError) as error:
            raise InvalidValueError(f"state: not JSON: {error}") from None
        if self.format(state) != text:
            raise InvalidValueError("state: written differently from the standard form")
        return state

    def _read(self, row: Any, setting_of: Callable[[str], GameSetting]) -> S:
        wanted = ["setup", *self._keys.values(), "pending"]
        if not isinstance(row, dict) or set(row) != set(wanted):
            raise InvalidValueError(f"state: not an object with the keys {', '.join(wanted)}")
        reader = FieldReader()
        digest = reader.value(str, row["setup"], "setup")
        reader.refuse("state")
        setting = setting_of(digest)
        reader = FieldReader(setting)
        hints = _hints(self._state_type)
        values: dict[str, Any] = {"setting": setting}
        for name, key in self._keys.items():
            form = self._forms.get(name)
            if form is None:
                values[name] = reader.value(hints[name], row[key], key)
                continue
            try:
                values[name] = form.read(setting, row[key])
            except InvalidValueError as error:
                reader.faults.append(str(error))
        values["pending"] = self._read_pending(reader, row["pending"])
        reader.refuse("state")
        state: S = self._state_type(**values)
        return state

    def _read_pending(self, reader: "FieldReader", rows: Any) -> tuple[Any, ...]:
        found = []
        for index, row in enumerate(reader.array(rows, "pending")):
            place = f"pending[{index}]"
            name = row[0] if isinstance(row, list) and row else None
            if not isinstance(name, str) or name not in self._pending:
                reader.faults.append(f"{place}: unknown kind of pending step {name!r}")
            else:
                found.append(reader.dataclass(self._pending[name], row[1:], place))
        return tuple(found)


class FieldReader:
    """Reads JSON by type, strictly, and notes every fault with its place.

    The value that is returned for one of its `faults` means nothing.
    """

    def __init__(self, setting: GameSetting | None = None) -> None:
        self.faults: list[str] = []
        self._setting = setting

    def refuse(self, what: str) -> None:
        """Raise InvalidValueError with the faults, if there are any."""
        refuse(what, self.faults)

    def value(self, hint: Any, raw: Any, place: str) -> Any:
        """Return the value of a type that JSON holds."""
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self._counted(args[0], args[1], raw, place)
        if origin in (Union, UnionType):
            (inner,) = (arg for arg in args if arg is not NoneType)
            return None if raw is None else self.value(inner, raw, place)
        if origin is frozenset:
            return frozenset(self._entries([args[0], ...], raw, place))
        if origin is tuple:
            return tuple(self._entries(list(args), raw, place))
        if hasattr(hint, "_fields"):  # a named tuple, made from as many entries as there are
            return tuple.__new__(hint, self._entries([*_hints(hint).values()], raw, place))
        if is_dataclass(hint):
            return self.dataclass(hint, raw, place)
        if issubclass(hint, Enum):
            if any(type(each.value) is type(raw) and each.value == raw for each in hint):
                return hint(raw)
        elif type(raw) is hint and (hint is not float or isfinite(raw)):
            return raw
        return self._wrong(raw, f"of type {hint.__name__}", place)

    def _counted(self, hint: Any, known: range | str, raw: Any, place: str) -> Any:
        """Return a number of a range or a tuple of its length; a text names the things of the setting to count."""
        value = self.value(hint, raw, place)
        if isinstance(known, str):
            known = range(len(getattr(self._setting, known)))
        if type(value) is int and value not in known:
            self._wrong(raw, f"from {known.start} to {known.stop - 1}", place)
        if isinstance(value, tuple) and len(value) != len(known):
            self.faults.append(f"{place}: {len(value)} values, not {len(known)}")
        return value

    def array(self, raw: Any, place: str) -> list[Any]:
        """Return the entries of an array."""
        if isinstance(raw, list):
            return raw
        self._wrong(raw, "an array", place)
        return []

    def dataclass(self, of: Any, raw: Any, place: str) -> Any:
        """Return the dataclass whose fields an array holds, in order."""
        values = self.row(of, raw, place)
        return None if values is None else of(**values)

    def row(self, of: Any, raw: Any, place: str, skip: str = "") -> dict[str, Any] | None:
        """Return the fields of a dataclass, all but one, that an array holds in order; None if it is none."""
        hints = _hints(of)
        names = [field.name for field in fields(of) if field.name != skip]
        before = len(self.faults)
        entries = self.array(raw, place)
        if len(self.faults) == before and len(entries) != len(names):
            self._wrong(raw, f"the {len(names)} values of {of.__name__}", place)
        if len(self.faults) > before:
            return None
        values = {
            name: self.value(hints[name], entry, f"{place}.{name}")
            for name, entry in zip(names, entries, strict=True)
        }
        return values if len(self.faults) == before else None

    def _entries(self, hints: list[Any], raw: Any, place: str) -> list[Any]:
        entries = self.array(raw, place)
        if hints[-1] is ...:
            hints = [hints[0]] * len(entries)
        if len(entries) != len(hints):
            self._wrong(raw, f"an array of {len(hints)}", place)
        pairs = zip(hints, entries, strict=False)
        return [
            self.value(hint, entry, f"{place}[{index}]")
            for index, (hint, entry) in enumerate(pairs)
        ]

    def _wrong(self, raw: Any, wanted: str, place: str) -> None:
        shown = repr(raw)
        if len(shown) > _SHOWN:
            shown = f"{shown[:_SHOWN]}..."
        self.faults.append(f"{place}: {shown} is not {wanted}")


def row_of(value: Any) -> list[Any]:
    """Return the fields of a dataclass in order."""
    of: Any = type(value)
    return [getattr(value, name) for name in _names(of)]


@lru_cache(maxsize=256)
def _names(of: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(of))


@lru_cache(maxsize=256)
def _hints(of: Any) -> dict[str, Any]:
    return get_type_hints(of, include_extras=True)


def _plain(value: Any) -> Any:
    """Return a value in a form that JSON can write."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Enum):
        return value.value
    return row_of(value)
