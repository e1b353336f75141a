"""States read from text: what play never leads to is refused, and every state of a game is not."""

import json
import random
from itertools import combinations

import pytest
import shapely

from brickphys.errors import InvalidValueError
from brickphys.geometry.pose import Pose
from brickphys.pirate_wars.scenario import SCENARIOS
from brickphys.pirate_wars.sheets import ships
from brickphys.pirate_wars.state import Boarding, Fate, Phase, hull_prism
from brickphys.pirate_wars.turns import overlapping, state_problems
from tests.cases import all_but
from tests.pirate_wars.battle import GAME, NAMES, random_states, setup
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at


@pytest.fixture(scope="module")
def moving():
    """A duel in which the clipper is to turn after its first leap."""
    state = GAME.initial(SCENARIOS["duel"])
    for face in (1, 2):
        state = GAME.apply(state, (face,))
    assert state.active == 0
    return state


def changed(state, *path, to) -> str:
    """The text of a state in which one entry is another."""
    row = json.loads(GAME.format_state(state))
    place = row
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(row, separators=(",", ":"))


REFUSED = """
ships | [] | ships: 0 values, not 2
holding | [0, 0] | holding: 2 values, not 1
ships 0 3 | 5 | swift: 5 HF and 4 SF of 4 and 4
ships 0 4 | 5 | swift: 4 HF and 5 SF of 4 and 4
ships 0 5 | 2 | ships[0].owner: 2 is not from 0 to 1
ships 0 6 | [] | swift: 0 guns of 4
ships 1 0 | 400.0 | scorpion: 400,110 is not on the sea
ships 1 2 | 360.0 | scorpion: heading 360 is not from 0 to 360
ships 1 11 | 3 | scorpion: it has fled since turn 3, which is yet to come
ships 1 7 | "left_the_sea" | scorpion_captain: aboard a ship that is out of the battle
round | 0 | round: 0, but the battle has begun
order | [0, 0] | order: a player is named twice
order | [] | order: [] in the phase movement
turn | 3 | turn: 3 of 2 players
phase | "tasks" | active: 0 is not a ship that moves now
active | 1 | active: 1 is not a ship that moves now
active | 2 | active: 2 is not from 0 to 1
active | null | active: none, but a ship is in mid-move
may_turn_deg | 91.0 | left_studs, may_turn_deg: 16 and 91
left_studs | 60.0 | left_studs, may_turn_deg: 60 and 90
lashed | [[1, 0]] | lashed: the lower number is not first
boardings | [[1, 0]] | boardings: ships 0 and 1 are not lashed together
boardings | [[1, 1]] | boardings: ships 1 and 1 are not lashed together
minifigs 0 0 | 1 | minifigs: 0 is on ship 1, but is not boarding it
lashed | [[0, 2]] | lashed[0][1]: 2 is not from 0 to 1
boardings | [[0, 7]] | boardings[0].defender: 7 is not from 0 to 1
causes | [[4, "captain"]] | causes[0][0]: 4 is not from 0 to 1
done | [5] | done[0]: 5 is not from 0 to 1
busy | [99] | busy[0]: 99 is not from 0 to 30
winners | [7] | winners: [7] are not teams
orders | [["fire", 0, null, 0, "ball", 9, null]] | orders[0].target: 9 is not from 0 to 1
orders | [["burn", 0, null, null, null, null, null]] | orders: 'burn' is no order
minifigs 0 0 | 3 | minifigs[0].ship: 3 is not from 0 to 1
minifigs 0 2 | 1 | swift_captain: a minifig has the number of a gun exactly if it is at one
minifigs 0 3 | [1.0, 2.0] | swift_captain: a minifig has a place in the water exactly if it swims
minifigs 0 5 | "dead" | swift_captain: a minifig is aboard a ship exactly if it is alive and out of the water
pending | [["SharkRoll", 99]] | pending[0].minifig: 99 is not from 0 to 30
pending | [["MoraleRoll", 0]] | ship: it has no cause for a morale test
pending | [["Despair", 0]] | ship: its gravest causes have one effect
pending | [["InitiativeRoll", [[0, 1]], []]] | pending: initiative in the phase movement
pending | [["PhaseEnd"]] | or its first step is automatic
""".strip().splitlines()
"""Where a value of the notation stands, in steps; another value; the fault."""


@pytest.mark.parametrize("row", REFUSED)
def test_a_state_that_play_never_leads_to_is_refused(moving, row):
    path, to, fault = row.split(" | ")
    steps = [int(step) if step.isdigit() else step for step in path.split()]
    with pytest.raises(InvalidValueError) as caught:
        GAME.parse_state(changed(moving, *steps, to=json.loads(to)))
    assert fault in str(caught.value)


def test_ships_of_one_team_do_not_board_each_other_and_lost_ships_are_not_lashed():
    boats = [boat(x=100, y=100), boat(x=100, y=112), boat(x=100, y=88, player=1)]
    state = fleet(*boats, lashed=((0, 1), (0, 2)), boardings=(Boarding(2, 0),))
    assert list(state_problems(state)) == []
    assert list(state_problems(state.replaced({"boardings": (Boarding(1, 0),)}))) == [
        "boardings: ships 0 and 1 belong to one team"
    ]
    assert "lashed: ship 0 or 2 is out of the battle" in state_problems(
        state.change_ship(2, fate=Fate.LEFT)
    )


@pytest.mark.parametrize(("gun", "faults"), [(3, []), (4, ["a_pirate1: the ship has no gun 4"])])
def test_a_gunner_stands_at_a_gun_of_the_ship(gun, faults):
    state = at(fleet(boat(x=100, y=100), boat(x=200, y=100, player=1)), "a_pirate1", gun=gun)
    assert list(state_problems(state)) == faults


@pytest.mark.parametrize("seed", range(30))
def test_hulls_overlap_as_shapely_says(seed):
    """Of ships in random places, some of them just beside each other."""
    draw = random.Random(seed)
    some = [
        (
            number,
            draw.choice(list(ships().values())),
            Pose(draw.uniform(0, 90), draw.uniform(0, 90), draw.uniform(0, 360)),
        )
        for number in range(6)
    ]
    plans = [
        shapely.Polygon(hull_prism(sheet, at).footprint.vertices_studs) for _, sheet, at in some
    ]
    pairs = [(a, b) for a, b in combinations(range(6), 2) if plans[a].intersection(plans[b]).area]
    assert list(overlapping(some)) == pairs


def test_hulls_that_overlap_are_refused(moving):
    text = changed(moving, "ships", 1, 0, to=moving.ships[0].x_studs)
    row = json.loads(text)
    row["ships"][1][1] = moving.ships[0].y_studs
    with pytest.raises(InvalidValueError, match="swift overlaps scorpion"):
        GAME.parse_state(json.dumps(row, separators=(",", ":")))


@pytest.mark.parametrize("name", all_but(NAMES, "convoy", "convoy_fair"))
def test_states_of_play_read_back(name):
    seen = set()
    for state in random_states(setup(name, options={"simultaneous": True}), 2):
        assert list(state_problems(state)) == []
        if state.phase not in seen or len(seen) == len(Phase):
            seen.add(state.phase)
            assert GAME.parse_state(GAME.format_state(state)) == state
