"""The texts of a campaign: the map of whole grids, an entry a day, what foes do, and the ways for pictures."""

import numpy as np
import pytest
from quest import GAME, campaign, quest, random_move, setup

from brickphys.minifig.campaign.chart import parse_chart
from brickphys.minifig.campaign.effects import Effect
from brickphys.minifig.campaign.fight import FOES, battle_moves, battles
from brickphys.minifig.campaign.report import map_text
from brickphys.plots.trajectories import film
from brickphys.rules.registry import painter


def test_the_map_shows_each_square_in_its_place():
    chart = parse_chart("-1,0w 0,0o 0,1v 0,2p 1,0s 1,1l 2,0rnls 3,0rels 4,0rnlr")
    rows = map_text(quest(chart=chart, place=(0, 0))).splitlines()
    assert [row[5:].rstrip() for row in rows[:5]] == ["", "", "    o", "    v~", "   w@s|-+"]
    assert [row[:4].strip() for row in rows[:9]] == [str(y) for y in range(4, -5, -1)]


def test_grids_are_parted_by_lines():
    rows = map_text(quest(chart=parse_chart("0,0o 5,0w 0,-5v"), place=(0, 0))).splitlines()
    assert rows[4] == "   0     @    |w"
    assert rows[9] == "     ---------+---------"
    assert rows[10] == "  -5     v    |"
    assert rows[19].split() == ["-4", "5"]


@pytest.mark.parametrize("root", range(4))
def test_the_diary_has_an_entry_for_each_day_and_the_end(root):
    record = campaign(root=root)
    *days, end = GAME.story(record)
    assert [entry.split(",")[0] for entry in days] == [
        f"Day {number}" for number in range(1, record.final.day + 1)
    ]
    assert ("is alive" in end) == (record.returns == (1,))
    for entry in days:
        cards = [state.card for state in record.states if f"Day {state.day}," in entry]
        assert f"he {cards[-1]}" in entry


def test_what_foes_do_is_told_with_the_step_before_it():
    state, rng, told = quest(Effect("battle dogs"), given=setup()), np.random.default_rng(4), 0
    while state.battle is not None:
        move = random_move(state, rng)
        acts = [one for one in battle_moves(state.battle, move) if battles().actor(one[0]) == FOES]
        after = GAME.apply(state, move)
        text = GAME.tell(state, step(state, move, after))
        for battle, action, then in acts:
            foe = battle.active
            if action.word == "go" and then.figures[foe].place_in != battle.figures[foe].place_in:
                assert f"dogs {foe - 4}: moves" in text
                told += 1
        state = after
    assert told > 3


def step(state, move, after):
    from brickphys.rules.moves import format_move
    from brickphys.rules.record import Step

    return Step(GAME.actor(state), move, format_move(GAME, state, move), after)


def test_the_way_of_the_party_has_a_frame_for_each_day():
    record = campaign(root=1)
    ways = GAME.trajectories(record)
    days = {state.day for state in record.states}
    assert len(ways.frames) == len(days)
    (track,) = ways.tracks
    assert track.places[0] == (0, ways.final.point((0, 0)))
    assert track.places[-1][1] == ways.final.point(record.final.place)
    known = [len(frame.state.state.chart.squares) for frame in ways.frames]
    assert known == sorted(known)


def test_a_film_grows_with_the_map():
    record = campaign(root=1, days=3)
    images = list(film(GAME.trajectories(record), painter(GAME)))
    assert len({image.shape for image in images}) == 1
    assert len({image.tobytes() for image in images}) == len(images)
