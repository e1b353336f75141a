"""The map and the status of a battle as text."""

import pytest

from brickphys.blade_and_bow.deck import Card, card_numbers, deck, effect_text
from brickphys.blade_and_bow.pieces import HIDDEN, Box
from brickphys.blade_and_bow.scenario import sheets
from brickphys.blade_and_bow.scene import battle_map
from brickphys.blade_and_bow.state import Phase, State
from brickphys.blade_and_bow.status import battle_status, card_names
from brickphys.errors import InvalidValueError
from brickphys.rules.registry import game
from tests.blade_and_bow.battle import battle, unit

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
        "    A1  B1  C1  D1",
        " 1  .   .   $   a←)",
        " 2  B↘* ~   .   ^",
        " 3  .   A↑! .   .",
    ]
    assert lines[-1].split(", ") == ["    . clear", "^ hill", "~ river"]


def test_the_map_names_walls() -> None:
    state = battle(GROUND, *PIECES, walls=["B2 B3"])
    assert battle_map(state).splitlines()[-1] == "    wall between B3 and B2"


def test_ranks_that_are_still_to_be_chosen_are_not_shown() -> None:
    one = game("blade_and_bow")
    state = one.initial(one.setups["marathon"])
    assert [ranks_of(state, name) for name in ("left_1", "left_2")] == ["?", "?"]
    words = {one.format_action(action): action for action in one.actions(state)}
    state = one.apply(state, words["ranks 2"])
    assert [ranks_of(state, name) for name in ("left_1", "left_2")] == ["+2", "?"]


def ranks_of(state: State, name: str) -> str:
    """Return the ranks of a unit that the table has."""
    (row,) = (line for line in battle_status(state).splitlines() if f" {name} " in line)
    return row.split()[-1]


def test_hidden_ranks_and_cards_are_not_shown() -> None:
    state = fight(hands=((3, 5), (1,)))
    seen = state.change_unit(unit(state, "hoplite"), ranks=HIDDEN)
    seen = seen.replaced({"hands": ((HIDDEN, HIDDEN), (1,))})
    text = battle_status(seen)
    (row,) = (line for line in text.splitlines() if " hoplite " in line)
    assert row.split()[-1] == "?"
    assert deck()[3].name not in text
    assert deck()[1].name in text
    assert "+2" in battle_status(state)


def test_an_empty_hand_is_told() -> None:
    assert card_names(()) == "none"
    assert card_names((HIDDEN, 1, HIDDEN)) == f"{deck()[1].name}, 2 hidden"


def test_units_off_the_map_are_told_by_their_boxes() -> None:
    state = fight()
    gone = {"square": None, "box": Box.ROUTED}
    text = battle_status(state.change_unit(unit(state, "psiloi"), **gone))
    assert "routed: psiloi" in text
    assert "A2" not in text


def test_known_cards_are_told_with_their_effects() -> None:
    text = battle_status(fight(hands=((card_numbers()["onrush"],), (HIDDEN,))))
    (row,) = (line.split("  ") for line in text.splitlines() if "onrush" in line)
    assert [cell.strip() for cell in row if cell] == [
        "onrush",
        "greeks",
        "1",
        "2 dice more in melee, when attacking in melee",
    ]


@pytest.mark.parametrize("card", deck(), ids=lambda card: card.name)
def test_every_card_has_a_sheet(card: Card) -> None:
    (sheet,) = sheets(card.name).sheets
    assert sheet.document()["commitment"] == card.commitment
    assert str(sheet.document()["about"]) in sheet.text(lambda letter, _: letter)
    if card.effect is not None:
        assert all(name.replace("_", " ") in sheet.about for name in card.effect.whom)


def test_cards_of_different_effects_have_different_texts() -> None:
    texts = [effect_text(card) for card in deck() if card.effect is not None]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(("slip", "meant"), [("voley", "volley"), ("hoplit", "hoplite")])
def test_a_sheet_of_a_slip_is_that_of_a_kind_or_a_card(slip: str, meant: str) -> None:
    with pytest.raises(InvalidValueError, match=f"did you mean '{meant}'"):
        sheets(slip)


@pytest.mark.parametrize(("phase", "is_told"), [(Phase.INITIATIVE, False), (Phase.IMPULSES, True)])
def test_who_holds_the_initiative_is_told_after_the_dice(phase: Phase, is_told: bool) -> None:
    """BB 5.3."""
    state = fight().replaced({"phase": phase, "turn": 2, "holder": 0})
    assert ("holds the initiative" in battle_status(state)) is is_told
