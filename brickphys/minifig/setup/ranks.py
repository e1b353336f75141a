"""Ranks: entries of a setup that stand for several figures in a row."""

from collections.abc import Iterator, Sequence
from math import cos, radians, sin
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from brickphys.minifig.setup.setup_schema import RankDocument

R = TypeVar("R", bound="RankDocument")


def single(kind: str, entries: Sequence[R]) -> Iterator[tuple[str, R]]:
    """Yield each thing of some entries, as an entry of its own after the key of its table: ``figure[3]``.

    A rider of several rides the horse of the same number.
    """
    for index, entry in enumerate(entries):
        place = f"{kind}[{index}]"
        if entry.count is None:
            yield place, entry
        else:
            yield from ((place, one) for one in _row(entry, entry.count))


def _row(entry: R, count: int) -> Iterator[R]:
    to_right = radians(entry.facing_deg - 90.0)
    for number in range(count):
        changes: dict[str, object] = {"name": f"{entry.name}_{number + 1}"}
        if entry.x is not None and entry.y is not None:
            aside = (number - (count - 1) / 2) * entry.apart_in
            changes |= {"x": entry.x + aside * cos(to_right), "y": entry.y + aside * sin(to_right)}
        if getattr(entry, "horse", None) is not None:
            changes["horse"] = f"{entry.horse}_{number + 1}"  # type: ignore[attr-defined]
        yield entry.model_copy(update=changes)
