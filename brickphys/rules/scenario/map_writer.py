"""Map writer: a map in characters with a ruler, and a legend of the signs on it."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

_INDENT = " " * 5
_WIDTH = 100
"""Characters in a line of the legend."""


def text_map(
    width: int,
    signs: Sequence[str],
    meanings: Mapping[str, str],
    square: tuple[float, float] = (1, 1),
) -> str:
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
    """
    shown = set(signs)
    lines = list(_rows(width, signs, square))
    for sign, meaning in meanings.items():
        if sign in shown:
            entry = f"{_INDENT}{sign} {meaning}"
            lines += wrap(entry, _WIDTH, subsequent_indent=f"{_INDENT}  ")
    return "\n".join(lines)


def _rows(width: int, signs: Sequence[str], square: tuple[float, float]) -> Iterator[str]:
    for y in reversed(range(len(signs) // width)):
        row = "".join(signs[y * width : (y + 1) * width])
        yield f"{f'{y * square[1]:g}' if y % 5 == 0 else '':>4} {row}"
    ruler = "".join(f"{x * square[0]:<10g}" for x in range(0, width, 10))
    yield f"{_INDENT}{ruler}".rstrip()
