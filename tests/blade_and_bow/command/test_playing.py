"""Cards that are played: when, for whom, and until when (BB 4.2)."""

import pytest

from brickphys.blade_and_bow.command.actions import bonus, expired
from brickphys.blade_and_bow.command.cards import ARMY, DeckDraw, NoCard, Play, PlayCards
from brickphys.blade_and_bow.command.morale import Facing, TurnUnit
from brickphys.blade_and_bow.deck import DECK_CARDS, EffectVerb, Lasts, Moment, card_numbers, deck
from brickphys.blade_and_bow.pieces import Activation, Box, Combat, FormationOrder, Stage
from tests.blade_and_bow.battle import battle, leader, unit

GROUND = "\n".join(["........"] * 6)
ALL_CARDS = tuple(card.name for card in deck() if not card.is_reshuffle)


def field(*names, enemy=(), **changes):
    """Return a battle in which the Greeks hold the cards of some names, and the Persians others."""
    numbers = card_numbers()
    return battle(
        GROUND,
        "greeks hoplite A1 e as=ann",
        "greeks archers B1 e as=bow",
        "greeks light_cavalry C1 e as=cav disrupted",
        "persians spears F1 w as=foe",
        "persians hoplite F2 w +2 as=hop",
        "greeks leader leon A1 1-12-3/red",
        "persians leader dat F1 1-12-3/red",
        hands=(tuple(sorted(numbers[n] for n in names)), tuple(sorted(numbers[n] for n in enemy))),
        **changes,
    )


def melee(*names, enemy=(), attackers=("ann", "bow"), target="foe"):
    """Return a melee before its dice."""
    state = field(*names, enemy=enemy)
    foe = unit(state, target)
    units = tuple(unit(state, name) for name in attackers)
    combat = Combat(foe, state.units[foe].square, units, stage=Stage.CARDS, lead=units[0])
    return state.replaced({"combat": combat})


def listed(state):
    """Return the cards that can be played now, each with those who gain."""
    return [(one.card, one.unit) for one in Play.legal(state)]


@pytest.mark.parametrize("moment", list(Moment))
@pytest.mark.parametrize("player", [0, 1])
def test_what_is_listed_is_what_has_no_problems(moment, player):
    state = melee(*(ALL_CARDS if player == 0 else ()), enemy=ALL_CARDS if player else ())
    state = state.push_pending(PlayCards(player, moment))
    whom = [spec.name for spec in state.setting.units] + [ARMY, "nobody"]
    candidates = [Play(card, one) for card in (*ALL_CARDS, "axe") for one in whom]
    legal = list(Play.legal(state))
    assert len(set(legal)) == len(legal)
    assert legal
    assert set(legal) == {one for one in candidates if not list(one.problems(state))}
    cards = {deck()[card_numbers()[one.card]].effect.moment for one in legal}
    both = {Moment.MELEE} if moment in (Moment.ATTACK, Moment.DEFENCE) else set()
    assert cards <= {moment} | both


def test_the_side_of_a_combat_gains_and_only_its_lead():
    state = melee("fury", "battle_cry", enemy=("stand_fast",))
    attack = state.push_pending(PlayCards(0, Moment.ATTACK))
    assert listed(attack) == [("battle_cry", "ann"), ("fury", "ann")]
    defence = state.push_pending(PlayCards(1, Moment.DEFENCE))
    assert listed(defence) == [("stand_fast", "foe")]


def test_a_unit_gains_from_one_card_at_a_time():
    """BB 4.2."""
    state = melee("battle_cry", "fury").push_pending(PlayCards(0, Moment.ATTACK))
    state = Play("battle_cry", "ann").apply(state)
    ann = unit(state, "ann")
    assert bonus(state, EffectVerb.MELEE_DICE, 0, ann) == 1
    assert listed(state) == []
    assert list(Play("fury", "ann").problems(state)) == [
        "ann already gains from another card (BB 4.2)"
    ]
    assert state.hands[0] == (card_numbers()["fury"],)
    assert state.discards == (card_numbers()["battle_cry"],)
    assert not state.first_pending.lapses(state)
    assert NoCard().apply(state).pending == ()


def test_the_question_lapses_only_with_an_empty_hand():
    """Whether a fitting card is there tells nobody."""
    state = field("tough_luck_1").push_pending(PlayCards(0, Moment.INITIATIVE))
    assert not state.first_pending.lapses(state)
    assert listed(state) == []
    assert PlayCards(1, Moment.INITIATIVE).lapses(state)


def test_what_is_wrong_with_a_card_is_told():
    state = field("battle_cry", "tough_luck_1", "quick_step", "messengers", "scouts")

    def why(card, one):
        return list(Play(card, one).problems(state))

    assert why("fury", "ann") == ["fury is not in the hand (BB 4.0)"]
    assert why("tough_luck_1", "ann") == ["tough_luck_1 has no effect (BB 5.4.4.5)"]
    assert why("battle_cry", "ann") == ["battle_cry is for the moment attack, not impulse (BB 4.2)"]
    assert why("messengers", "ann") == ["play messengers for the army, not for ann (BB 4.2)"]
    assert why("quick_step", "ann") == ["ann cannot gain from quick_step now (BB 4.2)"]
    assert why("scouts", "foe") == ["foe cannot gain from scouts now (BB 4.2)"]
    assert why("scouts", "fo") == ["unknown unit 'fo': did you mean 'foe'? (BB 4.2)"]


@pytest.mark.parametrize("order", list(FormationOrder))
def test_effects_of_an_action_are_for_units_whose_order_they_help(order):
    """BB 4.2: movement for who moves, range for who shoots, morale for all but who shoots."""
    orders = {
        EffectVerb.MOVEMENT: {FormationOrder.MOVE},
        EffectVerb.RANGE: {FormationOrder.SHOOT},
        EffectVerb.MORALE: {FormationOrder.MOVE, FormationOrder.MELEE, FormationOrder.RALLY},
    }
    cards = [
        card.name
        for card in deck()
        if card.effect and card.effect.verb in orders and card.effect.lasts is Lasts.ACTION
    ]
    state = field(*cards)
    units = (unit(state, "bow"), unit(state, "cav"))
    acts = Activation(order, None, units, closed=True, waiting=units[:1])
    for is_closed, able in ((True, units[:1]), (False, units)):
        now = state.replaced({"activation": acts.replaced({"closed": is_closed})})
        expected = {
            (name, state.setting.units[one].name)
            for name in cards
            for one in able
            if (effect := deck()[card_numbers()[name]].effect) is not None
            and order in orders[effect.verb]
            and effect.fits(state.setting.units[one].counter)
        }
        assert set(listed(now)) == expected
    assert listed(state) == []


@pytest.mark.parametrize(
    ("card", "ends"),
    [("battle_cry", Lasts.ACTION), ("pursuit", Lasts.IMPULSE), ("picked_men", Lasts.TURN)],
)
def test_an_effect_ends_with_its_time(card, ends):
    """BB 4.2: with the action, unless the card says otherwise."""
    moment = deck()[card_numbers()[card]].effect.moment
    state = melee(card).push_pending(PlayCards(0, moment))
    state = Play(card, "ann").apply(state)
    order = [Lasts.ACTION, Lasts.IMPULSE, Lasts.TURN]
    for lasts in order:
        left = expired(state, lasts).played
        assert bool(left) == (order.index(lasts) < order.index(ends))


def test_effects_that_happen_at_once():
    names = ("trumpet_call", "about_turn", "change_of_front", "scouts", "messengers")
    state = field(*names)
    rallied = Play("trumpet_call", "cav").apply(state)
    assert not rallied.units[unit(state, "cav")].disrupted
    assert rallied.first_pending == Facing(unit(state, "cav"))
    turned = Play("change_of_front", "ann").apply(state)
    assert [one.facing for one in TurnUnit.legal(turned)] == [0, 1, 2, 6, 7]
    assert [one for one in listed(state) if one[0] == "scouts"] == [("scouts", "hop")]
    assert Play("scouts", "hop").apply(state).units[unit(state, "hop")].seen
    assert Play("messengers", ARMY).apply(state).actions == 4
    assert all(not Play(*one).apply(state).played for one in listed(state))


def test_a_routed_unit_is_recalled():
    state = field("shame_of_flight")
    assert listed(state) == []
    state = state.out_of_play(unit(state, "bow"), Box.ROUTED)
    assert listed(state) == [("shame_of_flight", "bow")]
    after = Play("shame_of_flight", "bow").apply(state)
    assert after.units[unit(state, "bow")].box is Box.RALLIED


def test_cards_are_drawn_up_to_the_size_of_the_hand():
    state = field("council_of_war", "fury", "volley", "scouts")
    drawing = Play("council_of_war", ARMY).apply(state)
    assert drawing.pending == (DeckDraw(0, to_hand=True),) * 2
    one = drawing.first_pending.settle(drawing.pop_pending(), "battle_cry")
    assert len(one.hands[0]) == 4
    assert one.first_pending.lapses(one)


def test_a_card_for_the_initiative_is_taken_off_the_die():
    """BB 5.3."""
    state = field("bold_plan").push_pending(PlayCards(0, Moment.INITIATIVE))
    state = Play("bold_plan", ARMY).apply(state)
    assert bonus(state, EffectVerb.INITIATIVE, 0) == 2
    assert bonus(state, EffectVerb.INITIATIVE, 1) == 0


def test_nobody_turns_in_a_strong_zone_or_a_shield_wall():
    state = field("about_turn").change_unit(unit(field(), "bow"), wall=True)
    foe = unit(state, "foe")
    south = state.units[unit(state, "ann")].square - state.setting.grid.width
    state = state.change_unit(foe, square=south, facing=2)
    assert listed(state) == [("about_turn", "cav")]


def test_every_card_can_be_played_for_someone_at_some_time():
    numbers = [n for n in range(DECK_CARDS) if deck()[n].effect is not None]
    cards = [deck()[n].name for n in numbers]
    found = set()
    kinds = ("ann", "bow", "cav", "foe", "hop")
    for moment in Moment:
        for player in (0, 1):
            for name in kinds:
                state = melee(*(cards if player == 0 else ()), enemy=cards if player else ())
                lead = {"lead": unit(state, name), "target": unit(state, name)}
                state = state.change_combat(**lead).push_pending(PlayCards(player, moment))
                found |= {one.card for one in Play.legal(state)}
    state = field(*cards).out_of_play(1, Box.ROUTED)
    for order in FormationOrder:
        acting = Activation(order, leader(state, "leon"), (0, 2), closed=True, waiting=(0, 2))
        found |= {one.card for one in Play.legal(state.replaced({"activation": acting}))}
    acting = Activation(FormationOrder.SHOOT, None, (1,), closed=True, waiting=(1,))
    found |= {one.card for one in Play.legal(field(*cards).replaced({"activation": acting}))}
    assert set(cards) - found == {"council_of_war"}  # with so many cards the hand is full
