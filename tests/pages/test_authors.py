"""The pages and the README name who made the games, as far as the books tell it."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("bow.md", ("Alban Nanty", "Marcin Guzik")),
        ("blade-and-bow.md", ("Mike Nagel", "Blue Panther", "War Diary Publications")),
        ("minifig.md", ("names no author",)),
        ("pirate-wars.md", ("names no author",)),
    ],
)
def test_a_game_is_by_somebody(page: str, names: tuple[str, ...]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8").split("\n## ")[0]
    assert all(name in text for name in names)


def test_the_readme_names_them_too() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for name in ("Alban Nanty", "Mike Nagel", "Blue Panther", "name no author"):
        assert name in text
