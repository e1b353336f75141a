"""Units at random, and battles of them on ground at random that can be turned by quarter turns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

import numpy as np

from brickphys.blade_and_bow.sheets import counters
from brickphys.blade_and_bow.state import State
from brickphys.grid.grid import FACING_NAMES, FACINGS, Square
from tests.blade_and_bow.battle import PLAYERS, SIGNS, battle

KINDS = tuple(counters())
SIZE = 7


def square_names(side: int) -> list[str]:
    """Return the names of the squares of a square map."""
    return [f"{chr(65 + x)}{row}" for x in range(side) for row in range(1, side + 1)]


def scattered(
    rng: Random,
    places: Sequence[str],
    players: Sequence[str] = PLAYERS,
    *,
    kinds: Sequence[str] = KINDS,
    ranks: int = 0,
    marks: Sequence[str] = ("", "", "disrupted"),
    facings: Sequence[Sequence[str]] = (FACING_NAMES, FACING_NAMES),
) -> Iterator[str]:
    """Yield a line for a unit u0, u1, ... in each place, of both players in turn, with up to so many ranks."""
    for number, place in enumerate(places):
        side, kind = number % 2, rng.choice(kinds)
        more = f"+{rng.randint(0, ranks)}" if ranks and counters()[kind].has_ranks else ""
        facing, mark = rng.choice(facings[side]), rng.choice(marks)
        yield f"{players[side]} {kind} {place} {facing} as=u{number} {more} {mark}"


def ground(rng: Random, signs: str, side: int) -> str:
    """Return a square map; the signs are as frequent as in the text."""
    return "\n".join("".join(rng.choice(signs) for _ in range(side)) for _ in range(side))


@dataclass(frozen=True)
class Crowd:
    """A square map of `SIZE` squares a side, and units by their place: player, kind, facing, disrupted."""

    signs: dict[tuple[int, int], str]
    units: dict[tuple[int, int], tuple[int, str, int, bool]]

    @property
    def turned(self) -> "Crowd":
        """The same, turned by 90 degrees to the left."""
        return Crowd(
            {turned(place): sign for place, sign in self.signs.items()},
            {
                turned(place): (player, kind, (facing + 2) % FACINGS, disrupted)
                for place, (player, kind, facing, disrupted) in self.units.items()
            },
        )

    @property
    def exchanged(self) -> "Crowd":
        """The same, with the units of either player in the other's hands."""
        units = {place: (1 - player, *rest) for place, (player, *rest) in self.units.items()}
        return Crowd(self.signs, units)

    @property
    def state(self) -> State:
        """Return the battle; its units are in the order of `units`."""
        across = range(SIZE)
        rows = ["".join(self.signs[x, y] for x in across) for y in reversed(across)]
        return battle(
            "\n".join(rows),
            *(
                f"{PLAYERS[player]} {kind} {chr(65 + x)}{SIZE - y} {FACING_NAMES[facing]} "
                f"as=u{n} {'disrupted' if disrupted else ''}"
                for n, ((x, y), (player, kind, facing, disrupted)) in enumerate(self.units.items())
            ),
        )


def turned(place: tuple[int, int]) -> tuple[int, int]:
    """Return where a place comes by a quarter turn to the left."""
    x, y = place
    return SIZE - 1 - y, x


def turned_square(square: Square) -> Square:
    """The same of the number of a square."""
    y, x = divmod(square, SIZE)
    x, y = turned((x, y))
    return y * SIZE + x


def crowd(seed: int, *, units: int = 9, ground: str = '......^^="~+') -> Crowd:
    """Return a crowd; the signs of the ground are as frequent as in the text."""
    rng = np.random.default_rng(seed)
    places = [(int(x), int(y)) for x, y in product(range(SIZE), range(SIZE))]
    signs = {place: ground[rng.integers(len(ground))] for place in places}
    assert set(ground) <= set(SIGNS)
    chosen = rng.permutation(len(places))[:units]
    return Crowd(
        signs,
        {
            places[n]: (
                int(rng.integers(2)),
                KINDS[rng.integers(len(KINDS))],
                int(rng.integers(FACINGS)),
                bool(rng.random() < 0.3),
            )
            for n in chosen
        },
    )
