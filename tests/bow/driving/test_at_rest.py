"""At rest: the option that lets bodies decide who lies where after a hit or a crash (BOW 3.6; ours)."""

from fractions import Fraction

import pytest

from brickphys.bow.actions.at_rest import AtRest
from brickphys.bow.actions.collision import CrashRoll
from brickphys.bow.foot.places import Sides
from brickphys.bow.story import tracks
from brickphys.bow.worth import Worth
from brickphys.errors import InvalidValueError, ReplayFileError
from brickphys.odds.law import BinomialLaw
from brickphys.rules.checks.conformance import check_game
from brickphys.rules.events import Measurement
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.players.search import Budget, Search
from brickphys.rules.record import CHANCE, with_options
from brickphys.rules.replay import format_replay, parse_replay, play_back
from brickphys.rules.sources import LawSource, MixedSource, ScriptSource
from brickphys.vehicles.crash_source import CrashSource
from brickphys.vehicles.scene import Scene
from tests.bow.battle import GAME, Battle, seated, setup, unit, vehicle

LAW = BinomialLaw(Fraction(1, 4))
BY_ENERGY = {"bricks_by_energy": True}


def battle(*others, crashes="physics", speed=4, **more):
    """Return the start: red's landspeeder at 15, 15 drives east at others."""
    crew = seated("pilot", "driver", "red", "car", "pilot")
    cars = [vehicle("car", "landspeeder", "red", 15.0, 15.0, 0.0, speed), *more.pop("vehicles", [])]
    others = others or (unit("foe", "trooper", "blue", 25, 15),)
    begin = setup(crew, *others, width=60, length=40, vehicles=cars, **more)
    return with_options(begin, {"crashes": crashes})


def to_the_crash(begin):
    """Return the state in which the bodies are asked; whoever is hit resists all damage."""
    run = Battle(begin).do("unit pilot", "advance")
    while run.state.pending and not isinstance(run.state.pending[0], AtRest):
        run.roll(0, GAME.chance(run.state).defence)
    return run.state


def unit_of(state, name):
    return state.units[state.setting.unit_numbers[name]]


def place(state, name):
    return state.setting.field.xy(unit_of(state, name).stud)


def test_a_wall_across_the_way_is_there_however_far_its_corners_are():
    far = [{"id": "wall", "block": [30, 0, 1, 200], "top": 24}]
    car = [vehicle("car", "jeep", "red", 20.0, 100.0, 0.0, 3)]
    crew, foe = (
        seated("pilot", "driver", "red", "car", "driver"),
        unit("foe", "trooper", "blue", 2, 2),
    )
    begin = setup(crew, foe, width=60, length=200, decor=far, vehicles=car)
    event = GAME.chance(to_the_crash(with_options(begin, {"crashes": "physics"})))
    assert [thing.id for thing in event.subject.decor] == ["wall wall"]


def test_by_the_rules_nothing_is_measured():
    state = to_the_crash(battle(crashes="rules"))
    assert not state.pending
    assert GAME.actor(state) != CHANCE


def test_a_move_that_hits_nothing_is_not_measured():
    state = to_the_crash(battle(unit("foe", "trooper", "blue", 50, 35)))
    assert not state.pending


def test_what_is_asked_are_the_places_of_what_was_hit_with_those_of_the_rule_as_stand_in():
    state = to_the_crash(battle())
    event = GAME.chance(state)
    assert [name for name, _, _ in event.quantities] == [
        "car x_studs",
        "car y_studs",
        "car heading_deg",
        "foe x_studs",
        "foe y_studs",
    ]
    x, y = place(state, "foe")
    assert event.stand_in == (35.0, 15.0, 0.0, x + 0.5, y + 0.5)
    scene = event.subject
    assert isinstance(scene, Scene)
    assert (scene.mover.x_studs, scene.mover.speed) == (15.0, 4)
    assert [(u.id, u.x_studs, u.y_studs) for u in scene.units] == [("foe", 25.5, 15.5)]
    assert not event.exact


def test_the_lowest_ground_is_the_table_however_high_it_is():
    """A wall on the ground, and one that begins below it, as deep as the ground is high."""
    scenes = []
    for level in (0.0, 6.0):
        decor = [
            {"id": "wall", "block": [30, 25, 2, 5], "bottom": level, "top": level + 15},
            {"id": "deep", "block": [40, 25, 2, 5], "bottom": level - 3, "top": level + 15},
        ]
        begin = battle(ground=[[level] * 60] * 40, decor=decor)
        scenes.append(GAME.chance(to_the_crash(begin)).subject)
    flat, raised = scenes
    assert raised == flat
    assert [(one.bottom_plates, one.top_plates) for one in flat.decor] == [(0.0, 15.0)] * 2
    assert [one.bottom_plates for one in flat.units] == [0.0]


def test_the_stand_in_changes_nothing():
    state = to_the_crash(battle())
    after = GAME.apply(state, GAME.chance(state).stand_in)
    assert after == state.pop_pending()


def test_bodies_throw_a_figure_ahead_where_the_rule_puts_it_beside():
    state = to_the_crash(battle())
    after = GAME.apply(state, CrashSource().answer(GAME.chance(state), ()))
    assert unit_of(after, "foe").plays
    assert place(after, "foe") != place(state, "foe")
    assert not list(GAME.invariant_problems(after))


def test_what_lies_in_something_is_put_beside():
    wall = {"id": "wall", "kind": "wall", "block": [30, 5, 2, 5], "top": 15}
    foes = (unit("foe", "trooper", "blue", 25, 15), unit("other", "trooper", "blue", 40, 30))
    state = to_the_crash(battle(*foes, decor=[wall]))
    for x, y in ((39.5, 29.5), (30.5, 6.5), (35.0, 15.0), (0.0, 0.0), (60.0, 40.0)):
        after = GAME.apply(state, (35.0, 15.0, 0.0, x, y))
        assert not list(GAME.invariant_problems(after))
        where = place(after, "foe")
        assert max(abs(where[0] + 0.5 - x), abs(where[1] + 0.5 - y)) <= 5.0


def test_a_vehicle_follows_into_the_room_that_another_leaves():
    jeep = vehicle("van", "jeep", "blue", 31.0, 15.0)
    state = to_the_crash(battle(unit("foe", "trooper", "blue", 50, 35), vehicles=[jeep]))
    names = [name for name, _, _ in GAME.chance(state).quantities]
    assert names[::3] == ["car x_studs", "van x_studs"]
    after = GAME.apply(state, (22.0, 15.0, 0.0, 40.0, 15.0, 0.0))
    assert [one.x_studs for one in after.vehicles] == [22.0, 40.0]


def test_a_vehicle_without_room_goes_back_towards_its_place_by_eighths_of_the_way():
    """The walls end at its nose after as many eighths as the test says; a vehicle may touch them."""
    half = Battle(battle()).state.vehicle_body(0).length_studs / 2
    for eighths in range(8):
        at = 35.0 + 1.25 * eighths
        nose = at + half
        corners = [[nose, 5], [nose + 2, 5], [nose + 2, 25], [nose, 25]]
        wall = {"id": "wall", "polygon": corners, "top": 15}
        after = GAME.apply(to_the_crash(battle(decor=[wall])), (45.0, 15.0, 0.0, 20.5, 20.5))
        assert after.vehicles[0].x_studs == at


@pytest.mark.parametrize("heading_deg", [0.0, 90.0, 179.0, 181.0, 350.0])
def test_a_vehicle_with_room_lies_exactly_where_the_bodies_say(heading_deg):
    after = GAME.apply(to_the_crash(battle()), (30.0, 20.0, heading_deg, 24.5, 14.5))
    car = after.vehicles[after.setting.vehicle_numbers["car"]]
    assert (car.x_studs, car.y_studs, car.heading_deg) == (30.0, 20.0, heading_deg)


def test_a_vehicle_without_room_goes_back_towards_the_place_of_the_rule():
    parked = vehicle("van", "landspeeder", "blue", 50.0, 15.0, 90.0)
    state = to_the_crash(battle(vehicles=[parked]))
    after = GAME.apply(state, (50.0, 15.0, 90.0, 24.5, 14.5))
    car = after.vehicles[after.setting.vehicle_numbers["car"]]
    assert 35.0 < car.x_studs < 50.0
    assert not list(GAME.invariant_problems(after))


def test_a_state_that_waits_for_bodies_is_written_and_read():
    state = to_the_crash(battle())
    read = GAME.parse_state(GAME.format_state(state))
    assert read == state
    assert GAME.chance(read) == GAME.chance(state)
    text = GAME.format_state(state)
    for right, wrong in (('["foe",', '["nobody",'), ('"car",15.0', '"car",99.0'), (",4]", ",13]")):
        assert right in text
        with pytest.raises(InvalidValueError):
            GAME.parse_state(text.replace(right, wrong))


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ('"car","15"', r"pending\[0\].vehicles\[0\]\[1\]: '15' is not of type float"),
        ('"car"', r"pending\[0\].vehicles\[0\]: \['car', 15.0, .* is not an array of 7"),
    ],
)
def test_a_vehicle_before_the_move_that_is_none_is_refused_with_its_place(wrong, fault):
    text = GAME.format_state(to_the_crash(battle()))
    with pytest.raises(InvalidValueError, match=fault):
        GAME.parse_state(text.replace('"car",15.0', wrong))


def test_units_on_the_first_stud_and_on_the_last_are_read_and_none_beyond():
    state = to_the_crash(
        battle(unit("foe", "trooper", "blue", 25, 15), unit("mate", "trooper", "blue", 0, 0))
    )
    text, studs = GAME.format_state(state), len(state.setting.field.stances)
    assert '["mate",0]' in text
    for stud in (0, studs - 1):
        assert GAME.parse_state(text.replace('["mate",0]', f'["mate",{stud}]')).pending
    for stud in (-1, studs):
        with pytest.raises(InvalidValueError, match=f"no unit 'mate' is on stud {stud}"):
            GAME.parse_state(text.replace('["mate",0]', f'["mate",{stud}]'))


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ("1.0 2.0", "5 numbers needed, but 2 given"),
        ("35.0 15.0 0.0 24.5 99.0", "99.0 is outside"),
        ("35.0 15.0 400.0 24.5 14.5", "400.0 is outside"),
    ],
)
def test_impossible_places_are_refused(wrong, fault):
    event = GAME.chance(to_the_crash(battle()))
    with pytest.raises(InvalidValueError, match=fault):
        event.parse(wrong)


def test_an_unknown_reading_and_energy_without_physics_are_refused_in_a_line():
    for change, told in (
        ({"crashes": "magic"}, r"options\.crashes: 'magic' should be 'rules' or 'physics'"),
        ({"crashes": "rules"} | BY_ENERGY, "options.bricks_by_energy: needs crashes = 'physics'$"),
    ):
        with pytest.raises(InvalidValueError, match=told):
            GAME.initial(with_options(battle(), change))


def into_wall(heading_deg, speed=4):
    """Return the start before a wall that a car meets at an angle."""
    car = vehicle("car", "landspeeder", "red", 26.0, 20.0, heading_deg, speed)
    crew, foe = (
        seated("pilot", "driver", "red", "car", "pilot"),
        unit("foe", "trooper", "blue", 2, 2),
    )
    wall = {"id": "wall", "block": [35, 0, 1, 40], "top": 24}
    begin = setup(crew, foe, width=60, length=40, vehicles=[car], decor=[wall])
    return with_options(begin, {"crashes": "physics"} | BY_ENERGY)


@pytest.mark.parametrize(
    ("heading_deg", "speed", "bricks"),
    [(0.0, 1, 1), (0.0, 2, 2), (0.0, 4, 4), (10.0, 4, 3), (45.0, 4, 3), (60.0, 4, 1), (75.0, 4, 1)],
)
def test_a_square_hit_has_the_bricks_of_the_book_and_a_graze_fewer(heading_deg, speed, bricks):
    state = Battle(into_wall(heading_deg, speed)).do("unit pilot", "advance").state
    event = GAME.chance(state)
    for outcome, wanted in ((event.stand_in, speed), (CrashSource().answer(event, ()), bricks)):
        (roll,) = (one for one in GAME.apply(state, outcome).pending if isinstance(one, CrashRoll))
        assert roll.bricks == wanted


def test_the_share_of_energy_is_told_kept_and_checked():
    record = driven(into_wall(60.0), "0.187", "0 0", "28.0 22.0 60.0")
    assert "wall with 19 % of the energy of a square hit (measured)" in "".join(GAME.story(record))
    text = format_replay(GAME, record, "the law")
    assert play_back(GAME, parse_replay(text)).final == record.final
    with pytest.raises(ReplayFileError):
        parse_replay(text.replace("0.187", "0.9"))


def test_bots_reckon_with_the_places_of_the_rule():
    """Searches and plans over a measured crash need no physics, and value it as by the rule."""
    worth, gains = [], []
    for change in ({"crashes": "rules"} | dict.fromkeys(BY_ENERGY, False), {}):
        run = Battle(with_options(into_wall(60.0), change)).do("unit pilot")
        advance = GAME.parse_action("advance")
        worth.append(Search(GAME, LAW, Budget(depth=1)).look(run.state, [advance]).worth)
        sides = Sides(Worth(LAW), run.state, 0)
        gains.append(sides.gain(GAME, run.state, advance))
    assert worth[0] == worth[1]
    assert gains[0] == pytest.approx(gains[1])


class Driver:
    """A player who drives straight ahead."""

    name = "driver"

    def choose(self, view, actions, rng):
        return GAME.parse_action("advance" if view.active >= 0 else "unit pilot")


def driven(begin, *outcomes):
    """Return the record of one move, and of all that is rolled or measured for it."""
    source = ScriptSource(["6", "0", *outcomes])
    return play(GAME, begin, [Driver(), Driver()], source, root=0, max_steps=4 + len(outcomes))


def ways(record):
    return {track.name: [place for _, place in track.places] for track in tracks(record)}


def test_3_6_1_the_story_tells_where_a_survivor_is_put():
    record = driven(battle(crashes="rules"), "0 0")
    x, y = place(record.final, "foe")
    assert f"foe is put on {x},{y}" in "\n".join(GAME.story(record))


def test_where_bodies_decide_neither_story_nor_picture_has_the_place_of_the_rule():
    record = driven(battle(), "0 0", "40.0 15.0 0.0 50.5 15.5")
    story = "\n".join(GAME.story(record))
    assert story.count("is put on") == story.count("foe is put on 50,15") == 1
    drawn = ways(record)
    assert drawn["car"] == [(15.0, 15.0), (40.0, 15.0)]
    assert drawn["foe"] == [(25.5, 15.5), (50.5, 15.5)]


def test_3_6_3_a_collision_is_told_once_and_drawn_from_start_to_touch_to_rest():
    jeep = vehicle("van", "jeep", "blue", 31.0, 15.0)
    begin = battle(unit("foe", "trooper", "blue", 50, 35), vehicles=[jeep])
    record = driven(begin, "0 0", "0 0", "22.0 15.0 0.0 40.0 15.0 0.0")
    story = "\n".join(GAME.story(record))
    assert story.count("collides") == 1
    assert "the car collides with the van, " in story
    assert "for the van in the collision with the car, " in story
    start, touch, rest = ways(record)["car"]
    assert (start, rest) == ((15.0, 15.0), (22.0, 15.0))
    by_the_rule = to_the_crash(begin).vehicles[0]
    assert touch == by_the_rule.centre_studs
    assert ways(record)["van"] == [(31.0, 15.0), (40.0, 15.0)]


def played(root=3):
    begin = with_options(GAME.setups["chase"], {"crashes": "physics"})
    players = [bot("random", GAME, LAW) for _ in range(GAME.players(GAME.initial(begin)))]
    source = MixedSource(LawSource(LAW, root), {Measurement: CrashSource()})
    return play(GAME, begin, players, source, root=root)


@pytest.mark.slow
def test_a_game_is_played_back_without_an_engine_and_an_edited_place_is_found():
    record = played()
    text = format_replay(GAME, record, "the law")
    befores = list(record.states)
    measured = [
        step
        for before, step in zip(befores, record.steps, strict=False)
        if before.pending and isinstance(before.pending[0], AtRest)
    ]
    assert measured
    assert play_back(GAME, parse_replay(text)).final == record.final
    old = measured[0].text
    line = next(n for n, row in enumerate(text.splitlines(), 1) if old in row)
    edited = text.replace(old, old.replace(old.split()[0], "1.5"), 1)
    with pytest.raises(ReplayFileError, match=f"line {line}"):
        parse_replay(edited)
    told = "\n".join(GAME.story(record))
    assert "come to rest" in told
    assert GAME.trajectories(record).frames


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chase", "ambush", "flight"])
def test_any_places_keep_the_contract(name):
    """Conformance answers with random places: nothing overlaps, whatever was measured (3.6)."""
    begin = with_options(GAME.setups[name], {"crashes": "physics", "bricks_by_energy": True})
    assert check_game(GAME, {name: begin}, games=2) == []
