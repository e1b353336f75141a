"""Colours: those of players, in maps, pictures, films and pages alike."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, cycle, zip_longest

PLAYER_COLOURS = ("red", "blue", "yellow", "orange", "white", "black")
"""Colours of the palette of pieces that players can have."""


def player_colours(names: Sequence[str], chosen: Sequence[str | None] = ()) -> tuple[str, ...]:
    """Return a colour for each player: the chosen one, the one it is named after, or else the next that is free.

    Parameters
    ----------
    names
        Of the players.
    chosen
        What the setup says of each, if anything; each is one of `PLAYER_COLOURS`.
    """
    wanted = list(_wanted(names, chosen))
    free = chain([each for each in PLAYER_COLOURS if each not in wanted], cycle(PLAYER_COLOURS))
    return tuple(colour or next(free) for colour in wanted)


def colour_faults(names: Sequence[str], chosen: Sequence[str | None]) -> Iterator[str]:
    """Yield which colours several players have by choice or name."""
    for colour, count in Counter(filter(None, _wanted(names, chosen))).items():
        if count > 1:
            yield f"players: {count} have the colour {colour!r}"


def _wanted(names: Sequence[str], chosen: Sequence[str | None]) -> Iterator[str | None]:
    for name, colour in zip_longest(names, chosen[: len(names)]):
        yield colour or (name if name in PLAYER_COLOURS else None)
