"""What a gun hits and who rakes whom, against shapely (PW Firing)."""

import random
from math import atan2, degrees

import pytest
from shapely import LineString, Point, Polygon, box
from shapely.affinity import rotate, translate

from brickphys.pirate_wars.orders import bore, gap_studs, rakes, strike
from brickphys.pirate_wars.sheets import Ammunition, ships
from brickphys.pirate_wars.state import Fate, State
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, listed, tasks


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
