"""The action deck: its numbers and effects."""

from fractions import Fraction
from pathlib import Path
from statistics import mean

from brickphys.blade_and_bow import deck
from brickphys.blade_and_bow.sheets import FormationSize, ServiceArm, counters


def test_the_deck_is_what_the_book_counts():
    cards = deck.deck()
    effects = [card.effect for card in cards if card.effect is not None]
    assert len(cards) == deck.DECK_CARDS
    assert len(set(effects)) == len(effects) == 57
    assert [card.name for card in cards if card.effect is None] == [
        "tough_luck_1",
        "tough_luck_2",
        "reshuffle",
    ]
    assert [card.is_reshuffle for card in cards].count(True) == 1
    assert [cards[number].name for number in deck.card_numbers().values()] == list(
        deck.card_numbers()
    )


def test_better_colours_have_higher_command_numbers_on_average():
    numbers = zip(*(card.command for card in deck.deck() if not card.is_reshuffle), strict=True)
    means = [mean(map(Fraction, column)) for column in numbers]
    assert [round(float(each), 2) for each in means] == [1.61, 1.81, 2.10, 2.37]
    assert len(means) == len(deck.COLOURS)
    assert {number for card in deck.deck() for number in card.command} == {1, 2, 3}


def test_every_verb_is_on_a_card_and_every_card_fits_a_unit():
    effects = [card.effect for card in deck.deck() if card.effect is not None]
    assert {effect.verb for effect in effects} == set(deck.EffectVerb)
    assert all(any(map(effect.fits, counters().values())) for effect in effects)


def test_a_card_names_kinds_sizes_and_arms():
    whom = {card.name: card.effect for card in deck.deck() if card.effect is not None}
    kinds = counters()
    assert whom["strong_bows"].fits(kinds["archers"])
    assert not whom["strong_bows"].fits(kinds["spears"])
    assert whom["push_of_shields"].fits(kinds["hoplite"])
    assert whom["fresh_horses"].fits(kinds["light_cavalry"])
    assert not whom["fresh_horses"].fits(kinds["peltast"])


FIGHT, IMPULSE = {"attack", "defence", "melee"}, {"impulse"}
MOMENTS = {
    "melee_dice": FIGHT | IMPULSE,
    **dict.fromkeys(("hits_to", "cancels_from", "rerolls"), FIGHT),
    "guard": FIGHT | {"cover"},
    "missile_dice": {"volley"},
    "missile_defence": {"cover"},
    "initiative": {"initiative"},
}
"""When effects can be played that are not for an impulse."""
AT_ONCE = {"rally", "wheel", "scout", "recall", "actions", "draw"}


def test_every_number_and_word_of_a_card_is_in_its_bounds():
    """BB 2.2.1, 2.2.3; what happens at once does not last."""
    groups = {*counters(), *(one.value for one in (*FormationSize, *ServiceArm))}
    for card in deck.deck():
        assert 0 <= card.commitment <= 4
        assert len(card.command) == len(deck.COLOURS) * (not card.is_reshuffle)
        if (effect := card.effect) is not None:
            verb = effect.verb.value
            assert 1 <= effect.amount <= 6
            assert effect.moment.value in MOMENTS.get(verb, IMPULSE)
            assert (effect.lasts.value == "once") == (verb in AT_ONCE)
            assert set(effect.whom) <= groups


def test_the_page_shows_the_deck_as_it_is():
    text = (Path(__file__).parents[3] / "docs" / "blade-and-bow.md").read_text(encoding="utf-8")
    for card in deck.deck():
        if card.is_reshuffle:
            continue
        numbers, effect, words = " ".join(map(str, card.command)), card.effect, "none"
        if effect is not None:
            when = f"{effect.moment.value}, {effect.lasts.value}"
            whom = f"; {', '.join(effect.whom)}" if effect.whom else ""
            words = f"`{effect.verb.value}` {effect.amount}, {when}{whom}"
        assert f"| `{card.name}` | {card.commitment} | {numbers} | {words} |\n" in text
