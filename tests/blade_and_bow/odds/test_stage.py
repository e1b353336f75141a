"""The stage of the command ``odds``: everybody stands where the words say, and nobody else is near."""

from itertools import combinations_with_replacement

import pytest

from brickphys.blade_and_bow.ground import direction, sector_of
from brickphys.blade_and_bow.odds import TARGET, fighter, party, stage
from brickphys.blade_and_bow.pieces import Stage
from brickphys.blade_and_bow.state import Phase, State
from brickphys.errors import InvalidValueError
from brickphys.grid.grid import DIRECTIONS, FACINGS

ROOM = {"front": 3, "left": 1, "right": 1, "rear": 3}
FAR = {"leader": 0, "beside": 1, "near": 2}


def behind(state: State, unit: int, far: int) -> int:
    """Return the square so many steps straight behind a unit."""
    grid, now = state.setting.grid, state.units[unit]
    (x, y), (dx, dy) = grid.xy(state.square_of(unit)), DIRECTIONS[now.facing]
    assert grid.contains(x - far * dx, y - far * dy)
    return grid.square(x - far * dx, y - far * dy)


def check(state: State, sides: tuple[str, ...], word: str) -> None:
    """Check the places of the target, with a leader, and of attackers, each with a leader so far behind."""
    setting, grid = state.setting, state.setting.grid
    middle = state.square_of(TARGET)
    assert len(state.at) == len(sides) + 1
    for unit, side in enumerate(sides, 1):
        square = state.square_of(unit)
        assert sector_of(state, TARGET, square).value == side
        assert direction(grid, square, middle) == state.units[unit].facing
        assert state.player_of(unit) == 0
    leads = [leader for leader in setting.leaders if leader.name.startswith("leader")]
    assert [leader.player for leader in leads] == [1] + [0] * len(sides)
    for unit, leader in enumerate(leads):
        assert leader.square == behind(state, unit, FAR[word] if unit else 0)
    with_one = [len(state.leaders_with(unit)) for unit in range(len(state.units))]
    assert with_one == [1] + [int(word == "leader")] * len(sides)


@pytest.mark.parametrize("word", FAR)
def test_attackers_stand_on_their_sides_and_leaders_behind_them(word: str) -> None:
    for count in (1, 2, 3):
        for sides in combinations_with_replacement(ROOM, count):
            if all(sides.count(side) <= room for side, room in ROOM.items()):
                text = "+".join(f"spears,{side},{word}" for side in sides)
                check(stage(fighter("hoplite,leader"), party(text)), sides, word)


@pytest.mark.parametrize("ranged", [False, True])
def test_commanders_are_far_away_and_give_their_armies_the_morale_asked_for(ranged: bool) -> None:
    for own, other in ((1, 5), (4, 2)):
        count = 8 if ranged else 3
        state = stage(fighter("hoplite"), party(f"{count}*archers"), (own, other), ranged=ranged)
        assert (state.morale(0), state.morale(1)) == (own, other)
        around = state.setting.grid.around
        near = around(around(sum(1 << square for square in state.at)))
        for player in (0, 1):
            (square,) = (one.square for one in state.setting.leaders if one.player == player)
            assert square in range(len(state.setting.squares))
            assert not near >> square & 1


def test_the_first_are_straight_ahead_and_the_next_beside_them() -> None:
    """One can lead: who is straight before the target (BB 9.4.4.4); shooters may stand all round."""
    state = stage(fighter("hoplite"), party("psiloi,left+spears+archers"))
    assert state.fight.lead == 2
    assert state.fight.units == (1, 2, 3)
    assert (state.fight.target, state.fight.stage) == (TARGET, Stage.CARDS)
    assert (state.phase, state.mover, state.turn, state.actions) == (Phase.IMPULSES, 0, 1, 1)
    shot = stage(fighter("hoplite"), party("8*archers"), ranged=True, turned=3)
    assert len(shot.at) == 1 + FACINGS
    assert (shot.fight.ranged, shot.fight.turned, shot.fight.lead) == (True, 3, None)


def test_marks_ground_and_ranks_are_those_of_the_words() -> None:
    words = "hoplite,woods,ranks=2,disrupted+spears,wall+psiloi,river"
    state = stage(fighter("hoplite,town,ranks=6,wall"), party(words))
    assert [now.ranks for now in state.units] == [6, 2, 0, 0]
    assert [now.disrupted for now in state.units] == [False, True, False, False]
    assert [now.wall for now in state.units] == [True, False, True, False]
    ground = [state.setting.terrain[state.square_of(n)].name for n in range(4)]
    assert ground == ["town", "woods", "clear", "river"]
    assert sum(one.name != "clear" for one in state.setting.terrain) == 3


@pytest.mark.parametrize(
    ("target", "attackers", "morale", "ranged", "fault"),
    [
        ("spears", "4*spears", (3, 3), False, "spears: no room is left on the front (BB 3.1.1)"),
        ("spears", "2*spears,right", (3, 3), False, "spears: no room is left on the right"),
        ("spears", "4*spears,rear", (3, 3), False, "no room is left on the rear"),
        ("spears", "8*archers+archers", (3, 3), True, "no room is left on the front"),
        ("spears", "archers,rear", (3, 3), True, "archers, rear: only the attackers of a melee"),
        ("spears,front", "spears", (3, 3), False, "spears, front: only the attackers of a melee"),
        (
            "spears,beside",
            "spears",
            (3, 3),
            False,
            "spears (beside): a leader who is not with a unit",
        ),
        ("spears,near", "archers", (3, 3), True, "spears (near): a leader who is not with a unit"),
        ("spears", "spears", (0, 3), False, "morale: 0 is outside 1..5"),
        ("spears", "spears", (3, 6), False, "morale: 6 is outside 1..5"),
    ],
)
def test_what_has_no_place_is_refused(
    target: str, attackers: str, morale: tuple[int, int], ranged: bool, fault: str
) -> None:
    with pytest.raises(InvalidValueError) as error:
        stage(fighter(target), party(attackers), morale, ranged=ranged)
    assert fault in str(error.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("hoplite,ranks=7", "hoplite,ranks=7: ranks=7, and hoplite is 0 to 6 (BB 3.6)"),
        ("spears,ranks=1", "ranks=1, and spears is open: it has none (BB 3.6)"),
        ("spears,wall,wall", "spears,wall,wall: 'wall' after 'wall': both give its wall"),
        ("spears,near,beside", "'beside' after 'near': both give its leader"),
        ("spears,sea", "spears,sea: no unit can stand in sea"),
        ("spears,ranks", "unknown word of spears,ranks 'ranks'"),
        ("hoplite,wall,disrupted", "a disrupted unit cannot have a shield wall"),
        ("light_cavalry,wall", "cavalry cannot have a shield wall"),
        ("9*hoplite", "units in 9*hoplite: 9 is outside 1..8"),
        ("x*hoplite", "unknown kind of unit 'x*hoplite'"),
    ],
)
def test_words_that_cannot_be_are_refused(text: str, fault: str) -> None:
    with pytest.raises(InvalidValueError) as error:
        party(text)
    assert fault in str(error.value)


def test_a_unit_is_told_in_its_words() -> None:
    text = "hoplite,ranks=2,disrupted,leader,woods"
    assert fighter(text).words == "disrupted hoplite +2 (leader) in woods"
    assert fighter("hoplite,wall,near").words == "wall hoplite +0 (near)"
    assert fighter("light_cavalry,clear").words == "light cavalry"
    assert [one.words for one in party("2*spears + psiloi")] == ["spears", "spears", "psiloi"]
