"""The law of a contact: against throws of the game itself, and by its sums."""

import math

import pytest

from brickphys.pirate_wars.helm import contact
from brickphys.pirate_wars.helm.contact import TAKEN
from brickphys.pirate_wars.helm.replies import reply
from brickphys.pirate_wars.sailing import begin_move
from brickphys.pirate_wars.sheets import Role
from brickphys.pirate_wars.tasks import Done
from brickphys.rules.record import CHANCE, OVER
from tests.pirate_wars.battle import GAME, LAW
from tests.pirate_wars.fleet import boat, fleet

CREW = (Role.CAPTAIN, *[Role.PIRATE] * 9)


def rammed():
    """A ship that has just rammed another one, and nothing else has happened yet."""
    state = fleet(
        boat("black_pearl", x=100, y=100, player=0, crew=CREW),
        boat("black_pearl", x=140, y=100, heading=90, player=1, crew=CREW),
    )
    return begin_move(state, 0)


def settled(state, rng):
    """The state after a contact, with dice as they fall and the answers of `replies`."""
    begun = state.round
    while GAME.actor(state) != OVER:
        if state.round > begun and not state.boardings:
            return state
        if GAME.actor(state) == CHANCE:
            law = list(GAME.chance(state).law(LAW).items())
            chances = [float(chance) for _, chance in law]
            state = GAME.apply(state, law[int(rng.choice(len(law), p=chances))][0])
        elif state.pending:
            state = GAME.apply(state, reply(state))
        else:
            actions = GAME.actions(state)
            state = GAME.apply(state, Done() if Done() in actions else actions[0])
    return state


@pytest.mark.parametrize("boards", [None, 0, 1])
@pytest.mark.parametrize("first", [None, 0, 1])
def test_the_ends_of_a_contact_add_up_to_one(boards, first):
    state = rammed()
    sides = [contact.side(state, number) for number in (0, 1)]
    found = contact.ends(state.setting, sides, boards, first)
    assert math.isclose(sum(end.chance for end in found), 1.0, abs_tol=1e-4)
    for end in found:
        for fate, melee, side in zip(end.fates, end.melee, sides, strict=True):
            assert 0.0 <= melee <= side.melee
            assert fate != TAKEN or melee == 0.0


def test_a_predicted_ram_is_the_ram_of_the_game():
    before = fleet(
        boat("black_pearl", x=100, y=100, player=0, crew=CREW),
        boat("black_pearl", x=140, y=100, heading=90, player=1, crew=CREW),
    )
    sides = [contact.side(before, number) for number in (0, 1)]
    after = rammed()
    assert contact.rammed(before.setting, *sides) == tuple(
        contact.side(after, number) for number in (0, 1)
    )
