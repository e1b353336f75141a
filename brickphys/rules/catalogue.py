"""Catalogue: named things, such as sheets, read table by table over those that are known already."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from brickphys.errors import InvalidValueError, unknown

T = TypeVar("T")


def lookup(kind: str, name: str, known: Mapping[str, T]) -> T:
    """Return the thing of a name.

    Parameters
    ----------
    kind
        The kind of thing, such as ``"sheet"``.
    name
        Its name.
    known
        All that there are.

    Raises
    ------
    InvalidValueError
        If there is none of that name; the message has the nearest one.
    """
    if name not in known:
        raise unknown(kind, name, known)
    return known[name]


class TableReader:
    """Reads the tables of a file whose form is sound, and notes every fault of meaning.

    A game's reader has a method for each kind of table.

    Attributes
    ----------
    faults
        Every fault, as ``key.path: what``.
    """

    def __init__(self) -> None:
        self.faults: list[str] = []

    def attempt(self, place: str, make: Callable[..., T], *values: object) -> T | None:
        """Return the result of a call; None if it raises InvalidValueError, which is noted as a fault of the place."""
        try:
            return make(*values)
        except InvalidValueError as error:
            self.faults.append(f"{place}: {error}")
            return None

    def find(self, place: str, kind: str, name: str | None, known: Mapping[str, T]) -> T | None:
        """Return the thing of a name in the file; None without a name, or for an unknown one, which is a fault."""
        return None if name is None else self.attempt(place, lookup, kind, name, known)

    def add(
        self,
        place: str,
        name: str,
        value: T,
        faults: Iterable[str],
        own: dict[str, T],
        *others: Mapping[str, object],
    ) -> None:
        """Add a thing to its kind.

        Parameters
        ----------
        place, name, value
            Its table, its name, and what it is.
        faults
            Its faults, each with the key in its table.
        own
            The things of its kind; it is added even with a fault, so that tables that name it have none for that.
        others
            Other things whose names it must not have.
        """
        self.faults += [f"{place}.{fault}" for fault in faults]
        if any(name in taken for taken in (own, *others)):
            self.faults.append(f"{place}.name: {name!r} is already taken")
        own.setdefault(name, value)

    def require(self, place: str, document: object, keys: Iterable[str], reason: str = "") -> bool:
        """Tell whether a table has some keys; each that it lacks is a fault.

        Parameters
        ----------
        place, document
            The table.
        keys
            The keys that it needs.
        reason
            Why these may not be left out, such as ``"there is no base"``.
        """
        missing = [key for key in keys if getattr(document, key) is None]
        why = f", and {reason}" if reason else ""
        self.faults += [f"{place}.{key}: missing{why}" for key in missing]
        return not missing


def given(document: Iterable[tuple[str, Any]], *without: str) -> dict[str, Any]:
    """Return the keys of a table that are written, with their values, except for some."""
    return {key: value for key, value in document if value is not None and key not in without}
