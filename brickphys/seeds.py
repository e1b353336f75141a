"""Seeds by address: throw *i* of cell *c* always reads the same random numbers.

The raw uniforms come from the counter-based Philox generator (Salmon et al., "Parallel random numbers: as easy as
1, 2, 3", SC 2011), keyed by the root seed and the cell. A chunk of throws is one jump and one vectorised draw, so the
numbers of a throw do not depend on chunking, on the number of workers, or on what was thrown before.
"""

import secrets

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError
from brickphys.units import Array

MAX_ROOT = 2**53
"""Root seeds are below this: JSON readers that use doubles keep them exact."""
_WORDS_PER_COUNTER = 4


def fresh_root() -> int:
    """Draw a root seed from the operating system, in ``[0, 2**53)``."""
    return secrets.randbelow(MAX_ROOT)


def check_root(root: int) -> int:
    """Return `root` if it is a valid root seed, else raise InvalidValueError."""
    if not 0 <= root < MAX_ROOT:
        raise InvalidValueError(f"seed {root} is outside 0..2**53-1")
    return root


def chosen_root(seed: int | None) -> int:
    """Return a seed if it is a valid root, or a fresh root if there is none."""
    return fresh_root() if seed is None else check_root(seed)


def _key(root: int, cell: tuple[int, ...]) -> npt.NDArray[np.uint64]:
    sequence = np.random.SeedSequence(check_root(root), spawn_key=cell)
    return sequence.generate_state(2, np.uint64).astype(np.uint64)


def uniforms(root: int, cell: tuple[int, ...], first: int, count: int, width: int) -> Array:
    """Return the uniforms of throws ``first .. first + count - 1`` of one cell.

    Parameters
    ----------
    root
        Root seed, ``0 <= root < 2**53``.
    cell
        Address of the cell, any tuple of non-negative integers.
    first, count
        Number of the first throw, and number of throws.
    width
        Numbers for each throw; the same throw with another width reads other numbers.

    Returns
    -------
    ndarray, shape (count, width)
        Strictly inside (0, 1), so that inverse distribution functions stay finite.
    """
    blocks = -(-width // _WORDS_PER_COUNTER)
    bits = np.random.Philox(key=_key(root, cell))
    bits.advance(first * blocks)
    raw = bits.random_raw(count * blocks * _WORDS_PER_COUNTER)
    words = np.asarray(raw).reshape(count, blocks * _WORDS_PER_COUNTER)[:, :width]
    # 52 random bits plus one half: the largest sum is exact, so the result is below 1.0
    return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52


def generator(root: int, *address: int) -> np.random.Generator:
    """Return the generator of one address, where the count of random numbers is not known in advance (a battle)."""
    return np.random.default_rng(np.random.SeedSequence(check_root(root), spawn_key=address))
