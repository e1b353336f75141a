"""The checks of collisions: they pass right results, and find every kind of planted mistake."""

from dataclasses import replace

import pytest

from benchmarks import encounter_march
from brickphys.errors import InvalidValueError, MissingExtraError
from brickphys.geometry.pose import Pose
from brickphys.vehicles.course import relative_speed, resolve
from brickphys.vehicles.encounter import SceneEncounters, encounters_of
from brickphys.vehicles.scene import Bounds, Fixture, PivotTurn, Scene, Straight, Unit, Vehicle
from brickphys.vehicles.scene_file import parse_scene, read_scene, scene_text
from brickphys.vehicles.sectors import Scheme, Sector
from brickphys.vehicles.validation import comparison, pybullet_check
from brickphys.vehicles.validation import validate as validation
from brickphys.vehicles.validation.bisection import Leg, meetings, shapely
from brickphys.vehicles.validation.comparison import CheckKind, known_disagreements
from brickphys.vehicles.validation.corpus_scenes import ADDED, corpus_scene
from brickphys.vehicles.validation.random_scenes import IN_TURN, random_scene
from brickphys.vehicles.validation.random_things import SceneKind
from tests.cases import few

pytest.importorskip("shapely")

KINDS = len(IN_TURN)


def pile_up(scheme=Scheme.CONTACT):
    """A jeep at speed 4 that runs a figure over and hits a car in its left side and a wall at the same time."""
    return Scene(
        Bounds(48.0, 32.0),
        "jeep",
        (
            Vehicle("jeep", 10.0, 16.0, 0.0, 10.0, 6.0, speed=4),
            Vehicle("car", 24.0, 14.5, 90.0, 8.0, 4.0, speed=2),
        ),
        (Unit("peasant", 18.5, 16.0),),
        (Fixture("wall", ((22.0, 18.5), (23.0, 18.5), (23.0, 28.0), (22.0, 28.0))),),
        scheme,
    )


def turning(scheme=Scheme.QUADRANT):
    """A jeep that goes on, turns over a figure and onto a wall; a prize is lashed to its right."""
    return Scene(
        Bounds(48.0, 48.0),
        "jeep",
        (
            Vehicle("jeep", 16.0, 20.0, 0.0, 10.0, 6.0, speed=4),
            Vehicle("prize", 16.0, 15.0, 0.0, 6.0, 4.0),
        ),
        (Unit("peasant", 25.0, 24.0),),
        (Fixture("wall", ((10.0, 27.0), (30.0, 27.0), (30.0, 28.0), (10.0, 28.0))),),
        scheme,
        (Straight(4.0), PivotTurn(120.0, (-2.0, 0.0)), Straight(1.0)),
        ("prize",),
    )


def checks(scene, move):
    (legs,) = validation.compare_moves([scene], [move])
    return {one.check for compared, _ in legs for one in compared.disagreements}


def with_hit(move, index, **changes):
    hits = list(move.hits)
    hits[index] = hits[index]._replace(**changes)
    return replace(move, hits=tuple(hits))


def with_end(move, **changes):
    return replace(move, pieces=(*move.pieces[:-1], move.pieces[-1]._replace(**changes)))


def test_right_result_has_no_disagreement():
    scene = pile_up()
    move = resolve(scene)
    assert [hit.id for hit in move.hits] == ["peasant", "wall", "car"]
    assert move.hits[2].sector(scene.scheme) is Sector.LEFT
    assert checks(scene, move) == set()


@pytest.mark.parametrize(
    ("spoil", "check"),
    [
        (lambda m: replace(m, hits=m.hits[1:]), CheckKind.HITS),
        (lambda m: replace(m, hits=(*m.hits, m.hits[0])), CheckKind.HITS),
        (lambda m: with_hit(m, 0, at=3.0 + 1e-8), CheckKind.DISTANCE),
        (lambda m: with_hit(m, 0, at=3.0 - 1e-8), CheckKind.DISTANCE),
        (lambda m: replace(m, hits=(m.hits[0], m.hits[2], m.hits[1])), CheckKind.ORDER),
        (lambda m: with_hit(m, 2, contact=m.hits[2].contact._replace(edge=1)), CheckKind.SECTOR),
        (lambda m: with_end(m, stopped_by=("wall",)), CheckKind.STOP),
        (lambda m: with_end(m, at=20.0), CheckKind.TRAVELLED),
        (lambda m: replace(m, end=Pose(17.0, 16.0 + 1e-8, 0.0)), CheckKind.TRAVELLED),
        (lambda m: with_end(m, leaves_field=True), CheckKind.BORDER),
    ],
)
def test_planted_mistake_is_found(spoil, check):
    scene = pile_up()
    assert check in checks(scene, spoil(resolve(scene)))


def test_course_with_a_prize_has_no_disagreement():
    move = resolve(turning())
    assert [(hit.id, hit.piece) for hit in move.hits] == [("peasant", 1), ("wall", 1)]
    assert checks(turning(), move) == set()


def touch_that_parts():
    """A jeep turns away from a post that its side touches, and comes upon it from the other side."""
    post = Fixture("post", ((24.0, 23.0), (25.0, 23.0), (25.0, 24.0), (24.0, 24.0)))
    mover = Vehicle("jeep", 20.0, 20.0, 0.0, 10.0, 6.0)
    return Scene(Bounds(48.0, 48.0), "jeep", (mover,), (), (post,), course=(PivotTurn(-350.0),))


def test_bisection_finds_the_touch_that_leads_to_the_overlap():
    (met,) = meetings([Leg.first(touch_that_parts(), PivotTurn(-350.0))])
    (hit,) = resolve(touch_that_parts()).hits
    assert met["post"].at == pytest.approx(hit.at, abs=1e-9)
    assert hit.at > 90


def test_touch_that_parts_is_not_taken_for_the_hit():
    move = resolve(touch_that_parts())
    assert CheckKind.DISTANCE in checks(touch_that_parts(), with_hit(move, 0, at=0.0))


@pytest.mark.parametrize(
    ("spoil", "check"),
    [
        (lambda m: replace(m, hits=m.hits[1:]), CheckKind.HITS),
        (lambda m: with_hit(m, 0, piece=0), CheckKind.HITS),
        (lambda m: with_hit(m, 1, at=m.hits[1].at + 1e-6), CheckKind.DISTANCE),
        (lambda m: with_hit(m, 1, at=m.hits[1].at - 1e-6), CheckKind.DISTANCE),
        (lambda m: with_hit(m, 0, start=m.end), CheckKind.POSE),
        (
            lambda m: with_hit(m, 1, contact=m.hits[1].contact._replace(normal=(0, 1))),
            CheckKind.IMPACT,
        ),
        (
            lambda m: with_hit(m, 1, contact=m.hits[1].contact._replace(on_face=False)),
            CheckKind.IMPACT,
        ),
        (lambda m: with_end(m, at=120.0, stopped_by=()), CheckKind.STOP),
        (lambda m: replace(m, end=m.end._replace(heading_deg=90.0)), CheckKind.TRAVELLED),
        (lambda m: replace(m, pieces=(*m.pieces, m.pieces[0])), CheckKind.STOP),
        (lambda m: replace(m, pieces=m.pieces[:1]), CheckKind.STOP),
    ],
)
def test_planted_mistake_in_a_course_is_found(spoil, check):
    assert check in checks(turning(), spoil(resolve(turning())))


@pytest.mark.parametrize(("index", "speed"), [(2, 6), (0, 6)])
def test_wrong_relative_speed_is_found(monkeypatch, index, speed):
    scene = pile_up()
    wrong = resolve(scene).hits[index]
    monkeypatch.setattr(
        comparison,
        "relative_speed",
        lambda mover, hit, scheme: speed if hit == wrong else relative_speed(mover, hit, scheme),
    )
    assert checks(scene, resolve(scene)) == {CheckKind.SPEED}


@pytest.mark.parametrize("point", [(22.0, 15.75 + 1e-3), (22.0 - 1e-8, 15.75), (22.0, 13.0)])
def test_point_that_is_not_the_middle_of_the_contact_is_found(point):
    scene = pile_up()
    move = resolve(scene)
    contact = move.hits[2].contact._replace(point_studs=point)
    assert checks(scene, with_hit(move, 2, contact=contact)) == {CheckKind.POINT}


def test_middle_of_the_contact():
    assert resolve(pile_up()).hits[2].contact.point_studs == pytest.approx((22.0, 15.75))


@pytest.mark.parametrize("turns", few([range(2), range(2, 8)]), ids=["two", "more"])
@pytest.mark.parametrize("kind", SceneKind)
def test_every_kind_of_scene_agrees(kind, turns):
    index = list(SceneKind).index(kind)
    for turn in turns:
        one = corpus_scene(11, index + len(SceneKind) * turn)
        assert one.kind is kind
        assert kind in ADDED or one == random_scene(11, one.index)
        move = resolve(one.scene)
        (legs,) = validation.compare_moves([one.scene], [move])
        assert validation.check_scene(one, move, legs).disagreements == ()


@pytest.mark.parametrize("turns", few([range(3), range(3, 12)]), ids=["three", "more"])
@pytest.mark.parametrize("kind", [SceneKind.ENCOUNTER, SceneKind.CROSSING])
def test_encounters_are_those_that_shapely_marches_to(kind, turns):
    for turn in turns:
        scene = corpus_scene(12, list(SceneKind).index(kind) + len(SceneKind) * turn).scene
        assert encounter_march.faults(scene)[0] == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"time_s": 3.0}, "contact at 3.0 s"),
        ({"time_s": None}, "contact at inf s"),
        ({"gap_studs": 1.0}, "gap 1.0 studs at"),
        ({"time_s": 99.0}, "contact at 99.0 s"),
    ],
)
def test_planted_mistakes_in_encounters_are_found(monkeypatch, change, fault):
    """Both scenes are of two that never touch, and of two that do."""
    scenes = [corpus_scene(5, 22 + len(SceneKind) * turn).scene for turn in range(8)]
    touch = [encounters_of(scene).found[0]["time_s"] is not None for scene in scenes]
    scene = scenes[touch.index(change != {"gap_studs": 1.0} and change != {"time_s": 99.0})]
    told = SceneEncounters(({**encounters_of(scene).found[0], **change},))
    monkeypatch.setattr(encounter_march, "encounters_of", lambda scene: told)
    ((found,), _) = encounter_march.faults(scene)
    assert found.startswith(fault)


def test_a_known_contact_is_checked():
    one = next(
        one
        for one in (corpus_scene(5, 23 + len(SceneKind) * turn) for turn in range(20))
        if one.known[0].is_hit
    )
    for lie in (
        replace(one.known[0], is_hit=False),
        replace(one.known[0], at=one.known[0].at + 1e-8),
    ):
        found = known_disagreements(one.scene, resolve(one.scene), [lie])
        assert [each.check for each in found] == [CheckKind.KNOWN]


def test_scenes_have_their_addresses_whatever_the_chunks():
    whole = validation.check_scenes(validation.Job(5, 0, 12, pybullet=False))
    parts = validation.check_scenes(validation.Job(5, 0, 5, pybullet=False))
    parts += validation.check_scenes(validation.Job(5, 5, 7, pybullet=False))
    assert whole == parts
    assert whole.checked == 12


def test_known_facts_are_checked():
    one = next(s for s in (random_scene(2, i) for i in range(99)) if s.kind is SceneKind.TIE)
    move = resolve(one.scene)
    assert list(known_disagreements(one.scene, move, one.known)) == []
    (fact,) = one.known
    wrong = {Sector.FRONT: Sector.REAR}.get(fact.sector, Sector.FRONT)
    for lie in (
        replace(fact, is_hit=False),
        replace(fact, at=fact.at + 1e-8),
        replace(fact, sector=wrong),
    ):
        found = known_disagreements(one.scene, move, [lie])
        assert [each.check for each in found] == [CheckKind.KNOWN]


# --- PyBullet ---


@pytest.fixture(scope="module")
def world():
    with pybullet_check.contact_world() as opened:
        yield opened


def test_pybullet_agrees_with_a_pile_up(world):
    scene = pile_up()
    move = resolve(scene)
    samples = world.samples(scene, move.hits)
    assert len(samples) == 3
    assert list(pybullet_check.contact_disagreements(scene, samples)) == []
    assert list(pybullet_check.clearance_disagreements(world.clearances(scene, move))) == []
    assert pybullet_check.struck_side(samples[2], scene.vehicles[1]) is Sector.LEFT


def test_pybullet_agrees_with_a_course(world):
    move = resolve(turning())
    samples = world.samples(turning(), move.hits)
    assert len(samples) == 2
    assert list(pybullet_check.contact_disagreements(turning(), samples)) == []
    assert list(pybullet_check.clearance_disagreements(world.clearances(turning(), move))) == []


@pytest.mark.parametrize("off", [-1.0, 1.0])
def test_pybullet_finds_a_wrong_angle(world, off):
    move = resolve(turning())
    wrong = with_hit(move, 1, at=move.hits[1].at + off)
    found = pybullet_check.contact_disagreements(turning(), world.samples(turning(), wrong.hits))
    assert {one.check for one in found} == {CheckKind.PYBULLET_TOUCH}


@pytest.mark.parametrize("off", [-0.02, 0.02])
def test_pybullet_finds_a_wrong_distance(world, off):
    scene = pile_up()
    move = resolve(scene)
    wrong = with_hit(move, 2, at=move.hits[2].at + off)
    found = pybullet_check.contact_disagreements(scene, world.samples(scene, wrong.hits))
    assert {one.check for one in found} == {CheckKind.PYBULLET_TOUCH}


def test_pybullet_finds_a_wrong_normal_and_a_wrong_sector(world):
    scene = pile_up()
    move = resolve(scene)
    contact = move.hits[2].contact._replace(normal=(0.0, 1.0))
    turned = with_hit(move, 2, contact=contact)
    found = pybullet_check.contact_disagreements(scene, world.samples(scene, turned.hits))
    assert {one.check for one in found} == {CheckKind.PYBULLET_NORMAL}
    other = with_hit(move, 2, contact=move.hits[2].contact._replace(edge=3))
    found = pybullet_check.contact_disagreements(scene, world.samples(scene, other.hits))
    assert {one.check for one in found} == {CheckKind.PYBULLET_SECTOR}


def test_pybullet_finds_a_hit_that_was_missed(world):
    scene = pile_up()
    move = resolve(scene)
    blind = replace(with_end(move, at=9.0), hits=move.hits[:1], end=Pose(19.0, 16.0, 0.0))
    found = pybullet_check.clearance_disagreements(world.clearances(scene, blind))
    assert {one.check for one in found} == {CheckKind.PYBULLET_END}


# --- files ---


def test_planted_mistake_is_reported_and_its_scene_reads_back(tmp_path, monkeypatch):
    def late(scene):
        move = resolve(scene)
        return with_hit(move, 0, at=move.hits[0].at + 1e-6) if move.hits else move

    monkeypatch.setattr(validation, "resolve", late)
    found = validation.validate_collisions(KINDS, 3, pybullet=False)
    assert found.by_check()[CheckKind.DISTANCE] > 0
    folder = tmp_path / "new" / "folder"
    paths = validation.write_disagreements(found, 3, folder)
    assert {int(path.stem.split("-")[-1]) for path in paths} == {
        one.scene.index for one in found.disagreements
    }
    for path in paths:
        index = int(path.stem.split("-")[-1])
        assert read_scene(path) == random_scene(3, index).scene
        assert "# distance: " in path.read_text()
    with pytest.raises(InvalidValueError, match="exists already"):
        validation.write_disagreements(found, 3, folder)
    with pytest.raises(InvalidValueError, match="not a new or empty folder"):
        validation.check_folder(folder)


def test_no_disagreement_makes_no_folder(tmp_path):
    found = validation.validate_collisions(KINDS, 3, pybullet=False)
    assert found.disagreements == ()
    assert validation.write_disagreements(found, 3, tmp_path / "none") == []
    assert not (tmp_path / "none").exists()


def test_random_scenes_can_be_written_and_read():
    for index in range(2 * KINDS):
        scene = random_scene(3, index).scene
        assert parse_scene(scene_text(scene)) == scene


@pytest.mark.parametrize("scenes", [0, -1, 10**10])
def test_absurd_number_of_scenes_is_refused(scenes):
    with pytest.raises(InvalidValueError, match=f"scenes {scenes} is outside"):
        validation.validate_collisions(scenes, 1)


def test_missing_shapely_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "shapely", None)
    with pytest.raises(MissingExtraError, match=r"pip install \"brickphys\[validation\]\""):
        shapely()
