"""Setups of Minifig battles: rows, riders, arms, and every fault with its key."""

import json
from typing import Any

import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.setting import Options
from brickphys.minifig.setup import first_state

PLAIN: dict[str, Any] = {
    "players": [{"name": "red"}, {"name": "blue"}],
    "table": {"width": 24, "length": 24},
    "figure": [
        {"name": "tom", "player": "red", "x": 4, "y": 12, "arms": ["sword", "shield", "helmet"]},
        {"name": "bob", "player": "blue", "x": 20, "y": 12, "facing_deg": 180},
    ],
}


def given(*more: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A plain battle with more figures, and with other tables."""
    setup = json.loads(json.dumps(PLAIN))
    return {**setup, "figure": [*setup["figure"], *more], **changes}


def changed(**keys: Any) -> dict[str, Any]:
    """A plain battle with other keys of its first figure."""
    setup = given()
    setup["figure"][0] |= keys
    return setup


def test_a_figure_holds_and_wears_its_arms():
    state = first_state(given())
    setting = state.setting
    assert [arm.name for arm in setting.figures[0].worn] == ["helmet"]
    assert {setting.items[item].name for item in state.held[0]} == {"tom_sword", "tom_shield"}
    assert (state.figures[1].place_in, state.figures[1].facing_deg) == ((20.0, 12.0), 180.0)


def test_what_is_left_out_is_plain():
    """A soldier without experience who faces along +x, and no other reading of the rules."""
    setting = first_state(given()).setting
    tom = setting.figures[0]
    assert (tom.kind.name, tom.experience) == ("soldier", 0)
    assert first_state(given()).figures[0].facing_deg == 0.0
    assert setting.options == Options()
    assert not setting.options.experience_bricks
    assert not setting.options.fixed_order
    assert setting.options.no_missiles_in_contact
    assert setting.options.wall_attack == "from"


def test_two_weapons_of_a_kind_have_names_of_their_own():
    state = first_state(changed(arms=["club", "club"]))
    assert [item.name for item in state.setting.items] == ["tom_club", "tom_club_2"]


def test_a_row_stands_across_its_facing_from_the_left():
    """Who looks along +y has +x on the right."""
    row = {"name": "ann", "player": "red", "x": 10, "y": 5, "facing_deg": 90}
    state = first_state(given({**row, "count": 3, "apart": 2}))
    numbers = [state.setting.figure_numbers[f"ann_{n}"] for n in (1, 2, 3)]
    places = [state.figures[number].place_in for number in numbers]
    assert places == [(8.0, 5.0), (10.0, 5.0), (12.0, 5.0)]


def test_pieces_of_wall_in_a_row_join():
    first, second = first_state(given(wall=[wall(12, 12, length=8, count=2)])).setting.walls
    low, high = sorted([first, second], key=lambda one: one.y_in)
    tops = [y for _, y in low.corners_in(0, 8)], [y for _, y in high.corners_in(0, 8)]
    assert max(tops[0]) == pytest.approx(min(tops[1]), abs=2e-4)


def test_riders_in_a_row_ride_horses_of_their_number():
    riders = {"name": "ann", "player": "red", "x": 10, "y": 5, "count": 2, "horse": "bay"}
    horses = {"name": "bay", "kind": "horse", "count": 2}
    state = first_state(given(riders, thing=[horses]))
    assert {horse: state.figures[rider].horse for horse, rider in state.riders.items()} == {
        0: 0,
        1: 1,
    }
    assert [spec.name for spec in state.setting.things] == ["bay_1", "bay_2"]


HORSE = {"name": "bay", "kind": "horse"}
RIDER = {"name": "ann", "player": "red", "x": 10, "y": 5, "horse": "bay"}
WATER = {"kind": "water", "corners": [[2, 10], [6, 10], [6, 14], [2, 14]]}
POND = {"kind": "water", "corners": [[3, 10], [5, 10], [5, 11.5], [3, 11.5]]}
LOW = {"kind": "hill", "corners": [[8, 8], [9, 8], [9, 9]]}
BEYOND = {"kind": "hill", "height": 2, "corners": [[8, 8], [9, 8], [9, 24.1]]}
ONE_TEAM = [{"name": "red", "team": 1}, {"name": "blue", "team": 1}]


def figure(name: str, x: float, y: float) -> dict[str, Any]:
    return given({"name": name, "player": "red", "x": x, "y": y})


def thing(name: str, kind: str, x: float, y: float) -> dict[str, Any]:
    return {"name": name, "kind": kind, "x": x, "y": y}


def item(name: str, arm: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    return given(item=[{"name": name, "arm": arm, "x": x, "y": y}], **more)


def wall(x: float, y: float, *, name: str = "w", length: int = 4, **more: Any) -> dict[str, Any]:
    return {"name": name, "x": x, "y": y, "length": length, "courses": 2, **more}


def aim(kind: str, player: str, y: float, **more: Any) -> dict[str, Any]:
    return given(aims=[{"kind": kind, "player": player, "area": [4, y, 2], **more}])


FAULTS = {
    "figure[0]: tom: at 0.1 12 the base goes beyond the edge of the table": changed(x=0.1),
    "figure[0]: tom: at 4 23.9 the base goes beyond the edge of the table": changed(y=23.9),
    "figure[2]: ann: at 20.5 12 the base overlaps bob": figure("ann", 20.5, 12),
    "thing[0]: ox: at 5 12 the base overlaps tom": given(thing=[thing("ox", "wagon", 5, 12)]),
    "figure[0]: tom: at 4 12 the base reaches into water": given(zone=[WATER]),
    "figure[0]: tom: at 4 12 the base overlaps w": given(wall=[wall(4.3, 12)]),
    "figure[0].arms[1]: unknown arm 'swrd': did you mean 'sword'?": changed(arms=["bow", "swrd"]),
    "figure[0].kind: unknown kind of figure 'cat'": changed(kind="cat"),
    "figure[0].player: unknown player 'rad': did you mean 'red'?": changed(player="rad"),
    "figure[0].arms: sword, shield, bow are held, but a soldier has 2 hands (MF Rules)": changed(
        arms=["sword", "shield", "bow"]
    ),
    "figure[0].arms: two pieces of armour are worn": changed(arms=["armour", "plate"]),
    "figure[0].arms: a dog cannot have arms": changed(kind="dog"),
    "figure[2].horse: a dog cannot ride": given({**RIDER, "kind": "dog"}, thing=[HORSE]),
    "figure[2].horse: unknown horse 'bay'": given(RIDER),
    "figure[2].horse: a wagon cannot be ridden": given(RIDER, thing=[thing("bay", "wagon", 3, 3)]),
    "figure[3].horse: ann already rides bay": given(
        RIDER, {**RIDER, "name": "eve", "x": 12}, thing=[HORSE]
    ),
    "thing[0].x: leave it out: bay stands where its rider is": given(
        RIDER, thing=[thing("bay", "horse", 3, 3)]
    ),
    "thing[0].y: missing, and nobody rides it": given(thing=[{**HORSE, "x": 3}]),
    "thing[0].kind: unknown kind of thing 'house': did you mean 'horse'?": given(
        thing=[thing("bay", "house", 3, 3)]
    ),
    "figure[2].name: 'tom' is already taken": figure("tom", 9, 5),
    "item[0].name: 'tom_sword' is already taken": item("tom_sword", "axe", 3, 3),
    "item[0].arm: helmet is worn, so nobody can pick it up": item("hat", "helmet", 3, 3),
    "figure[0].experience: 8, but the highest is 7 (MF Experience)": changed(experience=8),
    "wall[0].length: a wall of 6 studs is not of whole 2x4 bricks": given(
        wall=[wall(12, 12, length=6)]
    ),
    "wall[0]: w goes beyond the edge of the table": given(wall=[wall(0.3, 5)]),
    "wall[1]: v overlaps w": given(
        wall=[wall(12, 12, length=8), wall(12, 13.2, name="v", facing_deg=90)]
    ),
    "item[0]: at 24 24 the base goes beyond the edge of the table": item("axe", "axe", 24, 24),
    "item[0]: at 4 11 the base reaches into water": item("axe", "axe", 4, 11, zone=[POND]),
    "zone[0].height: a hill has one, woods and water have none": given(zone=[LOW]),
    "zone[0].corners: the hill goes beyond the edge of the table": given(zone=[BEYOND]),
    "figure[0].name: 'end' is the word of an action": changed(name="end"),
    "wall[0].name: 'go' is the word of an action": given(wall=[wall(12, 12, name="go")]),
    "zone[0].corners: ": given(zone=[{"kind": "woods", "corners": [[8, 8], [9, 8], [10, 8]]}]),
    "players: there must be at least two teams": given(players=ONE_TEAM),
    "players[2]: green has no figure": given(players=[*PLAIN["players"], {"name": "green"}]),
    "aims[0].player: unknown player 'gren'": aim("reach", "gren", 4),
    "aims[0]: already met at the start of the battle": aim("reach", "red", 12),
    "aims[0].item: there is no 'grail' in this battle": aim("carry", "red", 4, item="grail"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_with_its_key(fault):
    with pytest.raises(InvalidValueError) as told:
        first_state(FAULTS[fault])
    assert str(told.value).startswith(f"setup: {fault}")


def test_hills_have_their_height_and_other_ground_is_level():
    square = [[8, 8], [10, 8], [10, 10], [8, 10]]
    zones = [{"kind": "hill", "height": 3, "corners": square}, {"kind": "woods", "corners": square}]
    found = first_state(given(zone=zones)).setting.zones
    assert [(zone.kind.value, zone.height_bricks) for zone in found] == [("hill", 3), ("woods", 0)]


FORMS = {
    "table.width: ": given(table={"width": "wide", "length": 24}),
    "figure[0].facing_deg: ": changed(facing_deg=400.0),
    "figure[0].arm: unknown key": changed(arm=["sword"]),
    "zone[0].corners[1]: ": given(zone=[{"kind": "hill", "corners": [[1, 1], [2], [3, 3]]}]),
    "options.wall_attack: ": given(options={"wall_attack": "under"}),
}


@pytest.mark.parametrize("fault", FORMS)
def test_a_fault_of_form_is_told_with_its_key(fault):
    with pytest.raises(InvalidValueError) as told:
        first_state(FORMS[fault])
    assert fault in str(told.value)


def test_all_faults_are_told_at_once():
    setup = changed(kind="cat", player="rad")
    setup["figure"][1] |= {"arms": ["gun"], "x": 24.0}
    with pytest.raises(InvalidValueError) as told:
        first_state(setup)
    keys = "figure[0].kind", "figure[0].player", "figure[1].arms[0]", "figure[1]: bob: at 24 12"
    assert all(key in str(told.value) for key in keys)


def test_a_wall_has_any_length_and_height_of_the_form():
    long = wall(20, 30, length=64, courses=16, facing_deg=90)
    state = first_state(given(table={"width": 40, "length": 40}, wall=[long]))
    assert len(state.setting.walls[0].spans) == 8 * 16 + 8 * 17


def test_the_corners_of_a_zone_may_be_a_closed_ring():
    ring = [[10, 2], [12, 2], [11, 4]]
    zones = ([{"kind": "woods", "corners": corners}] for corners in (ring, [*ring, ring[0]]))
    assert len({first_state(given(zone=zone)).setting.zones for zone in zones}) == 1
