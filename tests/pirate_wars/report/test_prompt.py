"""Prompts: what a person is asked for, orders that the list leaves out, and shots at an enemy that is only named."""

import re
from fractions import Fraction

import numpy as np
import pytest

from brickphys.errors import InvalidValueError
from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.firing import Fire
from brickphys.pirate_wars.game import PirateWars
from brickphys.pirate_wars.morale import MoraleRoll
from brickphys.pirate_wars.prompt import no_shot, shots_meant, turn_prompt, unlisted
from brickphys.pirate_wars.sailing import begin_move, on_course
from brickphys.pirate_wars.sheets import Ammunition, Role
from brickphys.pirate_wars.state import MoraleCause, Phase
from brickphys.rules.players.person import planned_action
from brickphys.rules.players.prompt import Asked, listed
from brickphys.rules.players.typed import Typed
from tests.cases import few
from tests.pirate_wars import told_tasks
from tests.pirate_wars.battle import GAME
from tests.pirate_wars.close_quarters import battle
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, ended, tasks, told, why_not


def duel(**changes):
    return fleet(boat(x=100, y=100, **changes), boat(x=300, y=250, player=1), wind=0.0)


def test_a_turn_says_how_far_one_may_turn_and_what_comes_then():
    """PW Movement: leaps of 48 studs, of a move of 56; then the last 8."""
    state, idle = begin_move(duel(), 0), "no gun is ready"
    assert turn_prompt(state) == (
        f"a turns up to 90 degrees, then goes on; b is 178 studs away, {idle}"
    )
    short = begin_move(duel(sails=2, hull=6), 0)
    assert turn_prompt(short) == (
        f"a turns up to 45 degrees, then ends its move; b is 199 studs away, {idle}"
    )
    falls = state.replaced({"phase": Phase.FALLING_OFF})
    assert turn_prompt(falls) == (
        f"does a fall off with the wind? 0 keeps the heading; b is 178 studs away, {idle}"
    )


def test_a_turn_says_how_far_the_guns_reach_that_can_fire():
    """PW Firing, PW Reloading: of a ship with a crew at one gun."""
    ready = at(duel(), "a_pirate1", gun=1)
    assert turn_prompt(begin_move(ready, 0)).endswith("studs away, guns reach 12")
    empty = ready.change_gun(0, 1, loads=1)
    flees = ready.change_ship(0, fled_round=1)
    for state in (empty, flees, ready.lash(0, 1)):
        told = turn_prompt(state.replaced({"active": 0}))
        assert told.endswith("studs away, no gun is ready")


@pytest.mark.parametrize("seed", few([3, 12, 26]))
def test_turns_in_range_are_those_after_which_some_shot_hits(seed):
    """Every shot of the ship, tried one by one after the turn and the rest of the move (PW Firing)."""
    game, found = PirateWars(), [0, 0]
    for state in battle(seed).states:
        if state.active is None or state.pending:
            continue
        ship = state.active
        for turn in game.actions(state):
            after = turn.apply(state)
            while after.active is not None:
                after = game.parse_action("turn 0").apply(after)
            purpose = game.purpose(state, turn).split(", ")
            is_told = "in range" in purpose
            assert is_told == _hits(tasks(after, pending=(), orders=()), ship)
            found[is_told] += 1
            if is_told and purpose[0] != "in range":
                typed = Typed(game, state, game.actions(state))
                assert typed.action(purpose[0]) == turn
    assert all(found)


def _hits(state, ship):
    """Whether any shot of a gun of a ship would be legal and not wasted; its player is on turn."""
    name, guns = state.setting.ships[ship].name, range(len(state.ships[ship].guns))
    shots = (
        Fire(name, gun, kind, state.setting.ships[enemy].name)
        for gun in guns
        for kind in Ammunition
        for enemy, _ in state.enemies(state.player)
    )
    return any(not list(shot.problems(state)) and not shot.waste(state) for shot in shots)


def test_turns_with_a_purpose_say_it_in_the_list():
    """PW Movement: with the wind, towards the enemy and with the enemy abeam; 0 is the example of a turn."""
    state = begin_move(duel(), 0)
    told = {PirateWars().purpose(state, turn) for turn in PirateWars().actions(state)} - {""}
    assert told == {"with the wind", "towards b", "b to port"}
    (why,) = PirateWars().problems(state, PirateWars().parse_action("fall 0"))
    assert "such as: turn 0 " in why
    assert PirateWars().problems(state, PirateWars().parse_action("board a b")) == [
        "write orders after all ships have moved (PW Turn Sequence)"
    ]


def test_turns_after_which_the_ship_leaves_the_sea_say_so():
    """PW Movement: at the border, each turn is tried, with every turn of the ship after it."""
    game = PirateWars()
    state = fleet(boat(x=345, y=100), boat(x=100, y=250, player=1), wind=0.0)
    leaving = set()
    state = begin_move(state, 0)
    for turn in game.actions(state):
        if "leaves the sea" in game.purpose(state, turn):
            leaving.add(turn.angle_deg)
    assert 0.0 in leaving
    assert not {90.0, -90.0} & leaving


@pytest.mark.parametrize("far_studs", range(70, 102, 4))
def test_turns_that_ram_say_so(far_studs):
    """PW Ramming: a ship that lies across the bow of another one, nearer and farther than its last leap."""
    game = PirateWars()
    state = fleet(boat(x=100, y=100), boat(x=100 + far_studs, y=100, heading=90, player=1))
    state = begin_move(state, 0)
    if state.lashed:  # by the first leap, before any turn
        assert far_studs < 78
        return
    for turn in game.actions(state):
        is_rammed = bool(on_course(turn.apply(state)).lashed)
        assert ("rams b" in game.purpose(state, turn)) is is_rammed
        assert far_studs in (78, 82) or not is_rammed
        assert is_rammed or far_studs != 82 or turn.angle_deg


def test_orders_that_are_not_listed_are_named():
    state = at(tasks(duel(sails=3)), "a_pirate1", "a_pirate2", gun=1)
    state = at(state, "a_pirate3", gun=2)
    ask = "no shot can hit (ask: why attack b)"
    assert turn_prompt(state) == f"0 orders written; {ask}; your next one or done"
    assert [order.text() for order in unlisted(state)] == ["haul a gun1", "scuttle a"]
    state = told(state, "haul a gun1", "scuttle a")
    assert turn_prompt(state) == (
        "2 orders written, the last: scuttle a; no other shot can hit (ask: why attack b); "
        "your next one or done"
    )
    assert not list(unlisted(state))


def test_the_last_of_many_orders_is_named():
    state = tasks(duel(sails=3))
    orders = "move a_pirate5 gun2", *(f"move a_pirate{number} cabin" for number in range(1, 5))
    state = told(state, *orders)
    assert turn_prompt(state).startswith("5 orders written, the last: move a pirate4 cabin; ")


def test_a_person_is_offered_orders_that_are_not_listed():
    state, game = tasks(duel(sails=3)), PirateWars()
    asked = Asked(
        game, state, game.actions(state), np.random.default_rng(0), BinomialLaw(Fraction(1, 4))
    )
    assert "or done; also legal: scuttle a (" in asked.heading()
    *_, last = listed(asked)
    assert (last.text, last.place) == ("scuttle a", None)


@pytest.mark.parametrize(
    ("sails", "told_of"),
    [(7, ""), (8, "; a has hands for 7 of 8 sails, and will lose the rest"), (6, "")],
)
def test_sails_that_will_be_lost_are_told(sails, told_of):
    """PW Sailing: ten pirates less three at the guns."""
    crew = ("a_pirate1", "a_pirate2", "a_pirate3")
    state = at(tasks(duel(sheet="skulls_eye_schooner", sails=sails)), *crew, gun=1)
    assert turn_prompt(state).startswith(f"0 orders written{told_of}; no shot")


@pytest.mark.parametrize(
    ("orders", "left"),
    [
        ((), 8),
        (("move a_pirate5 cabin",), 7),
        (("move a_pirate5 gun2", "move a_pirate6 gun2"), 6),
        (("move a_pirate1 deck", "move a_captain helm"), 7),  # both sail in the next turn
    ],
)
def test_the_sails_that_are_told_to_be_lost_are_lost(orders, left):
    """PW Tasks: of ten pirates one is at a gun, one reloads, and who has an order does not sail."""
    state = at(tasks(duel(sheet="skulls_eye_schooner", sails=8)), "a_pirate1", gun=1)
    number = state.setting.minifig_numbers["a_pirate9"]
    state = told(state.change_minifig(number, is_loaded=False), *orders)
    found = re.search(r"hands for (\d) of 8 sails", turn_prompt(state))
    assert (int(found[1]) if found else 8) == left
    assert ended(told(state, "done")).ships[0].sails == left


def test_who_boards_is_told_of_no_sails():
    """PW Boarding: with all hands; a crew that is lashed to another ship loses no sails (ours)."""
    crew = (Role.CAPTAIN, *[Role.PIRATE] * 4)
    state = fleet(boat(x=100, y=100, sails=6, crew=crew), boat(x=100, y=112, player=1))
    assert "hands for 5 of 6 sails" in turn_prompt(tasks(state))
    assert "hands" not in turn_prompt(told(tasks(state), "board a b"))


@pytest.mark.parametrize("seed", [3, 12, 26])
def test_what_is_named_is_legal_and_not_listed(seed):
    named = 0
    for state in battle(seed).states:
        if state.phase is Phase.TASKS and not state.pending and state.turn < len(state.order):
            for order in unlisted(state):
                assert why_not(state, order.text()) == []
                assert order.text() not in told_tasks.listed(state)
                named += 1
    assert named


def test_a_ship_that_sinks_says_who_may_be_saved():
    """PW Damage Chart."""
    state = tasks(duel(hull=0, sails=0))
    says = "a sinks at the end of the phase, with half of those aboard: who jumps is in the water"
    assert says in turn_prompt(state)
    jump = GAME.parse_action("jump a_captain")
    assert GAME.purpose(state, jump) == "into the water beside the ship"


def test_what_a_failure_of_morale_brings_is_told_beside_its_word():
    """PW, Morale Chart."""
    state = duel().replaced({"phase": Phase.MORALE}).with_cause(0, MoraleCause.ADRIFT)
    state = MoraleRoll(0).settle(state, (6,))
    assert {
        GAME.format_action(each): GAME.purpose(state, each) for each in GAME.actions(state)
    } == {
        "suffer abandon": "your crew takes to the water, and your hull is a prize",
        "suffer surrender": "your crew are prisoners, and an enemy in contact has your ship",
    }


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
