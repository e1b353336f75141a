"""Law choice: a law by its name, its file or its number."""

import re
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from pathlib import Path
from typing import overload

from brickphys.arguments import public
from brickphys.display import Displayed
from brickphys.errors import InvalidValueError
from brickphys.files import is_there
from brickphys.odds.distribution import number_text
from brickphys.odds.law import BinomialLaw, Law, MovedLaw, RollLaw
from brickphys.odds.law_file import DEFAULT, find_law, shipped_laws, shipped_name
from brickphys.odds.law_words import law_words
from brickphys.text import LONGEST, cut

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

    Raises
    ------
    InvalidValueError
        As `law`.
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
