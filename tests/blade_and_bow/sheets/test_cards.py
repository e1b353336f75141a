"""The action deck: its numbers, and every fault of a file of cards."""

from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from statistics import mean

import pytest

from brickphys.blade_and_bow.deck import (
    COLOURS,
    DECK_CARDS,
    MOST_COMMITMENT,
    EffectVerb,
    card_numbers,
    deck,
    read_deck,
)
from brickphys.blade_and_bow.sheets import counters, data
from brickphys.errors import InvalidValueError


def test_the_deck_is_what_the_book_counts():
    cards = deck()
    effects = [card.effect for card in cards if card.effect is not None]
    assert len(cards) == DECK_CARDS
    assert len(set(effects)) == len(effects) == 57
    assert [card.name for card in cards if card.effect is None] == [
        "tough_luck_1",
        "tough_luck_2",
        "reshuffle",
    ]
    assert [card.is_reshuffle for card in cards].count(True) == 1
    assert all(0 <= card.commitment <= MOST_COMMITMENT for card in cards)
    assert [cards[number].name for number in card_numbers().values()] == list(card_numbers())


def test_better_colours_have_higher_command_numbers_on_average():
    numbers = zip(*(card.command for card in deck() if not card.is_reshuffle), strict=True)
    means = [mean(map(Fraction, column)) for column in numbers]
    assert [round(float(each), 2) for each in means] == [1.61, 1.81, 2.10, 2.37]
    assert len(means) == len(COLOURS)
    assert {number for card in deck() for number in card.command} == {1, 2, 3}


def test_every_verb_is_on_a_card_and_every_card_fits_a_unit():
    effects = [card.effect for card in deck() if card.effect is not None]
    assert {effect.verb for effect in effects} == set(EffectVerb)
    assert all(any(map(effect.fits, counters().values())) for effect in effects)


def test_a_card_names_kinds_sizes_and_arms():
    whom = {card.name: card.effect for card in deck() if card.effect is not None}
    kinds = counters()
    assert whom["strong_bows"].fits(kinds["archers"])
    assert not whom["strong_bows"].fits(kinds["spears"])
    assert whom["push_of_shields"].fits(kinds["hoplite"])
    assert whom["fresh_horses"].fits(kinds["light_cavalry"])
    assert not whom["fresh_horses"].fits(kinds["peltast"])


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"commitment": 5}, "battle_cry: commitment 5 is not from 0 to 4 (BB 2.2.1)"),
        ({"commitment": None}, "battle_cry: commitment None is not from 0 to 4"),
        ({"command": [1, 2, 3]}, "battle_cry: no command number for yellow (BB 2.2.3)"),
        ({"command": [1, 2, 3, 4]}, "battle_cry: command number 4 for yellow is not from 1 to 3"),
        ({"command": [1, 2, 3, 3, 3]}, "battle_cry: 5 command numbers, not 4 (BB 2.2.3)"),
        ({"verb": "melee_dise"}, "battle_cry: unknown verb 'melee_dise'"),
        ({"moment": "dawn"}, "battle_cry: unknown moment 'dawn'"),
        ({"lasts": "ever"}, "battle_cry: unknown lasts 'ever'"),
        ({"amount": 0}, "battle_cry: amount 0 is not from 1 to 6"),
        ({"whom": ["hoplites"]}, "battle_cry: unknown kind of unit 'hoplites'"),
        ({"moment": "cover"}, "battle_cry: melee_dice is played at the moment"),
        ({"lasts": "once"}, "battle_cry: melee_dice does not last once"),
        ({"colour": "red"}, "battle_cry: unknown key 'colour'"),
        ({"amount": 2}, "onrush: its effect is that of battle_cry"),
    ],
)
def test_every_fault_of_a_card_is_named(changes, fault):
    raw = deepcopy(data("cards"))
    raw["battle_cry"].update(changes)
    with pytest.raises(InvalidValueError) as error:
        read_deck(raw)
    assert fault in str(error.value)
    assert str(error.value).startswith("cards: ")


def test_all_faults_of_a_deck_are_named_together():
    raw = deepcopy(data("cards"))
    raw["volley"]["commitment"] = 9
    raw["fury"]["command"] = []
    del raw["reshuffle"]
    with pytest.raises(InvalidValueError) as error:
        read_deck(raw)
    assert "volley: commitment 9" in str(error.value)
    assert "fury: no command number for white" in str(error.value)
    assert "59 cards, not 60 (BB 2.2)" in str(error.value)
    assert "0 reshuffle cards, not 1" in str(error.value)


def test_the_page_shows_the_deck_as_it_is():
    text = (Path(__file__).parents[3] / "docs" / "blade-and-bow.md").read_text(encoding="utf-8")
    for card in deck():
        if card.is_reshuffle:
            continue
        numbers, effect, words = " ".join(map(str, card.command)), card.effect, "none"
        if effect is not None:
            when = f"{effect.moment.value}, {effect.lasts.value}"
            whom = f"; {', '.join(effect.whom)}" if effect.whom else ""
            words = f"`{effect.verb.value}` {effect.amount}, {when}{whom}"
        assert f"| `{card.name}` | {card.commitment} | {numbers} | {words} |\n" in text
    for verb in EffectVerb:
        count = sum(card.effect is not None and card.effect.verb is verb for card in deck())
        assert f"| `{verb.value}` | {count} |" in text
