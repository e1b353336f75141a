"""Cases: a few of them in the fast suite, all with the slow tests."""

from collections.abc import Iterable

import pytest
from hypothesis import settings


def few(cases: Iterable[object], count: int = 1) -> list[object]:
    """Return cases of one argument: after the first `count`, all are slow."""
    return [
        case if number < count else pytest.param(case, marks=pytest.mark.slow)
        for number, case in enumerate(cases)
    ]


def few_rows(cases: Iterable[Iterable[object]], count: int = 1) -> list[object]:
    """Return cases of several arguments: after the first `count`, all are slow."""
    return [
        pytest.param(*case, marks=[] if number < count else pytest.mark.slow)
        for number, case in enumerate(cases)
    ]


def all_but(cases: Iterable[object], *seldom: object) -> list[object]:
    """Return cases of one argument, of which these are slow."""
    cases = list(cases)
    assert {*seldom} <= {*cases}
    return [
        pytest.param(case, marks=pytest.mark.slow) if case in seldom else case for case in cases
    ]


def examples(share: float) -> int:
    """Return a number of examples for a property: this share of the usual one, which is lower in the fast suite."""
    return max(1, round(share * settings().max_examples))
