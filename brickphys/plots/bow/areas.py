"""Areas: the rectangles of a field that have a name or that somebody aims at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

from brickphys.plots.bow.labels import Box, Label, studs_a_point

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 9.0
"""Size of the letters of an area's name."""


@dataclass(frozen=True)
class Area:
    """A rectangle ``[x, y, width, length]`` of studs, and what is written into it."""

    name: str
    studs: Sequence[int]


def aim_areas(
    setup: Mapping[str, Any], named: Mapping[str, Sequence[int]] | None = None
) -> list[Area]:
    """Return the areas of a setup's aims by whose they are, and of all that have a name by that too.

    Parameters
    ----------
    setup
        Of a battle.
    named
        ``[x, y, width, length]`` in studs by name.
    """
    words = {tuple(studs): [name] for name, studs in (named or {}).items()}
    owners: dict[tuple[int, ...], list[str]] = {}
    for aim in setup.get("aims", ()):
        if aim.get("area"):
            owners.setdefault(tuple(aim["area"]), []).append(str(aim["player"]))
    for studs, players in owners.items():
        words.setdefault(studs, []).append(f"aim of {' and '.join(dict.fromkeys(players))}")
    return [Area(", ".join(told), studs) for studs, told in words.items()]


def draw_areas(areas: Iterable[Area], ax: "Axes") -> tuple[list[Box], list[Label]]:
    """Frame areas and write their names into them.

    Returns
    -------
    list of Box
        The space of what is written.
    list of Label
        The names that are larger than their areas: to be written beside them.
    """
    from matplotlib.patches import Rectangle

    letter_studs = _POINTS * studs_a_point(ax)
    written, beside = list[Box](), list[Label]()
    for area in areas:
        x, y, width, length = area.studs
        frame = Rectangle((x, y), width, length, fc=(1, 1, 1, 0.25), ec="white", lw=2.5, ls="--")
        frame.set_zorder(2.9)
        ax.add_patch(frame)
        columns = max(1, int(width / (0.7 * letter_studs)))
        name = area.name.replace("_", " ")
        lines = fill(name, columns, break_long_words=False).split("\n")
        middle = Box(
            x + width / 2,
            y + length / 2,
            0.35 * letter_studs * max(map(len, lines)),
            0.65 * letter_studs * len(lines),
        )
        if middle.half_width > width / 2 or middle.half_length > length / 2:
            space = Box(middle.x, middle.y, width / 2, length / 2)
            beside.append(Label(name, space))
            continue
        written.append(middle)
        ax.text(
            middle.x,
            middle.y,
            "\n".join(lines),
            ha="center",
            va="center",
            fontsize=_POINTS,
            fontstyle="italic",
            fontweight="bold",
            color="black",
            zorder=5.6,
        )
    return written, beside
