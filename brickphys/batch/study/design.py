"""Design: the cells of a study: every combination, a list, or points that fill a space."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from brickphys.batch.study.schema import SampleDocument, SpecDocument
from brickphys.seeds import generator

CellFactors = Mapping[str, Any]
"""Values of the factors of one cell."""


def factors(document: SpecDocument) -> tuple[str, ...]:
    """Return the names of the factors that differ between cells, in the order of the file."""
    if document.sample is not None:
        return (*document.sample.ranges, *document.sample.choices)
    if document.cell:
        return tuple(dict.fromkeys(name for cell in document.cell for name in cell))
    return tuple(document.grid)


def count_cells(document: SpecDocument) -> int:
    """Return the number of cells without making them."""
    if document.sample is not None:
        return document.sample.cells
    return len(document.cell) or math.prod(len(values) for values in document.grid.values())


def cells(document: SpecDocument, root: int) -> tuple[CellFactors, ...]:
    """Return the cells in their fixed order: the last factor of a grid is the fastest.

    The root seed decides on the points of a sampled design.
    """
    if document.sample is not None:
        return tuple(_sampled(document.sample, root))
    names = factors(document)
    if document.cell:
        return tuple({name: cell[name] for name in names} for cell in document.cell)
    combinations = itertools.product(*document.grid.values())
    return tuple(dict(zip(names, values, strict=True)) for values in combinations)


def _sampled(sample: SampleDocument, root: int) -> Iterator[CellFactors]:
    from scipy.stats import qmc  # loads scipy.stats

    width = len(sample.ranges) + len(sample.choices)
    rng = generator(root)
    if sample.method == "sobol":
        # a Sobol sequence is balanced at powers of two: draw the next one and keep the first points
        points = qmc.Sobol(width, rng=rng).random_base2(math.ceil(math.log2(sample.cells)))
    else:
        points = qmc.LatinHypercube(width, rng=rng).random(sample.cells)
    for point in points[: sample.cells]:
        shares = iter(point.tolist())
        numbers = {
            name: low + next(shares) * (high - low) for name, (low, high) in sample.ranges.items()
        }
        chosen = {
            name: values[min(int(next(shares) * len(values)), len(values) - 1)]
            for name, values in sample.choices.items()
        }
        yield {**numbers, **chosen}
