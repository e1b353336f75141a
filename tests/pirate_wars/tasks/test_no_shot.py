"""Shots at an enemy that is only named: those that can hit, or why none can, for every gun and every weapon."""

from fractions import Fraction

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.firing import Fire
from brickphys.pirate_wars.prompt import no_shot, shots_meant
from brickphys.pirate_wars.sheets import Ammunition, Role
from brickphys.pirate_wars.state import Phase
from brickphys.rules.players.person import planned_action
from brickphys.rules.players.prompt import Asked
from tests.cases import few
from tests.pirate_wars.battle import GAME
from tests.pirate_wars.close_quarters import battle
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, tasks, told


def meant(state, text):
    return shots_meant(state, GAME.names(state), text)


@pytest.mark.parametrize("seed", few([3, 12, 26]))
def test_an_enemy_means_the_shots_that_can_hit_it_or_why_none_can(seed):
    """Every gun of the player, tried one by one, is illegal or misses where a reason is told (PW Firing)."""
    refused = 0
    for state in battle(seed).states:
        if state.phase is not Phase.TASKS or state.pending or state.turn >= len(state.order):
            continue
        for enemy, _ in state.enemies(state.player):
            name = state.setting.ships[enemy].name
            found = meant(state, f"fire {name}")
            hits = [shot.text() for shot in Fire.legal(state) if shot.target == name]
            assert list(found.meant) == hits
            assert bool(found.why) != bool(hits)
            assert bool(hits) == any(
                not list(shot.problems(state)) and not shot.waste(state)
                for shot in _shots(state, name)
            )
            refused += not hits
    assert refused


def _shots(state, target):
    for ship, now in state.afloat:
        if now.owner == state.player:
            for gun in range(len(now.guns)):
                for kind in Ammunition:
                    yield Fire(state.setting.ships[ship].name, gun, kind, target)


CREW = (Role.CAPTAIN, *[Role.PIRATE] * 9)


def broadside(**changes):
    """A ship whose gun0 points at another one 9 studs away; gun1 has no crew, gun2 points away."""
    state = fleet(boat(x=100, y=100, crew=CREW, **changes), boat(x=100, y=120, player=1))
    return at(at(tasks(state), "a_pirate1", gun=0), "a_pirate2", gun=2)


def test_reasons_of_guns_and_weapons_are_told():
    """PW Firing, PW Reloading, PW Tasks."""
    state = broadside()
    assert meant(state, "fire b").meant == ("fire a gun0 ball b",)
    why = no_shot(told(state, "fire a gun0 ball b"), "b", (Fire,))
    assert "the crew of gun0 of a already has an order" in why
    why = no_shot(state.change_gun(0, 0, loads=0), "b", (Fire,))
    assert "gun0 of a is not loaded (PW Reloading)" in why
    assert "each of gun1, gun3 of a has 0 at it, but needs 1 (PW Tasks)" in why
    assert "gun2 points at no hull" in why
    assert meant(state, "shoot b").why == (
        "muskets and pistols of a: b is 8 studs away, but the weapon reaches only 4 (PW Firing)"
    )
    assert no_shot(state.change_ship(0, fled_round=1), "b", (Fire,)) == (
        "a flees: its crew can only sail (PW Morale)"
    )


def test_guns_with_one_reason_share_a_sentence():
    state = broadside()
    assert meant(state, "fire b").meant
    assert "each of gun0..1 of a is not loaded" in no_shot(
        at(state.change_gun(0, 0, loads=0).change_gun(0, 1, loads=1), "a_pirate3", gun=1),
        "b",
        (Fire,),
    )
    far = tasks(fleet(boat(x=100, y=100, crew=CREW), boat(x=100, y=170, player=1)))
    assert meant(far, "fire b").why == (
        "cannons of a: b is 58 studs away, but ball reaches only 12 (PW Firing)"
    )


def test_who_has_no_ship_has_nothing_to_shoot_with():
    state = broadside().change_ship(0, owner=1)
    assert no_shot(state, "b", (Fire,)) == (
        "no ship of yours has anything to shoot with (PW Firing)"
    )


@pytest.mark.parametrize("text", ["attack b", "b", "fire", "fire B", "attack b_captain"])
def test_a_person_who_names_an_enemy_is_told_why(text):
    state = fleet(boat(x=100, y=100), boat(x=300, y=250, player=1))
    rng = np.random.default_rng(0)
    law = BinomialLaw(Fraction(1, 4))
    state = tasks(state)
    asked = Asked(GAME, state, GAME.actions(state), rng, law)
    with pytest.raises(InvalidValueError, match=r"cannons of a: b is \d+\.\d studs away"):
        planned_action(asked, text)


@pytest.mark.parametrize("text", ["attack a", "a", "fire A"])
def test_an_own_ship_is_not_an_enemy(text):
    assert meant(broadside(), text).why == "a is not an enemy (PW Tasks)"


def test_before_the_orders_a_person_is_told_when_ships_fire():
    state = fleet(boat(x=100, y=100), boat(x=300, y=250, player=1))
    assert GAME.readings(state, "attack b").why == (
        "ships fire by orders, which are written after all ships have moved (PW Turn Sequence)"
    )
