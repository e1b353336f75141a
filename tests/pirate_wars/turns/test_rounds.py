"""Initiative, phases, sinking at the end of a phase, and victory (PW Initiative, PW Turn Sequence)."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

from brickphys.pirate_wars import turns
from brickphys.pirate_wars.setup import first_state
from brickphys.pirate_wars.sheets import Role
from brickphys.pirate_wars.state import Fate, Phase, State
from brickphys.rules.aims import Circle
from tests.pirate_wars.battle import GAME, random_states, setup
from tests.pirate_wars.fleet import boat, fleet


def rolling(players: int) -> State:
    boats = (boat(x=60.0 * player + 30, y=100, player=player) for player in range(players))
    roll = turns.InitiativeRoll((tuple(range(players)),))
    state = fleet(*boats, phase=Phase.INITIATIVE)
    return state.replaced({"order": ()}).push_pending(roll)


def rolled(state: State, *faces: int) -> State:
    for face in faces:
        roll = state.awaited(turns.InitiativeRoll)
        state = roll.settle(state.pop_pending(), (face,))
    return state


@pytest.mark.parametrize("faces", list(product((1, 4, 6), repeat=2)))
def test_the_lowest_of_two_moves_first(faces):
    state = rolled(rolling(2), *faces)
    if faces[0] == faces[1]:
        assert state == rolling(2)
    else:
        assert state.order == ((0, 1) if faces[0] < faces[1] else (1, 0))
        assert state.phase is Phase.MOVEMENT


def test_only_players_who_tie_roll_again_inside_their_place():
    """Players 0 and 2 share a 5; 3 has rolled less, 1 more: they keep their places whatever comes."""
    state = rolled(rolling(4), 5, 6, 5, 2)
    assert state.awaited(turns.InitiativeRoll) == turns.InitiativeRoll(((3,), (0, 2), (1,)))
    assert rolled(state, 1, 6).order == (3, 0, 2, 1)
    assert rolled(state, 6, 1).order == (3, 2, 0, 1)
    assert rolled(state, 3, 3, 6, 1).order == (3, 2, 0, 1)


def test_two_ties_are_broken_one_after_the_other():
    state = rolled(rolling(4), 5, 2, 5, 2)
    assert state.awaited(turns.InitiativeRoll).places == ((1, 3), (0, 2))
    assert rolled(state, 6, 1).awaited(turns.InitiativeRoll) == turns.InitiativeRoll(
        ((3,), (1,), (0, 2))
    )
    assert rolled(state, 6, 1, 1, 2).order == (3, 1, 0, 2)


def test_every_order_of_three_is_equally_likely():
    """Ties lead to states of the same symmetry, so the orders without any tie settle it."""
    found = Counter(rolled(rolling(3), *faces).order for faces in product(range(1, 7), repeat=3))
    untied = {order: count for order, count in found.items() if order}
    assert set(untied) == set(permutations(range(3)))
    assert {Fraction(count, 216) for count in untied.values()} == {Fraction(20, 216)}


def test_who_has_no_ship_and_no_swimmer_does_not_roll():
    state = rolling(3)
    for number in state.crews[1]:
        state = state.lost(number)
    assert turns.playing(state) == [0, 1, 2]
    assert turns.playing(state.change_ship(1, fate=Fate.SUNK)) == [0, 2]


PHASES = list(Phase)


def trio(**changes) -> State:
    """Three ships far apart; the first two are of one team."""
    boats = [boat(x=100.0 * n + 50, y=100, player=n) for n in range(3)]
    return fleet(*boats, **{"teams": (0, 0, 1), "phase": Phase.TASKS, "round": 2, **changes})


def ended(state: State) -> State:
    """The state after the end of its phase."""
    return GAME.proceed(state.push_pending(turns.PhaseEnd()))


@pytest.mark.parametrize("seed", range(3))
def test_phases_follow_each_other_in_order(seed):
    """None is left out but by the end of the battle; a turn begins with initiative, and they only go round."""
    before = None
    for state in random_states(setup("two_against_two"), seed):
        if before is not None and state.winners is None and state.phase is not before.phase:
            steps = (PHASES.index(state.phase) - PHASES.index(before.phase)) % len(PHASES)
            assert (state.round - before.round) == (state.phase is Phase.INITIATIVE)
            skipped = PHASES[PHASES.index(before.phase) + 1 :][: steps - 1]
            assert not {Phase.TASKS, Phase.INITIATIVE} & set(skipped)
        before = state


def test_players_move_in_the_order_of_initiative():
    state = trio(phase=Phase.MOVEMENT, order=(2, 0, 1))
    movers = []
    while state.phase is Phase.MOVEMENT:
        state = GAME.proceed(state)
        if state.phase is Phase.MOVEMENT:
            movers.append(state.setting.ships[state.active].player)
            state = GAME.apply(state, GAME.actions(state)[0])
    assert list(dict.fromkeys(movers)) == [2, 0, 1]


def test_a_player_with_two_ships_chooses_which_moves_first():
    boats = [boat(x=100.0 * n + 50, y=100, player=n // 2) for n in range(3)]
    state = GAME.proceed(fleet(*boats, phase=Phase.MOVEMENT))
    assert [GAME.format_action(action) for action in GAME.actions(state)] == ["ship a", "ship b"]


def test_a_ship_without_hull_sinks_at_the_end_of_the_phase():
    state = trio().change_ship(0, hull=0, sails=0)
    assert state.ships[0].is_afloat
    after = ended(state)
    while GAME.actor(after) == 0 and after.phase is Phase.TASKS:
        after = GAME.apply(after, GAME.actions(after)[0])
    assert after.ships[0].fate is Fate.SUNK
    assert after.phase is not Phase.TASKS
    assert after.winners is None


def test_the_last_team_in_the_battle_wins():
    state = trio().change_ship(2, fate=Fate.STRUCK)
    assert turns.winners(trio()) is None
    assert turns.winners(state) == (0,)
    assert GAME.returns(ended(state)) == (1, 1, -1)


def test_nobody_wins_if_nobody_is_left():
    state = trio()
    for ship in range(3):
        state = state.change_ship(ship, fate=Fate.LEFT)
    assert turns.winners(state) == ()
    assert GAME.returns(ended(state)) == (0, 0, 0)


def test_a_ship_without_crew_does_not_keep_its_team_in_the_battle():
    state = trio()
    for number in state.crews[2]:
        state = state.lost(number)
    assert turns.winners(state) == (0,)


@pytest.mark.parametrize(
    ("fled", "phase", "found"),
    [
        (2, Phase.SHARKS, None),
        (1, Phase.TASKS, None),
        (1, Phase.MORALE, None),
        (1, Phase.SHARKS, (0,)),
    ],
)
def test_a_crew_that_fled_counts_until_it_has_failed_to_return(fled, phase, found):
    assert turns.winners(trio(phase=phase).change_ship(2, fled_round=fled)) == found


def aimed(*aims, **changes) -> State:
    given = setup(aims=list(aims))
    return first_state(given).replaced({"round": 2, "phase": Phase.SHARKS, **changes})


def test_a_ship_wins_where_its_aim_says():
    aim = {"kind": "reach", "player": "crown", "units": ["swift"], "area": [200, 100, 40]}
    state = aimed(aim)
    assert turns.winners(state) is None
    there = state.change_ship(0, x_studs=160.0, y_studs=100.0)
    assert turns.winners(there) == (0,)
    assert turns.winners(there.change_ship(0, x_studs=159.99)) is None


def test_a_ship_that_was_taken_counts_for_no_aim():
    state = aimed().change_ship(1, owner=0)
    everywhere = Circle((100.0, 100.0), 500.0)
    assert turns.positions(state).units_in(everywhere) == [0]


def test_an_aim_is_held_turn_by_turn():
    state = aimed({"kind": "hold", "player": "crown", "rounds": 2, "area": [60, 80, 30]})
    after = ended(state)
    assert after.holding == (1,)
    assert after.winners is None
    after = ended(after.replaced({"phase": Phase.SHARKS, "pending": ()}))
    assert after.winners == (0,)


def test_at_the_limit_of_rounds_the_team_with_the_largest_share_left_wins():
    state = aimed({"kind": "rounds", "rounds": 2})
    assert turns.shares_left(state) == {0: 1.0, 1: 1.0}
    assert turns.winners_of_turn(state) == ()
    hit = state.change_ship(0, hull=3)
    assert turns.shares_left(hit)[0] == pytest.approx(24 / 25)
    assert turns.winners_of_turn(hit) == (1,)
    assert turns.winners_of_turn(hit.replaced({"round": 1})) is None


def test_a_prize_counts_for_who_took_it():
    state = aimed().change_ship(1, owner=0)
    assert turns.shares_left(state)[1] == 0.0
    assert turns.shares_left(state)[0] > 1.0


def test_half_of_a_crew_that_sinks_is_in_the_water_and_its_player_goes_on():
    crew = (Role.PIRATE,) * 6
    state = fleet(
        boat(x=50, y=100, hull=0, sails=0, crew=crew),
        boat(x=200, y=100, player=1),
        boat(x=300, y=100, player=2),
        phase=Phase.TASKS,
    )
    state = ended(state)
    while GAME.actor(state) == 0:
        state = GAME.apply(state, GAME.actions(state)[0])
    assert sum(minifig.swims for minifig in state.minifigs) == 3
    assert turns.playing(state) == [0, 1, 2]
