"""Sampler: outcomes of an exact law by address."""

from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Generic, TypeVar

from brickphys.errors import BrokenGameError, InvalidValueError

_STEPS = 2**53
"""The number of values of a uniform of 53 bits."""

T = TypeVar("T")


class InverseCdfSampler(Generic[T]):
    """An exact law, ready to be sampled with 53 bits.

    Parameters
    ----------
    law
        Outcome -> probability; the order of the outcomes is part of the law.

    Raises
    ------
    BrokenGameError
        If the probabilities do not sum to exactly 1.
    """

    def __init__(self, law: Mapping[T, Fraction]) -> None:
        whole = lcm(*(share.denominator for share in law.values()))
        parts = [share.numerator * (whole // share.denominator) for share in law.values()]
        if (total := sum(parts)) != whole:
            raise BrokenGameError(f"a law sums to {Fraction(total, whole)}, not to 1")
        self._outcomes = tuple(law)
        self._ends = [-(-end * _STEPS // whole) for end in accumulate(parts)]

    def outcome(self, root: int, address: tuple[int, ...]) -> T:
        """Return the outcome at which the distribution function passes the uniform of this address.

        Raises
        ------
        InvalidValueError
            If a part of the address is negative.
        """
        from brickphys.seeds import uniforms  # loads numpy

        if any(part < 0 for part in address):
            raise InvalidValueError(f"address {address} has a negative part")
        step = min(int(uniforms(root, address, 0, 1, 1)[0, 0] * _STEPS), _STEPS - 1)
        return self._outcomes[bisect_right(self._ends, step)]
