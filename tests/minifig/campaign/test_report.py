"""The texts of a campaign: the map of whole grids, an entry a day, what foes do, and the ways for pictures."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

from brickphys.minifig.campaign.days import CardDraw, March
from brickphys.minifig.campaign.effects import TrialEffect
from brickphys.minifig.campaign.state import Direction, Watch, parse_chart
from brickphys.minifig.campaign.story import KnownLand, headline, map_text
from brickphys.minifig.campaign.trials import FOES, PARTY, battle_moves, battles
from brickphys.plots.battle import scenario_figure
from brickphys.plots.film import Film
from brickphys.rules.game import format_move
from brickphys.rules.record import Step
from brickphys.rules.registry import painter
from tests.minifig.campaign.quest import GAME, campaign, quest, random_move, setup


def test_the_map_shows_each_square_in_its_place():
    chart = parse_chart("-1,0w 0,0o 0,1v 0,2p 1,0s 1,1l 2,0rnls 3,0rels 4,0rnlr")
    rows = map_text(quest(chart=chart, place=(0, 0))).splitlines()
    assert [row[5:].rstrip() for row in rows[:5]] == ["", "", "    o", "    v~", "   w@s|-+"]
    assert [row[:4].strip() for row in rows[:9]] == [str(y) for y in range(4, -5, -1)]


def test_the_map_has_whole_grids_and_no_lines_between_them():
    rows = map_text(quest(chart=parse_chart("0,0o 5,0w 0,-5v"), place=(0, 0))).splitlines()
    assert rows[4] == "   0     @    w"
    assert rows[9] == "  -5     v"
    assert rows[18] == "     -4       5"
    assert len(rows) == 20


def test_the_headline_names_the_square_that_the_party_hides():
    for square, words in (("w", "woods"), ("o", "open land"), ("rnls", "a river to the left")):
        state = quest(chart=parse_chart(f"0,0{square}"), place=(0, 0))
        assert (
            headline(state)
            == f"Day 1 of 10, 15 April (spring), morning, 6 am to 12 noon: dry, at 0,0 ({words})"
        )


@pytest.mark.parametrize(("result", "says"), [(1, "After 10 days lead is alive"), (-1, "is lost")])
def test_the_headline_of_a_campaign_that_is_over_says_how_it_ended(result, says):
    party = [{"name": "lead"}]
    state = quest(given=setup(party=party), day=10, watch=Watch.FOURTH, result=result)
    assert headline(state).startswith("Day 10 of 10, 24 April. ")
    assert says in headline(state)
    assert "fourth watch" not in GAME.describe(state)


def test_a_battle_is_shown_without_the_land_and_the_party_of_the_campaign():
    state = quest(TrialEffect("battle dogs"), given=setup())
    shown = GAME.describe(state)
    assert shown == f"{headline(state)}\n\n{battles().describe(state.battle)}"
    assert "north is up" not in shown.splitlines()[0]


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("the fool", "The fool is drawn, and a new season"),
        ("strength", "Strength is drawn, and"),
        ("ace of swords", "The ace of swords: a good blade"),
    ],
)
def test_cards_are_named_with_one_article(card, says):
    state = quest(CardDraw(), given=setup())
    assert GAME.tell(state, step(state, card, state)).startswith(says)


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
        assert cards[-1] in entry.lower()


def test_what_foes_do_is_told_with_the_step_before_it():
    state, rng, told = quest(TrialEffect("battle dogs"), given=setup()), np.random.default_rng(4), 0
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
    return Step(GAME.actor(state), move, format_move(GAME, state, move), after)


def test_places_are_squares_of_the_march_and_places_of_a_battle():
    camp = quest(given=setup(), place=(0, 0))
    marches = {action: GAME.place_of(camp, action) for action in GAME.actions(camp)}
    sides = {action.side: place for action, place in marches.items() if isinstance(action, March)}
    assert sides == {side: side.from_place((0, 0)) for side in Direction}
    assert {place for action, place in marches.items() if not isinstance(action, March)} == {None}
    assert GAME.here(camp) == (0, 0)
    fight, rng = quest(TrialEffect("battle dogs"), given=setup()), np.random.default_rng(1)
    while GAME.actor(fight) != PARTY:
        fight = GAME.apply(fight, random_move(fight, rng))
    assert GAME.here(fight) == battles().here(fight.battle)
    leads = [(GAME.place_of(fight, one), one) for one in GAME.actions(fight)]
    assert all(place == battles().place_of(fight.battle, one) for place, one in leads)
    assert any(place is not None for place, _ in leads) or len(leads) == 1
    assert GAME.names(fight) == battles().names(fight.battle)
    assert GAME.names(camp).keys() == {member.name for member in camp.party}


def test_how_a_battle_ended_is_told():
    words = {(PARTY,): "won", (FOES,): "lost", (): "broken off"}
    seen, rng = set(), np.random.default_rng(4)
    for foes in ("dogs", "raiders") * 8:
        state = quest(TrialEffect(f"battle {foes}"), given=setup())
        while state.battle is not None:
            before, move = state, random_move(state, rng)
            state = GAME.apply(state, move)
        *_, (_, _, last) = battle_moves(before.battle, move)
        told = GAME.tell(before, step(before, move, state))
        assert f"The battle with the {foes} is {words[last.winners]}" in told
        seen.add(last.winners)
    assert {(PARTY,), (FOES,)} <= seen


def test_the_way_of_the_party_has_a_frame_for_each_day():
    record = campaign(root=1)
    ways = GAME.trajectories(record)
    days = {state.day for state in record.states}
    assert len(ways.frames) == len(days)
    (track,) = ways.tracks
    assert track.places[0] == (0, ways.final.point((0, 0)))
    assert track.places[-1][1] == ways.final.point(record.final.place)
    for earlier, later in pairwise(ways.frames):
        assert later.path[: len(earlier.path)] == earlier.path
    assert ways.frames[-1].path[0] == ways.final.point((0, 0))
    known = [len(frame.state.state.chart.squares) for frame in ways.frames]
    assert known == sorted(known)


def test_a_film_grows_with_the_map():
    record = campaign(root=1, days=3)
    images = list(Film(GAME.trajectories(record), painter(GAME)))
    assert len({image.shape for image in images}) == 1
    assert len({image.tobytes() for image in images}) == len(images)


@pytest.mark.parametrize(("chart", "has_edges"), [("0,0o 1,0p", False), ("0,0o 5,0w", True)])
def test_the_legend_names_all_grounds_and_the_edges_that_are_shown(chart, has_edges):
    state = quest(chart=parse_chart(chart), place=(0, 0))
    legend = painter(GAME).legend(KnownLand(state, *state.chart.grids))
    names = ["open land", "woods", "village", "shore", "water", "line: edge of a grid"]
    assert [entry.get_label() for entry in legend] == names[: 5 + has_edges]


@pytest.mark.parametrize(("chart", "ticks"), [("0,0o", "-3 0 3"), ("0,0o 5,0w", "-3 0 3 6 9 12")])
def test_the_axes_have_several_ticks(chart, ticks):
    state, ax = quest(chart=parse_chart(chart), place=(0, 0)), Figure().subplots()
    painter(GAME).draw_ground(KnownLand(state, *state.chart.grids), ax)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ticks.split()


def test_a_campaign_that_has_not_begun_has_a_picture():
    canvas = scenario_figure(GAME.scenario("ten_days"), painter(GAME))
    assert "roland" in [text.get_text() for text in canvas.axes[0].texts]
