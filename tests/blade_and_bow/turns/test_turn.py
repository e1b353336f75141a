"""The turn: cards, initiative, impulses, rout management, the end (BB 5)."""

from fractions import Fraction
from typing import Any

import pytest

from brickphys.blade_and_bow import turns
from brickphys.blade_and_bow.command.cards import DeckDraw, DrawChoice, PlayCards
from brickphys.blade_and_bow.command.formation import LeaderReturn
from brickphys.blade_and_bow.command.morale import Facing
from brickphys.blade_and_bow.deck import EffectVerb, Lasts, Moment, deck
from brickphys.blade_and_bow.deployment import ArrivalRoll
from brickphys.blade_and_bow.pieces import Box, Played
from brickphys.blade_and_bow.setting import Entry, Special
from brickphys.blade_and_bow.sheets import charts
from brickphys.blade_and_bow.state import Phase, State
from brickphys.odds.law import BinomialLaw
from tests.blade_and_bow.battle import battle, leader, names_of, square, unit
from tests.blade_and_bow.fight import clash

ANY_LAW = BinomialLaw(Fraction(1, 2))
FIELD = "\n".join(["........"] * 6)
ENTRIES = Special(entries=(Entry((1,), (0,), 0),))
PIECES = (
    "greeks hoplite B5 n +1",
    "greeks peltast C5 n as=ann",
    "greeks leader miltiades B5 1-4-3/red",
    "greeks leader callimachus C5 2-4-3/red",
    "greeks camp A6",
    "persians spears G2 s",
    "persians leader datis G2 1-6-2/white",
    "persians camp H1",
)


def field(**changes: Any) -> State:
    return battle(FIELD, *PIECES, **changes)


def after(state: State) -> State:
    found = turns.following(state)
    assert found is not None
    return found


def test_full_hands_are_drawn_on_the_first_turn_and_then_a_card_by_choice_5_1() -> None:
    first = after(field(phase=Phase.SETUP, turn=0))
    assert first.turn == 1
    assert [draw.player for draw in first.pending if isinstance(draw, DeckDraw)] == [0] * 4 + [
        1
    ] * 3
    later = after(field(phase=Phase.ROUT, turn=1, holder=1))
    assert later.pending == (DrawChoice(1), DrawChoice(0))


def test_the_lower_modified_die_has_the_initiative_5_3() -> None:
    state = field(phase=Phase.INITIATIVE)
    for faces, holder in (((2, 3), 0), ((4, 3), 1), ((3, 3), 1)):
        kept = state.replaced({"holder": 1})
        asked = turns.InitiativeRoll().rolled(kept, faces[0])
        rolled = turns.InitiativeRoll((faces[0],)).rolled(asked.pop_pending(), faces[1])
        assert (rolled.holder, rolled.mover) == (holder, holder)


def test_cards_come_before_the_dice_and_change_them_5_3() -> None:
    state = after(field(phase=Phase.CARDS, holder=1))
    moments = [(one.who, one.moment) for one in state.pending if isinstance(one, PlayCards)]
    assert moments == [(1, Moment.INITIATIVE), (0, Moment.INITIATIVE)]
    card, effect = next(
        (number, card.effect)
        for number, card in enumerate(deck())
        if card.effect is not None and card.effect.verb is EffectVerb.INITIATIVE
    )
    helped = field(phase=Phase.INITIATIVE, holder=1, played=(Played(card, 0),))
    assert turns.InitiativeRoll((2 + effect.amount,)).rolled(helped, 3).holder == 0
    assert turns.InitiativeRoll((3 + effect.amount,)).rolled(helped, 3).holder == 1


def test_each_leader_killed_and_a_camp_lost_cost_an_impulse_5_2() -> None:
    state = field()
    assert turns.impulses_of(state, 0) == 3
    away = state.change_leader(0, box=Box.CAPTURED, square=None)
    assert turns.impulses_of(away, 0) == 3
    killed = state.change_leader(0, box=Box.ELIMINATED, square=None)
    assert turns.impulses_of(killed, 0) == 2
    assert turns.impulses_of(killed.replaced({"sacked": (True, False)}), 0) == 1
    assert turns.impulses_of(killed, 1) == 3


def test_impulses_alternate_and_who_has_more_goes_on_alone_5_4_3() -> None:
    state: State | None = field(impulses=(3, 1), actions=0)
    first, order = 0, []
    while (state := turns.next_impulse(state, first)) is not None:
        assert state.pending == (DeckDraw(state.mover, to_hand=False),)
        order.append(state.mover)
        state, first = state.pop_pending(), 1 - state.mover
    assert order == [0, 1, 0, 0]


def test_rout_management_follows_the_last_impulse_5_5() -> None:
    state = after(field(impulses=(0, 0), actions=0))
    assert (state.phase, state.pending) == (Phase.ROUT, (turns.RoutedRolls(),))


def test_a_turn_in_which_nobody_has_an_impulse_goes_on_to_rout_management_5_2() -> None:
    state = after(field(phase=Phase.INITIATIVE, impulses=(0, 0), actions=0))
    assert (state.phase, state.pending) == (Phase.ROUT, (turns.RoutedRolls(),))


def test_rallied_units_return_near_leaders_and_the_camp_before_rout_checks_5_5_1() -> None:
    state = field().out_of_play(1, Box.RALLIED)
    state = state.change_leader(1, box=Box.ELIMINATED, square=None)
    ann = unit(state, "ann")
    near = "A4 A5 A6 B3 B4 B6 C4 C5 C6 D5"  # within 4 points of B5, or beside the camp in A6
    assert names_of(state, turns.return_squares(state, ann)) == near
    state = turns.manage_rout(state)
    assert state.pending == (turns.UnitReturn(ann), turns.RoutedRolls())
    state = turns.Rejoin("ann", "B4").apply(state)
    assert state.units[ann].square == square(state, "B4")
    assert not state.units[ann].disrupted
    assert state.pending == (Facing(ann), turns.RoutedRolls())


def test_who_cannot_return_checks_5_5_1() -> None:
    state = field().out_of_play(1, Box.RALLIED)
    for number in (0, 1):
        state = state.change_leader(number, box=Box.ELIMINATED, square=None)
    state = state.replaced({"sacked": (True, False)})
    state = turns.manage_rout(state)
    assert turns.UnitReturn(1).lapses(state)
    state = turns.RoutedRolls().happen(state.replaced({"pending": ()}))
    assert state.units[1].box is Box.ROUTED
    assert state.pending == (turns.RoutedRoll(1),)


@pytest.mark.parametrize(
    ("camp_leader", "sacked", "passes"),
    [(False, False, 3), (True, False, 4), (False, True, 2), (True, True, 2)],
)
def test_a_leader_on_the_camp_helps_and_a_lost_camp_harms_5_5_3_and_12(
    camp_leader: bool, sacked: bool, passes: int
) -> None:
    state = field(sacked=(sacked, False)).out_of_play(1, Box.ROUTED)
    if camp_leader:
        state = state.change_leader(1, square=square(state, "A6"))
    law = turns.RoutedRoll(1).event(state).law(ANY_LAW)
    assert law[1, 0] == Fraction(passes, 6)


def test_who_fails_is_eliminated_and_a_loss_5_5_2() -> None:
    state = field().out_of_play(1, Box.ROUTED)
    lost = turns.RoutedRoll(1).settle(state, (0, 1))
    assert (lost.units[1].box, lost.losses) == (Box.ELIMINATED, (1, 0))
    saved = turns.RoutedRoll(1).settle(state, (1, 0))
    assert (saved.units[1].box, saved.losses) == (Box.RALLIED, (0, 0))


def test_leaders_come_back_before_units_captured_ones_in_their_turn_6_3_and_6_4() -> None:
    state = field(turn=3).out_of_play(1, Box.RALLIED)
    datis, miltiades = leader(state, "datis"), leader(state, "miltiades")
    state = state.change_leader(miltiades, box=Box.ROUTED, square=None)
    captive = state.change_leader(datis, box=Box.CAPTURED, square=None, returns=4)
    pending = turns.manage_rout(captive).pending
    assert pending == (LeaderReturn(miltiades), turns.UnitReturn(1), turns.RoutedRolls())
    pending = turns.manage_rout(captive.replaced({"turn": 4, "holder": 1})).pending
    assert pending[:2] == (LeaderReturn(datis), LeaderReturn(miltiades))


@pytest.mark.parametrize("turn", range(1, 13))
def test_the_end_is_rolled_for_from_the_sixth_turn_on_5_7(turn: int) -> None:
    state = after(field(phase=Phase.ROUT, turn=turn))
    mark = charts().ends[turn - 1]
    if turn < 6:
        assert mark == 0
        assert state.turn == turn + 1
    elif turn < 12:
        assert state.pending == (turns.EndRoll(),)
        assert turns.EndRoll().event(state).law(ANY_LAW)[1, 0] == Fraction(mark, 6)
        assert turns.EndRoll().settle(state.pop_pending(), (1, 0)).result is not None
        assert turns.EndRoll().settle(state.pop_pending(), (0, 1)).turn == turn + 1
    else:
        assert state.result is not None


def test_an_army_that_routs_ends_the_battle_before_the_die_5_6() -> None:
    state = after(field(phase=Phase.ROUT, turn=7, losses=(7, 0)))
    assert state.result is not None
    assert state.result.winner == 1


def test_a_battle_that_is_decided_ends_in_the_middle_of_an_action_14_4() -> None:
    special = Special(camp_decides=("", "at_once"))
    fights = clash(field(sacked=(False, True), special=special), "spears", "hoplite")
    ended = after(fights)
    assert ended.result is not None
    assert (ended.activation, ended.combat, ended.actions) == (None, None, 0)


@pytest.mark.parametrize("lasts", [Lasts.ACTION, Lasts.IMPULSE, Lasts.TURN])
def test_effects_end_with_the_impulse_or_the_turn_4_2(lasts: Lasts) -> None:
    effects = ((n, card.effect) for n, card in enumerate(deck()) if card.effect)
    card = next(n for n, effect in effects if effect.lasts is lasts)
    state = field(played=(Played(card, 0, 0),))
    later = turns.next_impulse(state, 1)
    assert later is not None
    assert bool(later.played) == (lasts is Lasts.TURN)
    assert not after(state.replaced({"phase": Phase.ROUT})).played


def test_dice_of_special_rules_come_after_the_initiative_14_2_and_14_4() -> None:
    last = {turns.PathRoll(): Special(hidden_path=True), ArrivalRoll(): ENTRIES}
    for roll, special in last.items():
        state = battle(FIELD, *PIECES, "greeks spears - n", special=special, phase=Phase.CARDS)
        if special is not ENTRIES:
            state = state.out_of_play(3, Box.LEFT)
        *cards, dice, late = after(state).pending
        assert [type(one) for one in cards] == [PlayCards, PlayCards]
        assert (dice, late) == (turns.InitiativeRoll(), roll)


def test_the_holder_of_the_initiative_comes_first_in_rout_management_5_5() -> None:
    state = field().out_of_play(0, Box.RALLIED).out_of_play(1, Box.ROUTED)
    state = state.out_of_play(2, Box.RALLIED)
    for holder, order in ((0, [0, 2]), (1, [2, 0])):
        pending = turns.manage_rout(state.replaced({"holder": holder})).pending
        assert pending == (*map(turns.UnitReturn, order), turns.RoutedRolls())
        rolls = turns.RoutedRolls().happen(state.replaced({"holder": holder})).pending
        first = [0, 1, 2] if holder == 0 else [2, 0, 1]
        assert rolls == tuple(map(turns.RoutedRoll, first))


def test_an_enemy_leader_on_the_camp_helps_nobody_5_5_3() -> None:
    state = field().out_of_play(1, Box.ROUTED)
    there = state.change_leader(2, square=square(state, "A6"))
    assert turns.RoutedRoll(1).least(there) == turns.RoutedRoll(1).least(state) == 4


def test_an_impulse_goes_on_while_actions_are_left() -> None:
    assert turns.following(field(actions=1)) is None
    assert turns.following(field(actions=0)) is not None
