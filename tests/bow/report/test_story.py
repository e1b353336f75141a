"""Battles as stories, situations and courses."""

from itertools import pairwise
from pathlib import Path

import pytest

from brickphys.bow.actions.attack import AttackRoll
from brickphys.bow.actions.movement import Walk
from brickphys.bow.scene import unit_letters
from brickphys.bow.status import battle_status
from brickphys.bow.story import kills, path, story, tracks, turns
from brickphys.rules.play import play
from brickphys.rules.record import Ending
from brickphys.rules.replay import play_back, read_replay
from brickphys.rules.report.story import Turn
from brickphys.rules.rolls import OpposedRoll
from brickphys.rules.sources import ScriptSource
from brickphys.text import counted
from tests.bow.battle import GAME, Battle, duel, setup, unit
from tests.bow.told_duel import Reader, duel_story, told_duel

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture(scope="module", params=["skirmish", "ambush"])
def battle(request):
    path = GOLDEN / f"bow_{request.param}.jsonl"
    return play_back(GAME, read_replay(path))


def test_the_golden_story_of_a_duel():
    assert told_duel().ending is Ending.OVER
    assert duel_story() == (GOLDEN / "bow_duel_story.txt").read_text(encoding="utf-8")


def test_a_story_tells_every_round_every_roll_and_every_death(battle):
    lines = list(story(battle))
    headings = [line for line in lines if line.startswith("Round ")]
    assert headings == [f"Round {number + 1}" for number in range(battle.final.round)]
    text = "\n".join(lines)
    for before, step in zip(battle.states, battle.steps, strict=False):
        if isinstance(event := before.event, OpposedRoll):
            scored, resisted = step.move
            bricks = f"{scored} of {counted(event.attack, 'brick')} against {resisted} of"
            assert f"{bricks} {event.defence}: " in text
            if isinstance(before.first_pending, AttackRoll):
                result = "hit" if scored > resisted else "missed"
                assert f"{bricks} {event.defence}: {result} (BOW 2.4.2)" in text
    fallen = [figure for figure in battle.final.units if not figure.plays and figure.is_dead]
    assert text.count(" dies (BOW 2.4.3)") == len(fallen)


def test_turns_are_all_steps_in_their_order(battle):
    found = list(turns(battle))
    assert tuple(step for turn in found for step in turn.steps) == battle.steps
    assert [turn.unit is None for turn in found] == [True] + [False] * (len(found) - 1)
    assert all(one.after is other.before for one, other in pairwise(found))


def test_courses_lead_from_the_start_to_where_everybody_is(battle):
    final = battle.final
    for number, track in enumerate(tracks(battle)[: len(final.units)]):
        figure = final.units[number]
        assert (track.end == "") == figure.plays
        if figure.stud is not None:
            assert track.places[-1][1] == final.stance(number)[:2]
    fallen = {figure for figure in range(len(final.units)) if final.units[figure].is_dead}
    names = {final.setting.units[unit].name for unit in fallen}
    destroyed = {track.name for track in tracks(battle) if track.end == "is destroyed"}
    assert {kill.name for turn in turns(battle) for kill in kills(turn)} == names | destroyed


def test_ways_on_foot_lead_from_stud_to_neighbour_over_nothing_solid(battle):
    states = list(battle.states)
    for step, before in zip(battle.steps, states, strict=False):
        if not isinstance(step.move, Walk):
            continue
        turn = Turn(before, (step,), before.active)
        field, places = before.setting.field, path(turn, before.active)
        studs = [field.square_at(*place) for place in places]
        for one, other in pairwise(studs):
            (x, y), (next_x, next_y) = field.xy(one), field.xy(other)
            assert max(abs(next_x - x), abs(next_y - y)) == 1
            assert before.board.free >> other & 1


def test_the_steps_of_a_battle_are_told_one_by_one():
    record = told_duel()
    befores = list(record.states)
    told = [GAME.tell(before, step) for before, step in zip(befores, record.steps, strict=False)]
    assert told[:6] == [
        "red rolls 3 of 6 for the start (BOW 2.2).",
        "blue rolls 3 of 6 for the start (BOW 2.2).",
        "red rolls 5 of 6 for the start (BOW 2.2).",
        "blue rolls 2 of 6 for the start; red begins with the highest score (BOW 2.2).",
        "",
        "red trooper: walks to 5,4.",
    ]
    assert told[-1] == (
        "blue trooper: attacks red trooper with the spear, 2 of 2 bricks against 0 of 3: hit (BOW 2.4.2).\n"
        "red trooper dies (BOW 2.4.3).\ncost points destroyed by blue so far: 12 (BOW A.4)."
    )


def test_the_way_of_a_turn():
    turn = list(turns(told_duel()))[2]
    assert path(turn, turn.unit) == ((8.5, 4.5), (8.5, 5.5))


def test_an_interrupted_battle_says_so():
    record = play(
        GAME,
        duel(),
        [Reader(["unit red_trooper"]), Reader([])],
        ScriptSource(["3", "0"]),
        root=0,
        max_steps=3,
    )
    assert list(story(record))[-1] == "The battle was broken off in round 1 (limit)."


def test_the_map_shows_who_is_where_and_what_can_be_chosen():
    begin = setup(
        unit("ann", "trooper", "red", 2, 3), unit("bob", "knight", "blue", 9, 3), width=12, length=8
    )
    battle = Battle(begin).do("unit ann")
    lines = battle_status(battle.state).splitlines()
    assert lines[0] == "Round 1, who has played gets a mark; ann has 2 actions left"
    assert "*" not in lines[6]
    assert lines[6] == "     ..A......a.."
    assert any(line.split()[:4] == ["A", "ann", "red", "2,3"] for line in lines)
    walking = battle_status(battle.do("do walk").state)
    assert walking.count("*") == len(
        GAME.actions(battle.state)
    )  # own stud is A, the legend has one


def test_the_headline_is_the_round_marker():
    begin = setup(unit("ann", "trooper", "red", 2, 3), unit("bob", "knight", "blue", 9, 3))

    def headline(battle: Battle) -> str:
        return GAME.describe(battle.state).splitlines()[0]

    battle = Battle(begin)
    assert GAME.describe(GAME.initial(begin)).startswith("Before the first round\n")
    assert headline(battle) == "Round 1, who has played gets a mark"
    battle.do("unit ann", "end", "unit bob", "end")
    assert headline(battle) == "Round 2, who has played loses the mark"
    assert (
        headline(battle.do("unit ann"))
        == "Round 2, who has played loses the mark; ann has 2 actions left"
    )


def test_letters_are_unique_and_those_of_the_first_player_are_capitals():
    setting = GAME.initial(GAME.setups["skirmish"]).setting
    found = unit_letters(setting)
    assert len(set(found)) == 20
    assert [letter.isupper() for letter in found] == [u.player == 0 for u in setting.units]
