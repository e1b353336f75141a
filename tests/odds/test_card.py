"""A card has the numbers of single odds."""

import pytest

import brickphys
from brickphys.odds.answer import MOST_ATTACK, MOST_DEFENCE, bricks_title, odds_card
from brickphys.odds.law_choice import named_law
from brickphys.odds.opposed import opposed


@pytest.mark.parametrize("law", ["default", "baseplate", 0.3])
def test_a_card_has_the_numbers_of_single_odds(law):
    rolled, name = named_law(law)
    card = odds_card(rolled, name)
    table = [[opposed(a, d, rolled) for d in range(7)] for a in range(1, 9)]
    assert [list(row) for row in card.chances] == [[one.success for one in row] for row in table]
    assert [list(row) for row in card.means] == [
        [one.expected_damage for one in row] for row in table
    ]
    assert (len(card.attacks), len(card.defences)) == (MOST_ATTACK, MOST_DEFENCE + 1)
    assert card.document()["success"][2][2] == brickphys.odds(3, 2, law).success
    assert card.document()["expected_damage"][2][2] == brickphys.odds(3, 2, law).expected_damage
    assert (card.widest_range90 is None) == (law == 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["default", "baseplate"])
def test_the_widest_range_is_that_of_a_cell(law):
    moved = []
    card = odds_card(*named_law(law))
    for attack in card.attacks:
        for defence in card.defences:
            single = brickphys.odds(attack, defence, law)
            moved += [abs(end - single.success) for end in single.success_range90]
    assert card.widest_range90 == pytest.approx(max(moved))


@pytest.mark.parametrize(("law", "lacks"), [("default", 0), ("pybullet", 1), (0.3, 0)])
def test_a_card_tells_what_its_law_lacks(law, lacks):
    assert len(odds_card(*named_law(law)).notes) == lacks


@pytest.mark.parametrize(
    ("health", "attacks", "told"),
    [
        (None, 1, ""),
        (2, 1, ", 1 attack on 2 health"),
        (None, 3, ", 3 attacks"),
        (2, 3, ", 3 attacks on 2 health"),
    ],
)
def test_bricks_are_told_with_attacks_and_health(health, attacks, told):
    assert bricks_title(4, 3, health, attacks) == f"4 bricks against 3{told}"
