"""Seeds by address: throw *i* of cell *c* always reads the same random numbers.

The raw uniforms come from the counter-based Philox generator (Salmon et al., "Parallel random numbers: as easy as
1, 2, 3", SC 2011), keyed by the root seed and the cell. A chunk of throws is one jump and one vectorised draw, so the
numbers of a throw do not depend on chunking, on the number of workers, or on what was thrown before.
"""

import math
import secrets

import numpy as np
import numpy.typing as npt

from brickphys.errors import InvalidValueError
from brickphys.units import Array

MAX_ROOT = 2**53
"""Root seeds are below this: JSON readers that use doubles keep them exact."""
_WORDS_PER_COUNTER = 4
_FEW = 10_000
"""Fewer logarithms are taken one by one, since SciPy takes a fifth of a second to import."""
_FAR = 0.1353352832366127
"""exp(-2): uniform numbers below it, or as near to 1, make the normal numbers of the tails."""
_ROOT_2PI = 2.5066282746310007
_MIDDLE, _MIDDLE_UNDER, _TAIL, _TAIL_UNDER = (
    tuple(map(float, row.split()))
    for row in (
        "-59.96335010141079 98.00107541859997 -56.67628574690703 13.931260938727968 -1.2391658386738125",
        "1 1.9544885833814176 4.676279128988815 86.36024213908905 -225.46268785411937 200.26021238006066"
        " -82.03722561683334 15.90562251262117 -1.1833162112133",
        "4.0554489230596245 31.525109459989388 57.16281922464213 44.08050738932008 14.684956192885803"
        " 2.1866330685079025 -0.1402560791713545 -0.03504246268278482 -0.0008574567851546854",
        "1 15.779988325646675 45.39076351288792 41.3172038254672 15.04253856929075 2.504649462083094"
        " -0.14218292285478779 -0.03808064076915783 -0.0009332594808954574",
    )
)
"""Coefficients of polynomials, from the highest power on: what is divided, and by what."""


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
    """Return the uniforms of throws ``first .. first + count - 1`` of one cell, shape (count, width).

    They are strictly inside (0, 1), so that inverse distribution functions stay finite.

    Parameters
    ----------
    root
        Root seed, ``0 <= root < 2**53``.
    cell
        Address of the cell, any tuple of non-negative integers.
    width
        Numbers for each throw; the same throw with another width reads other numbers.
    """
    blocks = -(-width // _WORDS_PER_COUNTER)
    bits = np.random.Philox(key=_key(root, cell))
    bits.advance(first * blocks)
    raw = bits.random_raw(count * blocks * _WORDS_PER_COUNTER)
    words = np.asarray(raw).reshape(count, blocks * _WORDS_PER_COUNTER)[:, :width]
    # 52 random bits plus one half: the largest sum is exact, so the result is below 1.0
    return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52


def normal_quantiles(p: Array) -> Array:
    """Return the quantiles of the standard normal distribution, for numbers in (0, 1).

    The rational functions are those of S. L. Moshier's Cephes library, as in ``scipy.special.ndtri``, whose machine
    code rounds otherwise on ARM. Here each operation is one of NumPy, and logarithms are those of the C library, so the
    result is the same bit for bit on every processor.
    """
    y = p - 0.5
    square = y * y
    ratio = square * np.polyval(_MIDDLE, square) / np.polyval(_MIDDLE_UNDER, square)
    found = np.asarray((y + y * ratio) * _ROOT_2PI)
    far = np.nonzero(np.abs(y) >= 0.5 - _FAR)
    tail, above = p[far], y[far] > 0.0
    size = np.sqrt(-2.0 * _logarithms(np.where(above, 1.0 - tail, tail)))
    inverse = 1.0 / size
    less = inverse * np.polyval(_TAIL, inverse) / np.polyval(_TAIL_UNDER, inverse)
    size = size - _logarithms(size) / size - less
    found[far] = np.where(above, size, -size)
    return found


def _logarithms(numbers: Array) -> Array:
    """Return the logarithms of the C library, since NumPy's depend on the processor."""
    if len(numbers) < _FEW:
        return np.array([*map(math.log, numbers)])
    from scipy.special import xlogy

    return np.asarray(xlogy(1.0, numbers))


def generator(root: int, *address: int) -> np.random.Generator:
    """Return the generator of one address, where the count of random numbers is not known in advance (a battle)."""
    return np.random.default_rng(np.random.SeedSequence(check_root(root), spawn_key=address))
