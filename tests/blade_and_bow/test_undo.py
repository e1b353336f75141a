"""What a player may take back: a choice that has shown nobody anything that was hidden."""

import pytest

from brickphys.blade_and_bow.deck import Moment, deck
from brickphys.blade_and_bow.state import Phase, State
from brickphys.rules.game import format_move
from brickphys.rules.play import may_take_back
from brickphys.rules.record import CHANCE, Step
from tests.blade_and_bow.game import GAME, setup, warlike_states


def may(state: State, text: str) -> bool:
    """Whether the player may take an action back."""
    action, player = GAME.parse_action(text), GAME.actor(state)
    after = GAME.apply(state, action)
    step = Step(player, action, format_move(GAME, state, action), after)
    return may_take_back(GAME, state, step, player)


@pytest.fixture(scope="module")
def impulse() -> State:
    """The first impulse of Greeks with cards, all of whose ranks are chosen and unseen."""
    states = warlike_states(setup(), 4)
    return next(
        state
        for state in states
        if state.phase is Phase.IMPULSES
        and GAME.actor(state) == state.mover == 0
        and not state.pending
        and any(
            (effect := deck()[card].effect) and effect.moment is Moment.IMPULSE
            for card in state.hands[0]
        )
    )


def test_orders_and_moves_out_of_sight_are_taken_back(impulse: State) -> None:
    state = impulse
    for text in ("form miltiades move", "all", "take left_3"):
        assert may(state, text), text
        state = GAME.apply(state, GAME.parse_action(text))
    assert may(state, "hurry")
    assert may(state, "stay")
    for shows in (True, False):
        found = ways(state, shows=shows)
        assert found
        assert all(may(state, text) is not shows for text in found[:5])


def ways(state: State, *, shows: bool) -> list[str]:
    """Return where the unit can go so that the enemy sees its ranks, or does not."""
    units = [number for number in state.setting.chosen_ranks if not state.units[number].seen]
    return [
        GAME.format_action(one)
        for one in GAME.actions(state)
        if one.word == "go"
        and any(GAME.apply(state, one).units[number].seen for number in units) is shows
    ]


def test_ranks_are_chosen_anew_though_the_last_one_is_forced() -> None:
    state = GAME.initial(setup())
    while state.first_pending and GAME.actor(state) == 0 and "ranks" in GAME.prompt(state):
        action = GAME.actions(state)[-1]
        assert may(state, GAME.format_action(action))
        state = GAME.apply(state, action)


def test_a_card_that_the_enemy_has_seen_stays_played(impulse: State) -> None:
    plays = [one for one in GAME.actions(impulse) if one.word in ("play", "discard")]
    assert plays
    assert not any(may(impulse, GAME.format_action(one)) for one in plays)


def test_ranks_that_a_move_has_shown_stay_seen() -> None:
    """A move after which the enemy knows more ranks, and one after which the player does."""
    found = {True: 0, False: 0}
    for seed in range(3):
        last = None
        for state in warlike_states(setup(), seed):
            if min(found.values()) > 3:
                return
            if last is not None and last.activation is not None and GAME.actor(last) != CHANCE:
                _check(last, state, found)
            last = state if state.activation and state.activation.active is not None else None
    assert min(found.values()) > 0


def _check(before: State, after: State, found: dict[bool, int]) -> None:
    hidden = before.setting.chosen_ranks
    shown = any(after.units[n].seen > before.units[n].seen for n in hidden)
    if after.hands != before.hands or after.deck != before.deck or (found[shown] > 3):
        return
    for action in GAME.actions(before):
        if GAME.apply(before, action) == after:
            found[shown] += 1
            assert may(before, GAME.format_action(action)) is not shown
            return
