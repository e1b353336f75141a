"""A suggestion is made where somebody slipped, and not where two words only share letters."""

import pytest

from brickphys.errors import agreed, nearest, unknown

NAMES = ("wood", "glass", "cloth", "plastic", "hand", "cup", "2x8", "sheet", "poses", "plane")


@pytest.mark.parametrize(
    ("given", "meant"),
    [("wod", "wood"), ("wodo", "wood"), ("Plastik", "plastic"), ("hnd", "hand"), ("2x9", "2x8")],
)
def test_a_slip_is_understood(given: str, meant: str) -> None:
    assert nearest(given, NAMES) == meant
    assert str(unknown("name", given, NAMES)).endswith(f"did you mean {meant!r}?")


@pytest.mark.parametrize("given", ["sphere", "foo", "toss", "lawn", "cube", "carpet", "shake"])
def test_another_word_is_not_bent_into_a_known_one(given: str) -> None:
    assert nearest(given, NAMES) is None
    assert str(unknown("name", given, NAMES)).endswith(f"known: {', '.join(NAMES)}")


@pytest.mark.parametrize(
    ("subject", "told"),
    [("red", "red wins"), ("guards", "guards win"), ("marcus", "marcus wins"), ("abyss", "abyss wins")],
)  # fmt: skip
def test_a_verb_agrees_with_its_subject(subject: str, told: str) -> None:
    assert agreed(subject, "win") == told
