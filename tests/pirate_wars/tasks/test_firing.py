"""Firing: cannons, criticals, muskets and pistols; what a gun hits and who rakes, against shapely (PW Firing)."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import atan2, degrees

import pytest
from shapely import LineString, Point, Polygon, box
from shapely.affinity import rotate, translate

from brickphys.pirate_wars.damage import Casualty, CriticalRoll, GunLoss, critical
from brickphys.pirate_wars.firing import GunRoll
from brickphys.pirate_wars.orders import bore, gap_studs, rakes, strike
from brickphys.pirate_wars.setting import Options
from brickphys.pirate_wars.sheets import Ammunition, Role, ShipPlace, ships
from brickphys.pirate_wars.state import Fate, GunState, MoraleCause, Order, State
from brickphys.pirate_wars.tasks import ORDERS
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, dead, listed, read, tasks, told, why_not

CREW = (Role.CAPTAIN, *[Role.PIRATE] * 9)
GUNNERS = [f"a_pirate{number}" for number in range(1, 7)]


def broadside(off_studs: float = 7.0, heading: float = 0.0, **changes) -> State:
    """Ship a with crews of two at guns 0 and 1, one at gun 2; ship b so far from the muzzles of guns 0 and 1."""
    state = fleet(
        boat(x=100, y=100, crew=CREW),
        boat(x=100, y=105 + off_studs + 6, heading=heading, player=1, crew=CREW),
        **changes,
    )
    state = at(at(state, "a_pirate1", "a_pirate2", gun=0), "a_pirate3", "a_pirate4", gun=1)
    return tasks(at(state, "a_pirate5", gun=2))


def damage(state: State, ship: int = 1) -> tuple[int, int]:
    return state.ships[ship].hull, state.ships[ship].sails


def casualties(state: State) -> int:
    return sum(one.count for one in state.pending if isinstance(one, Casualty))


@pytest.mark.parametrize(
    ("ammunition", "off_studs", "reaches"),
    [("shot", 8.0, True), ("shot", 8.1, False), ("ball", 12.0, True), ("ball", 12.1, False)],
)
def test_a_shot_beyond_the_range_from_the_muzzle_is_wasted(ammunition, off_studs, reaches):
    state = broadside(off_studs)
    assert (f"fire a gun0 {ammunition} b" in listed(state)) == reaches
    state = told(state, f"fire a gun0 {ammunition} b", "done")
    assert bool(state.pending) == reaches
    assert [gun.loads for gun in state.ships[0].guns] == [0, 2, 2, 2]


def test_light_guns_reach_less_far():
    def light(off_studs):
        state = broadside(off_studs)
        sheet = state.setting.ships[0].sheet
        guns = tuple(replace(gun, is_light=True) for gun in sheet.guns)
        spec = replace(state.setting.ships[0], sheet=replace(sheet, guns=guns))
        ships = (spec, state.setting.ships[1])
        return state.replaced({"setting": replace(state.setting, ships=ships)})

    for ammunition, range_studs in (("shot", 6), ("ball", 9)):
        order = f"fire a gun0 {ammunition} b"
        assert told(light(range_studs), order, "done").pending
        assert not told(light(range_studs + 0.1), order, "done").pending
    roll = told(light(5), "fire a gun0 ball b", "done")
    assert roll.first_pending.event(roll).dice == 2
    assert not any(isinstance(one, CriticalRoll) for one in told(roll, "2 0 0").pending)
    assert not told(roll, "0 0 2").ships[0].guns[0].is_lost


@pytest.mark.parametrize(("ammunition", "target"), [(Ammunition.SHOT, 3), (Ammunition.BALL, 2)])
def test_the_law_of_a_cannon_is_that_of_its_faces(ammunition, target):
    """Three dice, a hit for the target number or less, all 216 ways."""
    event = GunRoll(0, 0, ammunition, 1).event(broadside())
    naive: dict[tuple[int, ...], Fraction] = {}
    for faces in product(range(1, 7), repeat=3):
        hits, sixes = sum(face <= target for face in faces), faces.count(6)
        counts = hits, 3 - hits - sixes, sixes
        naive[counts] = naive.get(counts, Fraction()) + Fraction(1, 216)
    assert event.law(None) == naive


def test_ball_crosses_off_the_topmost_lines_and_each_costs_a_minifig():
    state = told(broadside(), "fire a gun0 ball b", "done", "2 1 0")
    assert damage(state) == (6, 5)
    assert casualties(state) == 2


def test_shot_crosses_off_sails_only():
    state = told(broadside(), "fire a gun0 shot b", "fire a gun1 shot b", "done", "3 0 0")
    assert damage(state) == (6, 4)
    state = told(state, *["lose b_pirate1", "lose b_pirate2", "lose b_pirate3"], "3 0 0")
    assert damage(state) == (6, 1)


@pytest.mark.parametrize(
    ("heading", "shift", "factor"),
    [(90.0, 0.0, 2), (270.0, 0.0, 2), (90.0, 5.9, 2), (90.0, 12.1, 1), (0.0, 0.0, 1)],
)
def test_shot_hits_twice_if_a_gun_is_dead_ahead_or_astern(heading, shift, factor):
    """Guns 0 to 3 of a stand at x = 106 and 94; ship b, 12 wide, is turned across and stands off to the right."""
    state = broadside(7.0)
    off = 105 + 7 + (24 if heading else 6)
    x = 106 + shift if heading else 100.0
    state = state.with_ship(1, state.ships[1].at((x, off, heading)))
    state = told(state, "fire a gun0 shot b", "done")
    if not state.pending:  # the shot misses; the other gun is nearer to its keel
        state = state.push_pending(GunRoll(0, 0, Ammunition.SHOT, 1))
    assert damage(told(state, "2 1 0")) == (6, 7 - 2 * factor)


def test_raking_does_not_double_ball():
    state = broadside(7.0)
    state = state.with_ship(1, state.ships[1].at((106, 105 + 7 + 24, 90)))
    assert damage(told(state, "fire a gun0 ball b", "done", "2 1 0")) == (6, 5)


def test_a_gun_that_is_destroyed_rakes_no_longer():
    state = broadside(7.0)
    state = state.with_ship(1, state.ships[1].at((106 + 4, 105 + 7 + 24, 90)))
    assert damage(told(state, "fire a gun0 shot b", "done", "1 2 0")) == (6, 5)
    state = told(state.change_gun(0, 2, is_lost=True), "fire a gun0 shot b", "done")
    state = state.change_gun(0, 0, is_lost=True)
    assert damage(told(state, "1 2 0")) == (6, 6)


def test_three_hits_with_ball_are_critical_after_their_casualties():
    state = told(broadside(), "fire a gun0 ball b", "done", "3 0 0")
    assert [type(one) for one in state.pending[:2]] == [Casualty, CriticalRoll]
    state = told(state, "lose b_pirate1", "lose b_pirate2", "lose b_pirate3", "5")
    assert not state.minifigs[10].is_alive
    for texts in (("fire a gun0 shot b", "done", "3 0 0"), ("fire a gun0 ball b", "done", "2 1 0")):
        assert not any(isinstance(one, CriticalRoll) for one in told(broadside(), *texts).pending)


def test_three_sixes_destroy_the_cannon_and_its_crew():
    state = told(broadside(), "fire a gun0 ball b", "fire a gun1 ball b", "done", "0 0 3")
    assert state.ships[0].guns[0] == GunState(0, is_lost=True)
    assert [state.minifigs[number].is_alive for number in (1, 2, 3)] == [False, False, True]
    assert damage(state) == (6, 7)
    assert isinstance(state.pending[0], GunRoll)
    assert damage(told(state, "0 1 2")) == (6, 7)


@pytest.mark.parametrize(
    ("face", "rudder_lost", "mast_turns", "causes", "left", "gone", "asked"),
    [
        (1, True, 0, ((1, MoraleCause.ADRIFT),), (6, 7), [], 0),
        (4, False, 1, ((1, MoraleCause.ADRIFT),), (6, 7), [], 0),
        (5, False, 0, ((1, MoraleCause.CAPTAIN),), (6, 7), ["b_captain"], 0),
        (6, False, 0, (), (3, 3), [], 7),
    ],
)
def test_critical_1_and_4_to_6_rudder_mast_captain_and_powder(
    face, rudder_lost, mast_turns, causes, left, gone, asked
):
    state = critical(broadside(), 1, face)
    assert (state.ships[1].rudder_lost, state.ships[1].mast_turns) == (rudder_lost, mast_turns)
    assert (state.causes, damage(state)) == (causes, left)
    assert dead(state) == gone
    assert casualties(state) == asked


def test_a_critical_hit_on_a_captain_who_is_dead_does_nothing():
    state = critical(broadside(), 1, 5)
    assert critical(state, 1, 5) == state


@pytest.mark.parametrize("face", [2, 3])
def test_critical_2_and_3_a_cannon_and_its_crew_of_the_owners_choice(face):
    state = critical(broadside(), 0, face)
    assert state.first_pending.player(state) == 0
    assert listed(state) == ["lose_gun gun0", "lose_gun gun1", "lose_gun gun2", "lose_gun gun3"]
    state = told(state, "lose_gun gun1")
    assert [gun.is_lost for gun in state.ships[0].guns] == [False, True, False, False]
    assert dead(state) == ["a_pirate3", "a_pirate4"]
    assert why_not(critical(state, 0, face), "lose_gun gun1") == [
        "a has no gun1 to lose (PW, Critical Hit Chart)"
    ]


def test_the_last_cannon_goes_without_a_question():
    state = broadside()
    for gun in range(3):
        state = state.change_gun(0, gun, is_lost=True)
    state = critical(state, 0, 2)
    assert all(gun.is_lost for gun in state.ships[0].guns)
    assert critical(state, 0, 2) == state
    assert not any(isinstance(one, GunLoss) for one in state.pending)


def musketeers(off_studs: float = 4.0, **changes) -> State:
    """Hulls so far apart; aboard a a marine on deck, one in the cabin, and a pirate without weapon."""
    crew = (Role.CAPTAIN, Role.MARINE, Role.MARINE, Role.PIRATE)
    boats = boat(x=100, y=100, crew=crew), boat(x=100, y=112 + off_studs, player=1, crew=CREW)
    return tasks(at(fleet(*boats, **changes), "a_marine2", place=ShipPlace.CABIN))


def test_muskets_and_pistols_reach_4_studs():
    assert listed(musketeers())[:2] == ["shoot a_captain b", "shoot a_marine1 b"]
    assert not [text for text in listed(musketeers(4.1)) if text.startswith("shoot")]
    state = told(musketeers(4.1), "shoot a_marine1 b", "done")
    assert not state.pending
    assert not state.minifigs[1].is_loaded


def test_a_musket_kills_one_of_the_visible_crew():
    below = [f"b_pirate{number}" for number in range(1, 8)]
    state = at(musketeers(), *below, place=ShipPlace.GUN_DECK)
    state = told(state, "shoot a_marine1 b", "done", "1 0")
    assert listed(state) == ["lose b_captain", "lose b_pirate8"]
    assert why_not(state, "lose b_pirate1")
    state = told(state, "lose b_pirate8")
    assert dead(state) == ["b_pirate8"]
    everyone = at(
        musketeers(), *below, "b_captain", "b_pirate8", "b_pirate9", place=ShipPlace.CABIN
    )
    assert not told(everyone, "shoot a_marine1 b", "done").pending


@pytest.mark.parametrize(("name", "hits"), [("a_captain", 5), ("a_marine1", 4)])
def test_the_attack_is_the_target_number_and_a_six_fails(name, hits):
    state = told(musketeers(), f"shoot {name} b", "done")
    law = state.first_pending.event(state).law(None)
    assert law == {(1, 0): Fraction(hits, 6), (0, 1): Fraction(6 - hits, 6)}


def test_a_woman_adds_one_is_always_loaded_and_never_beats_a_six():
    state = musketeers(women=("a_captain", "a_pirate3"))
    for name, number, hits in (("a_captain", 0, 5), ("a_pirate3", 3, 4)):
        shot = told(state, f"shoot {name} b", "done")
        assert shot.minifigs[number].is_loaded
        assert shot.first_pending.event(shot).law(None)[1, 0] == Fraction(hits, 6)


@pytest.mark.parametrize(
    ("order", "problem"),
    [
        ("fire z gun0 ball b", "unknown ship 'z': known: a, b (PW Tasks)"),
        ("fire b gun0 ball a", "b belongs to blue (PW Tasks)"),
        ("fire a gun7 ball b", "gun7: the guns of a are gun0 to gun3 (PW Firing)"),
        ("fire a gun3 ball b", "gun3 of a has 0 at it, but needs 1 (PW Tasks)"),
        ("fire a gun2 ball b", "gun2 of a is not loaded (PW Reloading)"),
        ("fire a gun1 ball b", "gun1 of a is destroyed (PW Firing)"),
        ("fire a gun0 ball a", "a is not an enemy (PW Tasks)"),
        ("fire a gun0 ball y", "unknown ship 'y': known: a, b (PW Tasks)"),
        (
            "shoot a_pirate88 b",
            "unknown minifig 'a_pirate88': did you mean 'a_pirate8'? (PW Tasks)",
        ),
        ("shoot b_captain a", "b_captain belongs to blue (PW Tasks)"),
        ("shoot a_pirate9 b", "a_pirate9 is dead (PW Tasks)"),
        ("shoot a_pirate8 b", "a_pirate8 has no musket and no pistol (PW Firing)"),
        ("shoot a_captain b", "the weapon of a_captain is not loaded (PW Reloading)"),
    ],
)
def test_what_cannot_be_ordered_in_one_line(order, problem):
    state = broadside().change_gun(0, 2, loads=1).change_gun(0, 1, is_lost=True)
    state = state.lost(9).change_minifig(0, is_loaded=False)
    assert why_not(state, order) == [problem]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("fire a gun0 ball b", "fire a gun0 shot b"),
        ("fire a gun0 ball b", "move a_pirate1 deck"),
        ("fire a gun0 ball b", "haul a gun0"),
        ("shoot a_captain b", "move a_captain cabin"),
        ("move a_captain cabin", "shoot a_captain b"),
        ("shoot a_captain b", "scuttle a"),
    ],
)
def test_a_minifig_has_one_task_a_turn(first, second):
    (problem,) = why_not(told(broadside(), first), second)
    assert "one task per turn (PW Tasks)" in problem


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"fate": Fate.SUNK}, "a is out of the battle: sunk (PW Tasks)"),
        ({"fled_round": 3}, "a flees: its crew can only sail (PW Morale)"),
    ],
)
def test_a_ship_that_takes_no_orders(change, problem):
    state = broadside().change_ship(0, **change)
    assert why_not(state, "fire a gun0 ball b") == [problem]
    assert not [text for text in listed(state) if text != "done"]


def test_what_is_below_deck_sees_nothing():
    assert why_not(musketeers(), "shoot a_marine2 b") == [
        "a_marine2 cannot see a target from its place (PW Firing)"
    ]


def test_all_orders_are_written_before_any_is_rolled():
    state = told(broadside(), "fire a gun0 ball b", "fire a gun1 shot b")
    assert not state.pending
    assert [gun.loads for gun in state.ships[0].guns] == [2, 2, 2, 2]
    state = told(state, "done")
    assert [type(one).__name__ for one in state.pending] == ["GunRoll", "CarryOut"]
    assert state.turn == 1


def test_simultaneous_orders_wait_for_all_players():
    state = broadside(options=Options(simultaneous=True))
    state = told(at(state, "b_pirate1", "b_pirate2", gun=2), "fire a gun0 ball b", "done")
    assert not state.pending
    state = told(state, "fire b gun2 ball a", "done")
    assert state.first_pending == GunRoll(0, 0, Ammunition.BALL, 1)
    assert told(state, "0 3 0").first_pending == GunRoll(1, 2, Ammunition.BALL, 0)
    nobody = state.lost(11).lost(12)
    assert not told(nobody, "0 3 0").pending  # nobody is left at the gun


@pytest.mark.parametrize(
    "text", ["fire a gun0 stone b", "fire a gun01 ball b", "fire a gun0 ball", "lose"]
)
def test_words_that_are_no_order(text):
    with pytest.raises(ValueError, match="action"):
        read(broadside(), text)


@pytest.mark.parametrize(
    ("order", "problem"),
    [
        (Order("fire", 0, gun=0, target=1), "fire with gun, target"),
        (Order("board", 0), "board with nothing"),
        (Order("move", 0, 1, place=ShipPlace.GUN), "move with minifig, place"),
        (Order("move", 0, 1, place=ShipPlace.WATER), "move with minifig, place"),
        (Order("haul", 0, gun=4), "haul: the ship has no gun 4"),
        (Order("swim", 0, 1), "swim: minifig 1 is in the water, or is not"),
    ],
)
def test_an_order_that_was_read_and_is_none(order, problem):
    assert ORDERS[order.task].fault(broadside(), order) == problem


@pytest.mark.parametrize(
    "text",
    ["fire a gun0 ball b", "shoot a_captain b", "move a_pirate6 gun1", "haul a gun0", "scuttle a"],
)
def test_an_order_that_was_written_is_one(text):
    state = broadside()
    order = read(state, text).order(state)
    assert ORDERS[order.task].fault(state, order) is None


def test_a_gun_beside_the_pointed_bow_does_not_rake():
    """Ship a lies along the left face of the bow of b: gun 2 is 0.8 studs off it, and 4.6 off the keel line of b."""
    heading = -degrees(atan2(2.4, 11.52))
    state = fleet(boat(x=0, y=0, heading=heading), boat(x=100, y=100, player=1))
    (x, y), _ = bore(state, 0, 2)
    state = state.with_ship(0, state.ships[0].at((120 - x, 104.62 - y, heading)))
    assert gap_studs(state, 0, 1) < 0.1
    assert bore(state, 0, 2)[0] == pytest.approx((120.0, 104.62))
    assert not rakes(state, 0, 1)


def some_fleet(draw: random.Random) -> State:
    """Two to five ships near each other, which may overlap; one may be sunk, and some guns are lost or hauled."""
    boats = [
        boat(
            draw.choice(sorted(ships())),
            x=draw.uniform(170, 230),
            y=draw.uniform(120, 180),
            heading=draw.uniform(0, 360),
            player=number % 3,
        )
        for number in range(draw.randint(2, 5))
    ]
    state = tasks(fleet(*boats))
    for ship, now in enumerate(state.ships):
        for gun in range(len(now.guns)):
            hauled, lost = draw.random() < 0.2, draw.random() < 0.2
            loads = 0 if lost else draw.choice([1, 2, 2, 2])
            state = state.change_gun(ship, gun, is_hauled=hauled, is_lost=lost, loads=loads)
    return state.change_ship(len(boats) - 1, fate=Fate.SUNK) if draw.random() < 0.3 else state


def on_the_bore(state: State, ship: int, gun: int) -> list[tuple[float, int]]:
    """How far along the bore of a gun each hull that it crosses begins, by shapely; nearest first."""
    (x, y), (ux, uy) = bore(state, ship, gun)
    line, met = LineString([(x, y), (x + 500 * ux, y + 500 * uy)]), []
    for other, _ in state.afloat:
        inside = line.intersection(Polygon(state.prism(other).footprint.vertices_studs))
        if other != ship and inside.length > 1e-6:
            met.append((inside.distance(Point(x, y)), other))
    return sorted(met)


@pytest.mark.parametrize("seed", range(40))
def test_the_first_hull_on_a_bore_and_who_rakes_agree_with_shapely(seed):
    state = some_fleet(random.Random(seed))
    for ship, now in enumerate(state.ships):
        for gun in range(len(now.guns)):
            met = on_the_bore(state, ship, gun)
            found = strike(state, ship, gun, 30.0)
            assert bool(found) == bool(met and met[0][0] <= 30.0)
            if found:
                assert found.distance_studs == pytest.approx(met[0][0])
                assert found.ship in {number for far, number in met if far == met[0][0]}
        for target, other in enumerate(state.ships):
            sheet = state.setting.ships[target].sheet
            length, half = sheet.length_studs / 2, sheet.width_studs / 2
            keel = [box(length, -half, 900, half), box(-900, -half, -length, half)]
            muzzles = [bore(state, ship, n)[0] for n, one in enumerate(now.guns) if not one.is_lost]
            pose = other.pose
            turned = [rotate(each, pose.heading_deg, origin=(0, 0)) for each in keel]
            lanes = [translate(each, pose.x_studs, pose.y_studs) for each in turned]
            if target != ship:
                in_line = any(lane.covers(Point(at)) for lane in lanes for at in muzzles)
                assert rakes(state, ship, target) == in_line


@pytest.mark.parametrize("seed", range(12))
def test_listed_shots_are_those_that_can_hit_an_enemy(seed):
    draw = random.Random(seed)
    state = some_fleet(draw)
    for name, ship in zip("abcde", state.setting.ships, strict=False):
        for gun in range(min(len(ship.sheet.guns), 3)):
            state = at(state, f"{name}_pirate{gun + 1}", gun=gun)
    state = state.replaced({"turn": draw.randrange(3) % len(state.order)})
    wanted = set()
    for ship, now in state.afloat:
        for gun, ready in enumerate(now.guns):
            met = on_the_bore(state, ship, gun)
            if now.owner != state.player or ready.loads < 2 or gun > 2 or not met:
                continue
            (far, target), names = met[0], state.setting.ships
            for kind in Ammunition:
                reach = names[ship].sheet.guns[gun].cannon(kind).range_studs
                if state.ships[target].owner != now.owner and far <= reach:
                    wanted.add(
                        f"fire {names[ship].name} gun{gun} {kind.value} {names[target].name}"
                    )
    assert {text for text in listed(state) if text.startswith("fire")} == wanted
