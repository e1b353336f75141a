"""One answer against the exact move: right, undecided, or the first fault, with its name and its size."""

import pytest

from brickphys.errors import InvalidValueError
from brickphys.vehicles.referee.answer_schema import answer_of
from brickphys.vehicles.referee.fault import FaultKind
from brickphys.vehicles.referee.judgement import judge_answer
from brickphys.vehicles.scene_file import scene_in

JEEP = {
    "id": "jeep",
    "x": 8.0,
    "y": 16.0,
    "heading_deg": 0.0,
    "length": 10.0,
    "width": 6.0,
    "speed": 4,
}
WALL = {"id": "wall", "polygon": [[22, 10], [23, 10], [23, 22], [22, 22]]}
MAN = {"id": "man", "x": 15.5, "y": 16.5}
CAR = {**JEEP, "id": "car", "x": 24.0, "y": 18.0, "heading_deg": 90.0, "speed": 1}
TURN = [{"turn_deg": -90.0, "pivot": [-4.0, 0.0]}, {"ahead": 6.0}]


def verdict(answer, *, tolerance=1e-9, course=None, jeep=JEEP, **things):
    move = {"vehicle": "jeep", **({"piece": course} if course else {})}
    vehicles = [jeep, *things.pop("vehicle", [])]
    tables = {"field": {"width": 60, "height": 32}, "move": move, "vehicle": vehicles, **things}
    return judge_answer("s", scene_in(tables), answer_of(answer, "answer"), tolerance)


def hit(name, distance, **more):
    return {"id": name, "distance": distance, **more}


def answer(*hits, **move):
    return {"hits": list(hits), **({"move": move} if move else {})}


BOTH = {"unit": [MAN], "decor": [WALL]}


@pytest.mark.parametrize(
    ("said", "kind", "off"),
    [
        (answer(hit("man", 2.0)), FaultKind.TUNNELLING, 2.99),
        (answer(hit("wall", 9.0)), FaultKind.MISSED, 2.99),
        (answer(hit("man", 2.0), hit("wall", 9.5)), FaultKind.LATE, 0.5),
        (answer(hit("man", 1.5), hit("wall", 9.0)), FaultKind.EARLY, 0.5),
        (answer(hit("wall", 9.0), hit("man", 2.0)), FaultKind.ORDER, 0.0),
        (answer(hit("man", 2.0), hit("wall", 9.0), stopped_by=["man"]), FaultKind.STOP, 0.0),
        (answer(hit("man", 2.0), hit("wall", 9.0), travelled=20.0), FaultKind.STOP, 11.0),
        (answer(hit("man", 2.0), hit("wall", 9.0), leaves_field=True), FaultKind.STOP, 0.0),
        (answer(hit("man", 2.0, point=[15.0, 16.0]), hit("wall", 9.0)), FaultKind.POINT, 0.5),
        (answer(hit("man", 2.0, normal=[0, 1]), hit("wall", 9.0)), FaultKind.NORMAL, 90.0),
        (answer(hit("man", 2.0, impact_deg=0), hit("wall", 9.0)), FaultKind.IMPACT, 90.0),
        (answer(hit("man", 2.0, bricks=5), hit("wall", 9.0)), FaultKind.SPEED, 0.0),
        (answer(hit("ghost", 1.0), hit("man", 2.0)), FaultKind.FALSE, 0.0),
        (answer(hit("man", 2.0), hit("man", 3.0)), FaultKind.FALSE, 0.0),
        (answer(hit("jeep", 1.0), hit("man", 2.0)), FaultKind.FALSE, 0.0),
    ],
)
def test_a_fault_has_its_name_and_its_size(said, kind, off):
    fault = verdict(said, **BOTH).fault
    assert fault is not None
    assert fault.kind is kind
    assert fault.off == pytest.approx(off, abs=0.02)


def test_the_true_answer_is_right_and_only_what_is_given_is_judged():
    whole = hit(
        "man", 2.0, point=[15.0, 16.5], normal=[-1, 0], impact_deg=90.0, sector=None, bricks=4
    )
    ends = {"travelled": 9.0, "stopped_by": ["wall"], "leaves_field": False}
    for said in (answer(hit("man", 2), hit("wall", 9)), answer(whole, hit("wall", 9.0), **ends)):
        assert verdict(said, **BOTH) == (None, False)


def test_the_first_fault_on_the_way_is_told():
    """Who passes through the first wall is on another way from there."""
    far = {"id": "far", "polygon": [[25, 10], [26, 10], [26, 22], [25, 22]]}
    fault = verdict(answer(hit("far", 12.0), travelled=12.0), decor=[WALL, far]).fault
    assert (fault.kind, fault.thing) == (FaultKind.TUNNELLING, "wall")
    fault = verdict(answer(hit("wall", 9.0), hit("far", 12.0)), decor=[WALL, far]).fault
    assert (fault.kind, fault.thing, fault.off) == (FaultKind.STOP, "far", pytest.approx(3.0))


def test_a_sector_is_judged_where_it_is_given():
    (seen,) = [verdict(answer(hit("car", 8.0, sector="front")), vehicle=[CAR])]
    assert (seen.fault.kind, seen.fault.right) == (FaultKind.SECTOR, {"sector": "left"})
    assert verdict(answer(hit("car", 8.0, sector="left")), vehicle=[CAR]) == (None, False)


@pytest.mark.parametrize(
    ("depth", "is_undecided", "kind"),
    [
        (1e-6, False, FaultKind.GRAZE),
        (2e-9, False, FaultKind.GRAZE),
        (5e-10, True, None),
        (0.0, True, None),
        (-2e-9, False, FaultKind.FALSE),
        (-0.1, False, FaultKind.FALSE),
    ],
)
def test_a_graze_within_the_tolerance_is_undecided(depth, is_undecided, kind):
    """The wall beside the way reaches so deep into it, or misses it; the answer says the opposite."""
    beside = {"id": "wall", "polygon": [[22, 19 - depth], [23, 19 - depth], [23, 22], [22, 22]]}
    said = answer(hit("wall", 9.0)) if depth < 1e-9 else answer()
    seen = verdict(said, decor=[beside])
    assert seen.is_undecided is is_undecided
    assert (seen.fault and seen.fault.kind) is kind
    if kind is FaultKind.GRAZE:
        assert seen.fault.off == pytest.approx(depth, rel=0.01)


def test_a_coarser_tolerance_forgives_more():
    for by, is_right in ((0.004, True), (0.02, False)):
        seen = verdict(answer(hit("man", 2.0), hit("wall", 9.0 + by)), tolerance=0.005, **BOTH)
        assert (seen == (None, False)) is is_right
    beside = {"id": "wall", "polygon": [[22, 18.997], [23, 18.997], [23, 22], [22, 22]]}
    assert verdict(answer(), tolerance=0.005, decor=[beside]) == (None, True)


@pytest.mark.parametrize("distance", [9.1, 15.0, 20.0])
def test_a_hit_that_the_tolerance_decides_may_come_anywhere_later(distance):
    """The side of the wall leans into the way by a millionth of a stud, so it is hit late, or not at all."""
    leaning = {"id": "wall", "polygon": [[16, 19 + 1e-7], [60, 19 - 1e-6], [60, 22], [16, 22]]}
    assert verdict(answer(hit("wall", distance)), tolerance=1e-5, decor=[leaning]) == (None, True)
    assert verdict(answer(), tolerance=1e-5, decor=[leaning]) == (None, True)
    seen = verdict(answer(hit("wall", 15.0)), decor=[leaning])
    assert seen.fault.kind is FaultKind.LATE


def test_turns_are_judged_in_degrees_and_pieces_must_fit():
    post = {"id": "post", "x": 12.5, "y": 10.5}
    truth = verdict(answer(), course=TURN, unit=[post]).fault
    right = truth.right["turned_deg"]
    assert right < 0
    said = {"id": "post", "turned_deg": right}
    assert verdict(answer(said), course=TURN, unit=[post]) == (None, False)
    seen = verdict(answer({**said, "turned_deg": right - 3}), course=TURN, unit=[post]).fault
    assert (seen.kind, seen.unit, seen.off) == (FaultKind.LATE, "degrees", pytest.approx(3.0))
    seen = verdict(answer(hit("post", 1.0, piece=1)), course=TURN, unit=[post]).fault
    assert (seen.kind, seen.unit) == (FaultKind.LATE, "pieces")
    with pytest.raises(InvalidValueError, match="hit 'post': piece 0 needs turned_deg"):
        verdict(answer(hit("post", 1.0, piece=0)), course=TURN, unit=[post])
    with pytest.raises(InvalidValueError, match="there is no piece 2"):
        verdict(answer(hit("post", 1.0, piece=2)), course=TURN, unit=[post])


def test_a_mover_that_stands_still_hits_nothing():
    still = {**JEEP, "speed": 0}
    assert verdict(answer(), jeep=still, decor=[WALL]) == (None, False)
    assert verdict(answer(hit("wall", 1.0)), jeep=still, decor=[WALL]).fault.kind is FaultKind.FALSE


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, "hits: missing"),
        ({"hits": [{"id": "man"}]}, "neither distance nor turned_deg"),
        ({"hits": [{"distance": 2.0}]}, "hits\\[0\\].id: missing"),
        ({"hits": [hit("man", float("nan"))]}, "finite"),
        ({"hits": [hit("man", 2.0, distanse=1)]}, "did you mean 'distance'"),
        ({"hits": [hit("man", "2")]}, "should be a valid number"),
        ([], "should be"),
    ],
)
def test_an_answer_of_another_form_is_refused(said, told):
    with pytest.raises(InvalidValueError, match=told):
        answer_of(said, "answer")
