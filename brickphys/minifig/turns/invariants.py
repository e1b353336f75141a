"""Invariants: what no play changes, what never grows, and bases that overlap."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import dist

from brickphys.geometry.polygon import Point
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN
from brickphys.minifig.state.state import State

_ROUNDING_IN = 1e-4


def conserved(state: State) -> Mapping[str, object]:
    """Return the figures, things and items that there are, whatever has become of them."""
    return {
        "figures": len(state.figures),
        "things": len(state.things),
        "items": sum((item.holder is None) != (item.at_in is None) for item in state.items),
    }


def shrinking(state: State) -> Mapping[str, int]:
    """Return how many figures of each player live, and how many bricks of each wall stand."""
    setting = state.setting
    walls = zip(setting.walls, state.walls, strict=True)
    return {
        **{
            f"figures of {name}": count
            for name, count in zip(setting.players, state.strength, strict=True)
        },
        **{f"bricks of {wall.name}": len(wall.spans) - len(out) for wall, out in walls},
    }


def overlaps(state: State) -> Iterator[str]:
    """Yield every two bases that overlap: play never leads there."""
    for (one, here, radius), (other, there, its) in combinations(_bases(state), 2):
        if dist(here, there) < radius + its - _ROUNDING_IN:
            yield f"{one} overlaps {other}"


def _bases(state: State) -> Iterator[tuple[str, Point, float]]:
    """Yield name, place and radius of what stands on the table."""
    setting = state.setting
    for number in state.alive:
        yield setting.figures[number].name, state.figures[number].place_in, BASE_RADIUS_IN
    for number in state.standing_things():
        spec = setting.things[number]
        yield spec.name, state.things[number].place_in, spec.kind.radius_in
