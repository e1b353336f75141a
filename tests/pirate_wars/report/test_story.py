"""Stories, pictures and situations of battles."""

import re
from collections import Counter
from itertools import combinations, pairwise

import pytest

from brickphys.pirate_wars import sentences
from brickphys.pirate_wars.firing import GunRoll
from brickphys.pirate_wars.morale import MoraleEffect, suffer
from brickphys.pirate_wars.sailing import ChooseShip, Swing, begin_move
from brickphys.pirate_wars.sheets import Ammunition, Role, ShipPlace
from brickphys.pirate_wars.state import Fate, Life, Phase
from brickphys.pirate_wars.story import Beat, beats, ending, shots, step_text, story, trajectories
from brickphys.pirate_wars.tasks import Done
from brickphys.rules.record import CHANCE, Step
from brickphys.text import spoken
from tests.pirate_wars.close_quarters import battle
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, ended, tasks
from tests.pirate_wars.told_tasks import told as carried

SEEDS = (3, 12, 13, 14, 15, 26)
"""Battles with every kind of roll, rams, boardings, a taken ship, a mutiny, sharks, and ships that sink."""


@pytest.fixture(scope="module", params=SEEDS)
def record(request):
    return battle(request.param)


DONE = Done()


def told(before, after, move=DONE):
    """What is told of a step."""
    return Beat(before, (Step(0, move, "", after),)).text


def listed_names(text):
    """The names of a list such as ``marine 2, sailor 9..10``."""
    for name in text.split(", "):
        stem, _, numbers = name.rpartition(" ")
        first, dots, last = numbers.partition("..")
        if dots:
            yield from (f"{stem} {number}" for number in range(int(first), int(last) + 1))
        else:
            yield name


def test_beats_are_all_steps_in_their_order(record):
    found = list(beats(record))
    assert tuple(step for beat in found for step in beat.steps) == record.steps
    assert all(one.after is other.before for one, other in pairwise(found))


def test_a_story_has_a_heading_for_each_round(record):
    headings = [line for line in story(record) if line.startswith("Round ")]
    assert headings == [f"Round {number + 1}" for number in range(record.final.round)]


def test_every_roll_is_told_once(record):
    rolls = sum(step.actor == CHANCE for step in record.steps)
    clauses = [clause.text for beat in beats(record) for clause in beat.clauses]
    dice = (
        r"\d of \d hit|: (hit|missed) |critical hit|rolls? \d|tests its morale|with \d \(PW Morale"
    )
    assert sum(bool(re.search(dice, text)) for text in clauses) == rolls


def test_the_order_of_a_round_is_explained(record):
    """PW Initiative: from the lowest roll to the highest."""
    for beat in beats(record):
        for subject, text in beat.clauses:
            if match := re.fullmatch(r"the lowest roll goes first: (.*) \(PW Initiative\)", text):
                order = beat.after.order
                names = [spoken(beat.after.setting.players[player]) for player in order]
                assert (subject, match[1].split(", then ")) == (sentences.INITIATIVE, names)
                break
        else:
            assert beat.after.order == beat.before.order or not beat.after.order


def test_every_casualty_is_told_once(record):
    final, dead = record.final, Counter()
    names = {spec.name for spec in final.setting.ships}
    for number, minifig in enumerate(final.minifigs):
        if minifig.life is Life.DEAD:
            dead[spoken(final.setting.minifigs[number].name)] += 1
    found = Counter()
    for beat in beats(record):
        for subject, text in beat.clauses:
            if match := re.fullmatch(r"(.*) dies?", text):
                for name in listed_names(match[1]):
                    found[name if name.split(" ")[0] in names else f"{subject} {name}"] += 1
            elif match := re.fullmatch(r"(.*) is eaten with \d \(PW Morale\)", text):
                found[match[1]] += 1
    assert found == dead


def test_every_ram_boarding_and_loss_is_told(record):
    text = "\n".join(story(record))
    ships = record.final.setting.ships
    for before, after in pairwise(record.states):
        for one in set(after.boardings) - set(before.boardings):
            assert f"boards {ships[one.defender].name}" in text
    for ship in record.final.ships:
        words = {
            Fate.SUNK: "sinks",
            Fate.LEFT: "leaves",
            Fate.FLED: "has fled",
            Fate.STRUCK: "strikes",
        }
        if not ship.is_afloat:
            found = (clause.text for beat in beats(record) for clause in beat.clauses)
            assert any(words[ship.fate] in one and "(PW " in one for one in found)


def test_wakes_lead_from_the_start_to_where_ships_are(record):
    found = trajectories(record)
    for number, track in enumerate(found.tracks):
        first, ship = record.initial.ships[number], record.final.ships[number]
        sheet = record.initial.setting.ships[number].sheet
        assert track.places[0] == (0, sentences.rudder(sheet, first))
        assert (track.end == "") == ship.is_afloat
        if ship.is_afloat:
            assert track.places[-1][1] == pytest.approx(sentences.rudder(sheet, ship))
        assert len(track.outlines) <= record.final.round + 1
    assert found.frames[-1].heading.endswith(ending(record))
    assert found.frames[-1].state is record.final
    assert all(frame.player is not None for frame in found.frames if frame.attacks)


def test_losses_in_frames_are_those_of_the_battle(record):
    kills = Counter(kill.name for frame in trajectories(record).frames for kill in frame.kills)
    setting = record.final.setting
    lost = [
        spec.name
        for spec, ship in zip(setting.ships, record.final.ships, strict=True)
        if not ship.is_afloat
    ]
    eaten = [
        setting.minifigs[number].name
        for before, after in pairwise(record.states)
        for number, minifig in enumerate(before.minifigs)
        if minifig.swims and not after.minifigs[number].is_alive
    ]
    assert kills == Counter(lost + eaten)


def test_a_ram_names_the_ship_that_ran_into_the_other():
    """PW Movement: a ship that leaps into another's side."""
    before = fleet(boat(x=100, y=100), boat(x=150, y=100, heading=90, player=1))
    after = begin_move(before, 0)
    assert "a: leaps 20 studs" in told(before, after)
    assert "a: leaps" in told(before, after)
    assert "rams b, and is lashed to it (PW Movement)" in told(before, after)
    assert "b: rams" not in told(before, after)


@pytest.mark.parametrize("angle_deg", [-90.0, -30.0, -1.0, 15.0, 90.0])
def test_a_swing_leaves_the_rudder_and_a_leap_is_the_way_of_the_rudder(angle_deg):
    before = begin_move(fleet(boat(x=100, y=150, sails=7)), 0)
    after = Swing(angle_deg).apply(before)
    side = "port" if angle_deg > 0 else "starboard"
    turn = "1 degree" if angle_deg == -1 else f"{abs(angle_deg):g} degrees"
    assert told(before, after).startswith(
        f"a: turns {turn} to {side} and leaps {before.left_studs:g} studs"
    )


def test_a_shot_that_hits_nothing_is_told_and_splashes_at_the_end_of_its_range():
    """PW Firing: a shot beyond the range of the gun is wasted."""
    state = tasks(fleet(boat(x=100, y=100), boat(x=100, y=200, player=1)))
    before = carried(at(state, "a_pirate1", gun=0), "fire a gun0 ball b")
    beat = Beat(before, (Step(0, DONE, "done", carried(before, "done")),))
    assert beat.text == (
        "a: gun0 fires without effect: b is 89 studs from gun0, but ball reaches only 12 (PW Firing)."
    )
    assert list(shots(beat)) == [((106.0, 105.0), (106.0, 117.0), False)]


@pytest.mark.parametrize(
    ("crew", "apart", "why"),
    [
        (None, 23.0, "b is 11 studs away, but the weapon reaches only 4"),
        ((), 14.0, "nobody can be seen on b"),
    ],
)
def test_a_musket_that_hits_nobody_is_told_with_its_reason(crew, apart, why):
    """PW Firing: 4 studs, visible crew only."""
    other = {} if crew is None else {"crew": crew}
    state = tasks(fleet(boat(x=100, y=100), boat(x=100, y=100 + apart, player=1, **other)))
    before = carried(state, "shoot a_captain b")
    text = told(before, carried(before, "done"))
    assert text == f"a: captain shoots without effect: {why} (PW Firing)."


def test_a_musket_that_comes_after_the_last_who_was_seen_died_is_told_with_its_reason():
    """PW Firing: both shots are ordered before the first is rolled."""
    crews = (Role.CAPTAIN, Role.LIEUTENANT), (Role.CAPTAIN,)
    ships = (boat(x=100, y=100 + 10 * n, player=n, crew=crew) for n, crew in enumerate(crews))
    before = carried(tasks(fleet(*ships)), "shoot a_captain b", "shoot a_lieutenant1 b", "done")
    assert told(before, carried(before, "1 0"), (1, 0)) == (
        "a: captain shoots at b: hit (PW Firing); "
        "lieutenant1 shoots without effect: nobody can be seen on b (PW Firing).\nb: captain dies."
    )


def test_sails_that_are_lost_for_want_of_sailors_are_told_so():
    """PW Sailing; those that shot tears are told by their number."""
    state = tasks(fleet(boat(x=100, y=100, sails=7), boat(x=100, y=200, player=1)))
    below = at(state, *(f"a_pirate{number}" for number in range(1, 8)), place=ShipPlace.CABIN)
    assert told(below, ended(below)) == (
        "a: has too few hands and loses sails: SF 3 of 7 (PW Sailing)."
    )
    hit = state.push_pending(GunRoll(1, 0, Ammunition.SHOT, 0))
    assert told(hit, carried(hit, "2 1 0"), (2, 1, 0)) == (
        "b: gun0 fires shot at a: 2 of 3 hit (PW Firing).\na: has SF 5 of 7 (PW Damage Chart)."
    )


def test_a_ship_that_is_stopped_beside_another_is_told_to_touch_it():
    """PW Movement: at less than 45 degrees it is no ram, and nobody is hurt."""
    before = fleet(boat(x=100, y=100), boat(x=150, y=109, heading=0, player=1))
    assert told(before, begin_move(before, 0)).endswith(
        " touches b, and stops without damage (PW Movement)."
    )


def test_who_goes_where_another_ship_was_does_not_touch_it():
    """PW Movement: one drifts 8 studs, and so does the next, 4 studs astern of it."""
    length = fleet(boat(x=100, y=100)).sheet(0).length_studs
    astern = boat(x=96 - length, y=100, player=1, is_adrift=True)
    before = fleet(boat(x=100, y=100, is_adrift=True), astern)
    after = begin_move(begin_move(before, 0), 1)
    assert told(before, after, ChooseShip("a")).splitlines() == [
        "a: drifts 8 studs to 108.0,100.0.",
        f"b: drifts 8 studs to {104 - length:.1f},100.0.",
    ]


@pytest.mark.parametrize("seed", [*SEEDS, 104, 109, 114, 221])
def test_of_two_ships_that_meet_one_is_told_to_touch_the_other(seed):
    """In 104, 109 and 114 a ship is stopped at once, and moves by a rounding; in 221 one goes where the other was."""
    record = battle(seed)
    for before, step in zip(record.states, record.steps, strict=False):
        found = [
            {subject, match[1]}
            for subject, text in sentences.ship_moves(before, step)
            if (match := re.match(r"touches (\w+),", text))
        ]
        assert all(one != other for one, other in combinations(found, 2))


def test_a_ship_that_drifts_goes_first_and_turns_then():
    """PW Movement: 8 studs with the wind, then up to 45 degrees."""
    before = fleet(boat(x=100, y=100, heading=90, is_adrift=True), boat(x=300, y=100, player=1))
    text = told(before, begin_move(before, 0))
    assert text.startswith("a: drifts 8 studs to ")
    assert text.endswith(" and turns 45 degrees to starboard, heading north-east.")


def test_who_is_aboard_another_ship_is_named_with_the_own():
    state = tasks(fleet(boat(x=100, y=100), boat(x=100, y=200, player=1)))
    state = state.change_minifig(1, ship=1)
    assert told(state, state.lost(1)) == "b: a pirate1 dies."
    assert told(state, state.lost(2)) == "a: pirate2 dies."


def test_a_ship_that_is_taken_tells_by_what():
    """PW Boarding, PW Morale."""
    fought = tasks(fleet(boat(x=100, y=100), boat(x=100, y=112, player=1)))
    tested = fought.replaced({"phase": Phase.MORALE})
    for before, text in (
        (fought, "b: is taken by red (PW Boarding)."),
        (tested, "b: surrenders to red (PW Morale)."),
    ):
        assert told(before, before.change_ship(1, owner=0)) == text


def test_a_ship_that_is_abandoned_is_told_with_who_swims():
    """PW, Morale Chart."""
    state = fleet(boat(x=100, y=100), boat(x=100, y=200, player=1), phase=Phase.MORALE)
    assert told(state, suffer(state, 0, MoraleEffect.ABANDON)) == (
        "a: is abandoned: its crew is in the water, its hull a prize (PW Morale Chart); "
        "captain, pirate1..9 are in the water."
    )


def test_who_jumps_and_who_is_rescued_by_an_ally_is_told_of():
    """PW Moving."""
    boats = [boat(x=100, y=100 + 14 * n, player=n, crew=(Role.PIRATE,) * 2) for n in range(2)]
    state = tasks(fleet(*boats, boat(x=300, y=200, player=2), teams=(0, 0, 1)))
    wet = carried(state, "jump a_pirate", "done")
    assert told(state, wet) == "a: pirate is in the water."
    wet = wet.replaced({"turn": 0, "busy": frozenset()})
    assert told(wet, carried(wet, "swim a_pirate b", "done")) == "a: pirate goes aboard b."


def test_a_captain_who_scuttles_the_ship_is_told_of():
    """PW Firing."""
    state = tasks(fleet(boat(x=100, y=100), boat(x=100, y=200, player=1)))
    before = carried(state, "scuttle a")
    text = told(before, ended(before))
    assert text == (
        "a: its captain fires into the powder (PW Firing); has HF 0 of 6 and SF 0 of 7 (PW Damage Chart)."
    )


def test_the_second_die_of_a_boarding_tells_what_both_lose():
    """PW Boarding: the other side's die, with its surplus; nobody loses more than there are."""
    crew = (Role.CAPTAIN, Role.PIRATE, Role.PIRATE)
    state = tasks(fleet(boat(x=100, y=100), boat(x=100, y=112, player=1, crew=crew)))
    first = ended(carried(state, "board a b", "done"))
    second = carried(first, "2")
    assert (
        sentences.roll_clause(first, (2,)).text
        == "fights b with 13 against 6 and rolls 2 (PW Boarding)"
    )
    assert sentences.roll_clause(second, (4,)).text == (
        "fights a with 6 against 13 and rolls 4: a loses 4 minifigs and b loses 3 minifigs (PW Boarding)"
    )


def test_the_writing_of_an_order_is_not_told(record):
    for before, step in zip(record.states, record.steps, strict=False):
        if step.after.orders[: len(before.orders)] == before.orders and len(
            step.after.orders
        ) > len(before.orders):
            assert step_text(before, step) == ""


def test_the_last_step_tells_why_the_battle_is_over(record):
    """In the words of the end of the story."""
    *before, last = record.steps
    reason = re.sub(r".* (wins?|has won)", "", ending(record))
    assert step_text(record.states[-2], last).endswith(f"The battle is over{reason}")
    assert not any("over" in step_text(*one) for one in zip(record.states, before, strict=False))


@pytest.mark.parametrize(
    ("winners", "ships", "reason"),
    [
        ((0,), {"fate": Fate.LEFT}, "no enemy is left: b left the sea"),
        ((0,), {"fate": Fate.SUNK}, "no enemy is left: b sank"),
        ((0,), {"owner": 0}, "no enemy is left: b was taken"),
        ((0,), {"fled_round": 1}, "no enemy is left: b flees"),
        ((), {"fate": Fate.STRUCK}, "nobody is left: a left the sea, b struck its colours"),
    ],
)
def test_the_end_tells_what_became_of_those_who_have_not_won(winners, ships, reason):
    before = fleet(boat(x=100, y=100), boat(x=300, y=250, player=1), round=4)
    after = before.change_ship(1, **ships).replaced({"winners": winners})
    if not winners:
        after = after.change_ship(0, fate=Fate.LEFT)
    *rest, last = step_text(before, Step(0, DONE, "", after)).splitlines()
    assert last == f"The battle is over, as {reason}."
    left = "b: leaves the sea, and is out of the battle (PW Movement)"
    assert any(left in line for line in rest) == (ships.get("fate") is Fate.LEFT)
