"""The map and the status of a battle as text."""

from bb_battle import battle, unit

from brickphys.blade_and_bow.report.battle_map import battle_map
from brickphys.blade_and_bow.report.status_text import battle_status, card_names
from brickphys.blade_and_bow.sheets.cards import deck
from brickphys.blade_and_bow.state.pieces import HIDDEN, Box
from brickphys.blade_and_bow.state.state import State

GROUND = """
    ...^
    .~.^
    ....
"""
PIECES = (
    "greeks hoplite B3 n +2",
    "greeks leader leonidas B3 1-6-3/red",
    "greeks psiloi A2 se disrupted",
    "persians archers D1 w wall",
    "persians camp C1",
)


def fight(**changes: object) -> State:
    """A small battle."""
    return battle(GROUND, *PIECES, **changes)  # type: ignore[arg-type]


def test_the_map_has_the_rows_from_the_top_and_shows_units_with_arrows() -> None:
    lines = battle_map(fight()).splitlines()
    assert lines[:4] == [
        "    A   B   C   D",
        " 1  .   .   $   a←)",
        " 2  B↘* ~   .   ^",
        " 3  .   A↑! .   .",
    ]
    assert lines[-1].split(", ") == ["    . clear", "^ hill", "~ river"]


def test_the_map_names_walls() -> None:
    state = battle(GROUND, *PIECES, walls=["B2 B3"])
    assert battle_map(state).splitlines()[-1] == "    wall between B3 and B2"


def test_hidden_ranks_and_cards_are_not_shown() -> None:
    state = fight(hands=((3, 5), (1,)))
    seen = state.change_unit(unit(state, "hoplite"), ranks=HIDDEN)
    seen = seen.replaced({"hands": ((HIDDEN, HIDDEN), (1,))})
    text = battle_status(seen)
    (row,) = (line for line in text.splitlines() if " hoplite " in line)
    assert row.split()[-1] == "?"
    assert "2 hidden" in text
    assert deck()[3].name not in text
    assert deck()[1].name in text
    assert "+2" in battle_status(state)


def test_an_empty_hand_is_told() -> None:
    assert card_names(()) == "none"


def test_units_off_the_map_are_told_by_their_boxes() -> None:
    state = fight()
    gone = {"square": None, "box": Box.ROUTED}
    text = battle_status(state.change_unit(unit(state, "psiloi"), **gone))
    assert "routed: psiloi" in text
    assert "A2" not in text
