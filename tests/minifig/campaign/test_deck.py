"""The deck: 56 lower arcana and one upper one, and what happens when it is drawn (MF Campaign, Tarot of the Day)."""

import numpy as np

from brickphys.minifig.campaign.days import CardDraw
from brickphys.minifig.campaign.state import LAST_ARCANUM, after_card, card_draw, tables
from tests.minifig.campaign.quest import after, quest


def names(drawn, arcanum):
    return [name for name, weight in card_draw(drawn, arcanum).weights if weight == 1]


def test_the_fool_leaves_the_lower_cards_return_and_the_magician_comes():
    drawn = frozenset(tables().lower[:30])
    drawn, arcanum = after_card(drawn, 0, "the fool")
    assert names(drawn, arcanum) == [*tables().lower, "the magician"]


def test_each_upper_card_leaves_like_the_fool_until_none_is_left():
    drawn, arcanum = frozenset(), 0
    for card in tables().arcana:
        assert names(drawn, arcanum)[-1] == card
        drawn, arcanum = after_card(drawn, arcanum, card)
    assert (names(drawn, arcanum), arcanum) == ([*tables().lower], LAST_ARCANUM)


def test_an_upper_card_is_drawn_every_57_days_at_the_latest():
    rng, drawn, arcanum, days = np.random.default_rng(3), frozenset(), 0, 0
    while arcanum < LAST_ARCANUM:
        found = names(drawn, arcanum)
        assert len(found) == 57 - days
        card = found[int(rng.integers(len(found)))]
        drawn, arcanum = after_card(drawn, arcanum, card)
        days = 0 if card in tables().arcana else days + 1
    for _ in range(56 * 3):  # then the lower cards go round
        found = names(drawn, arcanum)
        drawn, arcanum = after_card(drawn, arcanum, found[int(rng.integers(len(found)))])
    assert len(names(drawn, arcanum)) == 56


def test_the_fool_brings_nothing_but_a_new_season_of_the_campaign():
    state = quest(CardDraw(), drawn=frozenset({"two of cups"}))
    found = after(state, "the fool")
    assert (found.arcanum, found.drawn, found.card) == (1, frozenset(), "the fool")
    assert found.pending == ()


def test_a_lower_card_asks_what_is_done():
    found = after(quest(CardDraw()), "two of cups")
    assert [type(one).__name__ for one in found.pending] == ["CardQuestion"]
    assert found.drawn == {"two of cups"}
