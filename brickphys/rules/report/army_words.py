"""Army words: which army is meant, by a setup and a player, by sheets in files, or by units with their numbers."""

from collections.abc import Callable, Collection, Iterable, Sequence

from brickphys.errors import InvalidValueError, unknown
from brickphys.text import shown

MOST_OF_A_KIND = 10_000
_TOML = ".toml"


def only_setup(words: Sequence[str], is_setup: Callable[[str], bool]) -> str | None:
    """Return the word that is a setup, if there is one; InvalidValueError if others stand beside it."""
    setup = next(filter(is_setup, words), None)
    if setup is not None and len(words) > 1:
        raise InvalidValueError(f"{setup} is a setup with its own armies: name nothing else")
    return setup


def setup_in(words: Sequence[str], shipped: Collection[str]) -> str | None:
    """Return the setup that ships, or the file of one, among words; see `only_setup`."""
    return only_setup(words, lambda word: word in shipped or word.endswith(_TOML))


def named_units(words: Iterable[str], name: str | None) -> dict[str, int]:
    """Return the units that are named one by one, with their numbers; see `counted_names`.

    Raises
    ------
    InvalidValueError
        If a number is impossible, or the army has a `name` besides.
    """
    counts = counted_names(words)
    if counts and name is not None:
        raise InvalidValueError(
            f"--army {name}: leave it out; you have named the units of the army"
        )
    return counts


def counted_names(words: Iterable[str]) -> dict[str, int]:
    """Return names with their numbers from words such as ``trooper=4`` and ``knight``, equal names added up.

    Raises
    ------
    InvalidValueError
        If a number is outside 1..10,000.
    """
    found: dict[str, int] = {}
    for word in words:
        name, equals, number = word.partition("=")
        if not name or (equals and not (number.isascii() and number.isdecimal())):
            raise InvalidValueError(f"{shown(word)} is not NAME or NAME=COUNT, such as trooper=4")
        count = int(number[:9]) if equals else 1
        found[name] = found.get(name, 0) + count
        if not 1 <= count <= found[name] <= MOST_OF_A_KIND:
            raise InvalidValueError(
                f"{shown(name)}: {found[name]:,} is outside 1..{MOST_OF_A_KIND:,}"
            )
    return found


def chosen_army(what: str, armies: Collection[str], name: str | None) -> str:
    """Return the name of the army that is meant; it may be left out if there is only one.

    Raises
    ------
    InvalidValueError
        If there is none of that name, or several and none is named.
    """
    if name is None and len(armies) == 1:
        return next(iter(armies))
    if name is None:
        raise InvalidValueError(
            f"{what} has several armies, {', '.join(armies)}: choose one with --army"
        )
    if name not in armies:
        raise unknown(f"army of {what}", name, armies)
    return name
