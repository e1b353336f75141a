"""What a player is asked: in plain words, with all that the answer needs and the player may know."""

from fractions import Fraction

import pytest

from brickphys.blade_and_bow.combat.dice import melee_pools
from brickphys.blade_and_bow.command.cards import NoCard, Play, PlayCards
from brickphys.blade_and_bow.deck import EffectVerb, Moment, deck
from brickphys.blade_and_bow.deployment import LeaderPlace
from brickphys.blade_and_bow.state import Phase
from brickphys.odds.law import BinomialLaw
from brickphys.rules.action_odds import action_odds
from brickphys.rules.record import CHANCE
from tests.blade_and_bow.battle import battle, hand
from tests.blade_and_bow.fight import melee, play, volley
from tests.blade_and_bow.game import GAME, NAMES, setup, warlike_states
from tests.cases import few

FIELD = "....... ....... ....... ....... ......."
SPEARS = ("greeks spears D3 n as=ann marker", "persians spears D2 s as=bob")


def test_before_cards_of_a_melee_the_prompt_tells_who_fights_with_which_dice() -> None:
    hands = (hand("onrush"), hand("last_stand"))
    state = play(melee(battle(FIELD, *SPEARS, hands=hands), "ann"), "attack bob")
    own, other = melee_pools(state)
    dice = f"ann attacks bob, {own.dice} dice against {other.dice}; play a card?"
    assert GAME.prompt(state) == f"defence: {dice}"
    assert GAME.prompt(play(state, "no_card")) == f"attack: {dice}"


def test_before_cards_of_a_volley_the_prompt_tells_who_shoots() -> None:
    archers = ("greeks archers C4 n as=ann", "greeks archers D4 n as=amy")
    state = battle(FIELD, *archers, "persians spears D2 s as=bob", hands=((), hand("fury")))
    state = play(volley(state, "ann", "amy"), "aim bob", "with ann", "with amy")
    assert GAME.prompt(state).startswith("cover: ann, amy shoot at bob, ")


def test_before_other_cards_the_prompt_tells_what_is_rolled() -> None:
    state = battle(FIELD, *SPEARS, hands=(hand("fury"), ()), phase=Phase.INITIATIVE)
    asked = state.push_pending(PlayCards(0, Moment.INITIATIVE))
    assert GAME.prompt(asked) == (
        "initiative: both armies roll a die; the lower roll wins; play a card?"
    )


def test_before_the_dice_for_the_initiative_their_odds_are_known() -> None:
    """BB 5.3: the lower die wins, and who holds the initiative wins a tie: 21 of 36."""
    state = battle(FIELD, *SPEARS, hands=(hand("fury"), ()), phase=Phase.INITIATIVE)
    asked = state.push_pending(PlayCards(0, Moment.INITIATIVE))
    (odds,) = action_odds(GAME, [asked], [NoCard()], BinomialLaw(Fraction(1, 3)))
    assert odds.outcomes == {
        "greeks hold the initiative": Fraction(21 if state.holder == 0 else 15, 36),
        "persians hold the initiative": Fraction(21 if state.holder == 1 else 15, 36),
    }


def test_leaders_are_named_with_their_squares_on_the_map_and_in_the_list() -> None:
    state = GAME.initial(setup("marathon"))
    assert "! miltiades on K14, callimachus on O14, datis on K6" in GAME.describe(state)
    while not isinstance(state.first_pending, LeaderPlace):
        state = GAME.apply(state, GAME.actions(state)[-1])
    places = GAME.actions(state)
    assert [GAME.purpose(state, one) for one in places[:2]] == ["with left 1", "with left 2"]


@pytest.mark.parametrize("name", few(NAMES, 2))
def test_every_question_of_a_battle_for_cards_is_told(name: str) -> None:
    """The prompt names the units of both sides, whoever is asked."""
    moments = set()
    for state in warlike_states(setup(name), 4):
        asked = state.first_pending
        if isinstance(asked, PlayCards) and GAME.actor(state) != CHANCE:
            moments.add(asked.moment)
            prompt = GAME.prompt(state)
            if state.combat is not None:
                named = (*state.combat.units, *state.combat.defenders)
                assert all(state.unit_name(unit) in prompt for unit in named)
    assert {Moment.INITIATIVE, Moment.ATTACK, Moment.DEFENCE} <= moments


def test_dice_to_roll_again_are_told_with_those_of_the_enemy_and_the_rights() -> None:
    leader = "greeks leader leo D3 1-6-3/red"
    state = play(melee(battle(FIELD, *SPEARS, leader), "ann"), "attack bob", (1, 1, 0), (0, 1, 1))
    assert GAME.prompt(state) == (
        "choose a die to re-roll, 2 re-rolls left; yours: 1 hit, 1 blank, 0 cancels; "
        "the enemy's: 0 hits, 1 blank, 1 cancel"
    )
    state = play(state, "again blank", (0, 1, 0))
    assert "1 re-roll left" in GAME.prompt(state)


def test_the_sum_of_the_ranks_of_both_armies_is_shown() -> None:
    state = GAME.initial(setup(free_setup=False))
    rows = GAME.describe(GAME.observe(state, 1)).splitlines()
    head = next(n for n, row in enumerate(rows) if row.split()[:2] == ["army", "losses"])
    place = rows[head].index("ranks")
    for name, ranks, row in zip(
        state.setting.players, state.setting.ranks, rows[head + 1 :], strict=False
    ):
        assert row.split()[0] == name
        assert row[place:].split()[0] == str(ranks)


def test_a_unit_that_moves_alone_is_taken_at_once_and_cards_are_played_for_it() -> None:
    card = next(
        c for c in deck() if c.effect and c.effect.verb is EffectVerb.MOVEMENT and not c.effect.whom
    )
    state = battle(
        FIELD, "greeks spears D3 n as=ann", "persians spears A1 s", hands=(hand(card.name), ())
    )
    state = GAME.apply(state, GAME.parse_action("single ann move"))
    assert GAME.prompt(state) == "ann moves"
    far = len(GAME.actions(state))
    words = {GAME.format_action(one) for one in GAME.actions(state)}
    assert {"stay", "go D2 n", f"play {card.name} ann"} <= words
    assert "take ann" not in words
    assert len(GAME.actions(GAME.apply(state, Play(card.name, "ann")))) > far
