"""Worth: how much a state seems worth to each player, as a weighted sum of features that was fitted to played games.

A game describes a state by features: `features(state)` returns an array of shape (players, n), a row for each player,
0 where the sides are equal. The chance to win is the logistic function of the weighted sum of a row; the worth is that
chance in the scale of returns, -1 to 1. The weights are in ``data/worth.toml`` of the game's package;
``python -m benchmarks.fit_worth`` makes them.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from brickphys.errors import InvalidValueError
from brickphys.files import shipped_tables
from brickphys.units import Array


@dataclass(frozen=True, eq=False)
class FittedWorth:
    """The weights of the features of a game.

    A weight is the change of the logarithm of the odds to win for one unit of the feature; their shape is (n,).
    """

    names: tuple[str, ...]
    """The name of each feature."""
    weights: Array

    @classmethod
    def shipped(cls, package: str, names: tuple[str, ...], table: str = "worth") -> Self:
        """Return the weights in a table of a package, by default the file ``data/worth.toml``.

        InvalidValueError if the file has others. `names` are the features that the game counts, in their order.
        """
        found = shipped_tables(package, table)["weights"]
        if set(found) != set(names):
            raise InvalidValueError(
                f"{table}.toml of {package}: weights of {', '.join(sorted(found))}, "
                f"but the features are {', '.join(sorted(names))}"
            )
        return cls(names, np.array([found[name] for name in names], dtype=float))

    def values(self, features: Array) -> Array:
        """Return the worth of rows of features, shape (..., n): -1 to 1, shape (...)."""
        worths: Array = np.tanh(0.5 * (features @ self.weights))
        return worths
