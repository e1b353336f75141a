"""Map writer: a map of squares in characters, with numbers along its borders, and a legend of the signs on it."""

from collections.abc import Mapping, Sequence

from brickphys.rules.report.char_map import CharMap, MapLayout, Rulers
from brickphys.rules.report.ink import Tone


def text_map(
    width: int,
    signs: Sequence[str],
    meanings: Mapping[str, str],
    square: tuple[float, float] = (1, 1),
    *,
    inks: Mapping[str, Tone] | None = None,
    arrows: Mapping[int, str] | None = None,
) -> CharMap:
    """Write a map: the highest y on top, y at every fifth row, x under every tenth column, and a legend.

    Parameters
    ----------
    width
        Squares in a row.
    signs
        A character for each square, row by row from the south (y = 0).
    meanings
        The meanings of signs; the legend has those on the map.
    square
        Width and length of a square in the unit in which x and y are written.
    inks
        The tones of signs, those of units the number of their player.
    arrows
        Where units look, by the numbers of their squares.
    """
    rows = (f"{y * square[1]:g}" if y % 5 == 0 else "" for y in range(len(signs) // width))
    rulers = Rulers(
        rows=tuple(f"{row:>4} " for row in rows),
        columns=tuple(f"{x * square[0]:g}" for x in range(width)),
    )
    return CharMap(
        MapLayout(
            signs=tuple(signs),
            rulers=rulers,
            meanings=meanings,
            square=square,
            inks=inks or {},
            arrows={divmod(at, width)[::-1]: arrow for at, arrow in (arrows or {}).items()},
        )
    )
