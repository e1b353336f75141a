"""The law of a contact: against throws of the game itself, and by its sums."""

import math

import pytest

from brickphys.pirate_wars.helm import contact
from brickphys.pirate_wars.helm.contact import FLED, FREE, LOST, TAKEN
from brickphys.pirate_wars.helm.plans import reply
from brickphys.pirate_wars.helm.points import contact_worth, without
from brickphys.pirate_wars.sailing import begin_move
from brickphys.pirate_wars.sheets import Role
from brickphys.pirate_wars.state import Phase
from brickphys.pirate_wars.tasks import Done
from brickphys.pirate_wars.worth import Balance
from brickphys.rules.record import CHANCE, OVER
from brickphys.seeds import generator
from tests.pirate_wars.battle import GAME, LAW
from tests.pirate_wars.fleet import boat, fleet

CREW = (Role.CAPTAIN, *[Role.PIRATE] * 21)


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


def test_who_flees_from_an_enemy_that_has_nobody_left_has_won():
    state = rammed()
    sides = contact.side(state, 0), contact.side(state, 1)
    rest = without(state, Balance.of(state, 0), 0, 1)
    end = contact.End(1.0, (FLED, LOST), (10.0, 0.0))
    assert contact_worth(rest, sides, (0, 0), (end,)) == 1.0


def test_who_has_shot_does_not_fight_and_those_who_are_hit_are_gone():
    crew = (Role.CAPTAIN, *[Role.MARINE] * 8, *[Role.SAILOR] * 10)
    ships = [boat("imperial_flagship", x=100, y=y, player=y > 100, crew=crew) for y in (100, 110)]
    state = fleet(*ships, phase=Phase.TASKS)
    sides = contact.side(state, 0), contact.side(state, 1)
    shooting, target = contact.after_shots(state.setting, *sides)
    assert len(sides[0].shooters) == shooting.busy[1] == 8
    assert len(shooting.hands) == 11
    assert shooting.melee + shooting.busy[0] == sides[0].melee
    hits = round(sum(attack for _, attack in sides[0].shooters) / 6)
    assert target.hands == sides[1].hands[hits:]


def test_without_a_boarding_the_ends_are_those_of_the_game():
    """At most 4 standard errors from 400 throws: a false alarm about once in 5,000 (three counts)."""
    state, rng = rammed().replaced({"phase": Phase.TASKS, "done": frozenset()}), generator(7)
    while state.pending:  # both owners lose their weakest
        state = GAME.apply(state, reply(state))
    sides = [contact.side(state, number) for number in (0, 1)]
    law = {end.fates: end.chance for end in contact.ends(state.setting, sides, None, 0)}
    throws, counts = 400, {"both free": 0, "first is kept": 0, "second is kept": 0}
    for _ in range(throws):
        end = settled(state, rng)
        kept = [
            end.ships[n].is_afloat and end.ships[n].owner == n and bool(end.crews[n])
            for n in (0, 1)
        ]
        counts["both free"] += all(kept)
        counts["first is kept"] += kept[0]
        counts["second is kept"] += kept[1]
    expected = {
        "both free": law[FREE, FREE],
        "first is kept": sum(p for fates, p in law.items() if fates[0] == FREE),
        "second is kept": sum(p for fates, p in law.items() if fates[1] == FREE),
    }
    for name, chance in expected.items():
        error = math.sqrt(chance * (1 - chance) / throws)
        assert abs(counts[name] / throws - chance) < 4 * error, name


@pytest.mark.parametrize(("more", "least"), [(0, 0.4), (4, 0.75), (8, 0.95)])
def test_the_larger_crew_wins_a_boarding(more, least):
    """By the law alone: twelve pirates against twelve and some more, nobody adrift."""
    state = fleet(
        boat("black_pearl", x=100, y=100, crew=(Role.CAPTAIN, *[Role.PIRATE] * (11 + more))),
        boat(
            "black_pearl", x=140, y=126, player=1, crew=(Role.CAPTAIN, *[Role.PIRATE] * 11)
        ),
    )  # fmt: skip
    sides = [contact.side(state, number) for number in (0, 1)]
    found = contact.ends(state.setting, sides, 0, None)
    assert sum(end.chance for end in found if end.fates[0] == FREE) >= least
