"""Law choice: a law by its name, its file or its number; what a law is of, and the chance of a side by it, in words."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb, isfinite
from numbers import Rational, Real
from pathlib import Path
from typing import overload

from brickphys.errors import InvalidValueError
from brickphys.files import is_there
from brickphys.interface import Displayed, public
from brickphys.odds.distribution import Z95, number_text
from brickphys.odds.law import BinomialLaw, Law, MovedLaw, RollLaw
from brickphys.odds.law_file import DEFAULT, find_law, shipped_laws, shipped_name
from brickphys.odds.provenance import ENGINE
from brickphys.text import LONGEST, cut, percent, percent_range, signed


def law_words(law: Law) -> str:
    """Return what a law is of: the shape, who throws it, and on what."""
    return f"{law.shape}, {law.conditions.preset}, {law.surface.description}"


def stops(law: RollLaw) -> str:
    """Return how a brick stops that scores: ``on a side``, or as other poses."""
    return law.stops if isinstance(law, Law) else "on a side"


def chance_in_hand(law: RollLaw) -> Fraction:
    """Return the chance of a side of a brick that is thrown with others; the odds use it, and `p` for a single one."""
    return law.roll(2).mean() / 2


def chance_words(law: RollLaw, *more: str) -> str:
    """Return the chance of a side, with that in a hand if the two differ: ``28.0 % (27.4 % in a hand of several)``.

    The brackets also say `more`.
    """
    one, several = percent(float(law.p)), percent(float(chance_in_hand(law)))
    inside = [*([] if one == several else [f"{several} in a hand of several"]), *more]
    return f"{one} ({'; '.join(inside)})" if inside else one


def chance_lines(law: RollLaw, name: str) -> str:
    """Return the chance of a side in lines: its 90 % range, the nominal and the engines, what counting alone does."""
    lines = [f"{chance_words(law)}, by {name}", *filter(None, [made_by(law)])]
    if isinstance(law, Law) and law.p_range90:
        lines[0] = f"nominal {lines[0]}"
        lines.insert(0, f"{percent_range(*law.p_range90)} (90 % range: {law.range_meaning})")
    if (outside := outside_range(law)) is not None:
        cases = f"{percent(outside, 0)} of cases"
        lines.append(f"{HONEST_THROWS} honest throws fall outside in {cases}, by counting alone")
    return f"a brick stops {stops(law)} in " + "\n  ".join(lines)


def made_by(law: RollLaw) -> str:
    """Return the engines behind a chance in words: who threw, and what moved their share; empty if it is stated."""
    if not isinstance(law, Law):
        return ""
    found, told = law.systematic, law.engine
    if law.nominal is not None and found and (offset := found.sources.get(ENGINE)):
        by = f"{signed(100 * offset.shift, 2)} +- {100 * Z95 * offset.error:.2f} points"
        told += f", moved to {found.moved_to} by {by}"
    if law.hands_engine in (None, law.engine):
        return f"bricks thrown by {told}"
    return f"single bricks by {told}; hands by {law.hands_engine}"


HONEST_THROWS = 200


def outside_range(law: RollLaw) -> float | None:
    """Return how often the share of 200 throws at p leaves the 90 % range by counting; None without a range of many."""
    if not isinstance(law, Law) or law.p_range90 is None or law.has_all_doubt:
        return None
    p, n, (low, high) = float(law.p), HONEST_THROWS, law.p_range90
    inside = (k for k in range(n + 1) if low <= k / n <= high)
    return 1.0 - sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in inside)


def shortcomings(law: RollLaw, bricks: Collection[int]) -> list[str]:
    """Return sentences on an incomplete or contradicted law, and on numbers of bricks that were not measured.

    The numbers are of bricks that are thrown together; there are none if that is not known.
    """
    if not isinstance(law, Law):
        return []
    notes = [] if law.complete else ["This law is not complete: its calibration was interrupted."]
    if law.contradiction:
        notes.append(f"This law is contradicted by its own data: {law.contradiction}.")
    measured = law.hand_sizes
    lacking = sorted(count for count in bricks if law.extrapolated(count))
    sizes = numbers(lacking) if bricks else "" if measured else "several"
    if sizes:
        source = f"hands of {numbers(measured)}" if measured else "the chance of one brick"
        notes.append(f"Hands of {sizes} bricks were not measured: they are extended from {source}.")
    return notes


def numbers(found: Sequence[int]) -> str:
    """Write ascending numbers: ``2``, ``2 and 4``, ``2 to 5``."""
    if len(found) > 2 and found[-1] - found[0] == len(found) - 1:
        return f"{found[0]} to {found[-1]}"
    *most, last = map(str, found) if found else [""]
    return f"{', '.join(most)} and {last}" if most else last


_NUMBER = re.compile(r"\d*[.,]?\d+ *%?")
LawLike = str | Path | float | Fraction | RollLaw
"""A law: a shipped one by its name, one in a file, the chance of a side as a number, or a law itself."""


@overload
def law(chosen: str | Path | Law = DEFAULT) -> Law: ...
@overload
def law(chosen: float | Fraction | BinomialLaw) -> BinomialLaw: ...
@overload
def law(chosen: LawLike) -> RollLaw: ...
@public()
def law(chosen: LawLike = DEFAULT) -> RollLaw:
    """Return a law of brick rolls.

    Parameters
    ----------
    chosen
        A shipped law (`brickphys.laws` lists them) or the surface of one (``"wood"``), a law file, the chance of a
        side as a number (0.3), or a law object, which is returned unchanged.

    Raises
    ------
    InvalidValueError
        If there is no such law, or a number is outside 0 to 1.

    Examples
    --------
    >>> import brickphys
    >>> brickphys.law("glass").p_range90 is not None
    True
    >>> brickphys.law(0.3).p
    Fraction(3, 10)
    """
    return named_law(chosen)[0]


@public("brickphys.law('glass') returns one of them")
def laws() -> list[str]:
    """Return the names of the shipped laws."""
    return shipped_laws()


def named_law(chosen: LawLike) -> tuple[RollLaw, str]:
    """Return a law, and its name for people.

    Raises InvalidValueError as `law`.
    """
    if isinstance(chosen, str) and _NUMBER.fullmatch(chosen) and not is_there(chosen):
        raise InvalidValueError(
            f"law: {chosen!r} is a text: write the number without quotation marks, such as 0.3"
        )
    if isinstance(chosen, str | Path):
        chosen = replace(find_law(chosen), name=shipped_name(str(chosen)) or str(chosen))
    if isinstance(chosen, Law):
        return chosen, f"{_called(chosen)} ({law_words(chosen)})"
    if isinstance(chosen, BinomialLaw | MovedLaw):
        return chosen, f"p = {chosen.p} as stated"
    chance = _chance(chosen)
    if not 0 <= chance <= 1:
        percent = f"; {float(chance):g} % is {float(chance / 100):g}" if 1 < chance <= 100 else ""
        raise InvalidValueError(f"chance of a side: {number_text(chance)} is outside 0..1{percent}")
    return BinomialLaw(chance), f"p = {chance} as stated"


def _called(law: Law) -> str:
    """Return the name of a law, or of the file whose throws or measurements it rests on."""
    if law.name:
        return "the shipped law" if law.name == DEFAULT else law.name
    own = law.combined or law.measured
    return f"the law of {own.file}" if own else "a law"


def _chance(number: object) -> Fraction:
    """Return a chance without rounding: 0.3 is 3/10."""
    if isinstance(number, bool) or not isinstance(number, Real) or not isfinite(number):
        instead = _law_of(number) or "give a name, a file or a chance such as 0.3"
        raise InvalidValueError(f"law: {cut(repr(number), LONGEST)} is not a law: {instead}")
    return Fraction(number) if isinstance(number, Rational) else Fraction(str(float(number)))


def _law_of(result: object) -> str:
    """Return where the law of another result is; empty if it has none."""
    if not isinstance(result, Displayed):
        return ""
    known = {"law": "its attribute law is one"} if "law" in dir(result) else {}
    return {**known, **result.instead}.get("law", "")
