"""A battle that is recorded while it is played shows, step by step, what its replay shows at the end."""

from dataclasses import replace

import numpy as np
import pytest

from brickphys.battles.battle import play
from brickphys.rules.record import CHANCE, Ending
from brickphys.rules.registry import game
from brickphys.view.battle import LiveBattle
from brickphys.view.document import document
from brickphys.view.recording import Event, SceneRecording

GAMES = [
    ("bow", "duel", "greedy1"),
    *(
        pytest.param(*names, marks=pytest.mark.slow)
        for names in (
            ("minifig", "duel", "random"),
            ("pirate_wars", "duel", "random"),
            ("blade_and_bow", "marathon", "random"),
        )
    ),
]
"""Game, setup, bots."""
STEPS = 120


def played(name, setup, bots, seed=5):
    """Return a game and the record of its beginning."""
    battle = play(name, setup, bots, seed=seed, max_steps=STEPS)
    return battle.game, battle.record


def cut(record, count):
    """Return the first steps of a game."""
    if count == len(record.steps):
        return record
    return replace(record, steps=record.steps[:count], ending=Ending.INTERRUPTED, returns=None)


def lasts(things, end_ms=10**9):
    """Return where each thing is at last, in its frame, if it is seen."""
    found = {}
    for thing in things:
        spans = thing.shown_ms
        if spans is None or spans[-1][1] >= end_ms:
            found[thing.id] = (thing.shape.name, thing.parent, *thing.track.poses[-1].round(6))
    return found


@pytest.fixture(scope="module")
def duel():
    """Return a game and the record of its beginning, of which tests see parts."""
    return played("bow", "duel", "greedy1")


def live_at(game, record, count=0):
    """Return what is seen of the first steps of a game."""
    return LiveBattle(game, cut(record, count), None, "a battle")


def grown(played_game, record, viewer=None, every=1):
    """Return the things and events of a recording that grew as often as somebody was to act."""
    live = LiveBattle(played_game, cut(record, 0), viewer, "a battle")
    begun = live.whole()
    things, events = {thing.id: thing for thing in begun.things}, list(begun.events)
    for count in range(1, len(record.steps) + 1, every):
        part = live.extended(cut(record, count))
        assert part is not None
        things |= {thing.id: thing for thing in part.things}
        events += part.events
    return live, things, events


@pytest.mark.parametrize(("name", "setup", "bots"), GAMES)
def test_what_grew_ends_where_the_whole_ends(name, setup, bots):
    played_game, record = played(name, setup, bots)
    live, things, events = grown(played_game, record)
    end = live.steps
    assert end > 0.5 * len(record.steps)
    whole = LiveBattle(played_game, cut(record, end), None, "a battle").whole()
    found, expected = lasts(things.values()), lasts(whole.things)
    assert {spot[3:6] for spot in found.values()} == {spot[3:6] for spot in expected.values()}
    assert [event.at_ms for event in events] == sorted(event.at_ms for event in events)
    assert all(event.text for event in events)


def test_the_story_of_a_duel_is_that_of_its_replay(duel):
    played_game, record = duel
    _, _, events = grown(played_game, record)
    story = [frame.text for frame in played_game.trajectories(record).frames]
    told = " ".join(event.text for event in events)
    acts = [text for text in story if "waits" not in text]
    assert len(acts) > 3
    for text in acts:
        for clause in text.rstrip(".").partition(": ")[2].split("; "):
            assert clause in told


def test_what_is_known_already_is_not_sent_again(duel):
    _, record = duel
    live = live_at(*duel)
    known = {thing.shape.name for thing in live.whole().things}
    part = live.extended(record)
    assert len(part.things) < 40
    assert not known & document(part, known)["shapes"].keys()
    again = live.extended(record)
    assert again.things == again.events == again.marks == ()


@pytest.mark.slow
def test_steps_that_were_taken_back_need_a_new_recording(duel):
    _, record = duel
    live = live_at(*duel, len(record.steps))
    assert live.extended(cut(record, live.steps - 1)) is None


@pytest.mark.parametrize(("name", "setup", "bots"), GAMES)
def test_places_of_actions_lie_where_the_pieces_stand(name, setup, bots):
    """The unit that acts is at its own place; a place lies on the field."""
    played_game, record = played(name, setup, bots)
    met = 0
    for count, state in enumerate(record.states[:-1]):
        actor = played_game.actor(state)
        if actor == CHANCE or count % 12:
            continue
        live = LiveBattle(played_game, cut(record, count), None, "a battle")
        width, length = (side * live.builder.unit_mm for side in live.builder.size(live.scene))
        for action in played_game.actions(state)[:60]:
            at = live.place_mm(played_game.place_of(state, action))
            if at is not None:
                assert 0 <= at[0] <= width
                assert 0 <= at[1] <= length
        here = live.place_mm(played_game.here(state))
        if here is not None:
            tops = [one.at_mm for one in live.builder.pieces(state) if not one.parent]
            near = min(abs(x - here[0]) + abs(y - here[1]) for x, y, _ in tops)
            assert near < 0.05 * live.builder.unit_mm + 1e-6 or name == "pirate_wars"
            met += 1
    assert met or name == "pirate_wars"


@pytest.mark.slow
def test_hidden_ranks_are_shown_to_their_player_alone():
    played_game, record = played("blade_and_bow", "marathon", "random")

    def labels(viewer):
        things = LiveBattle(played_game, record, viewer, "a battle").whole().things
        return {thing.label for thing in things if thing.label}

    assert labels(0) != labels(1)
    assert not {label for label in labels(None) if "?" not in label} > labels(0)


@pytest.mark.slow
def test_the_field_of_a_campaign_grows_with_what_is_known():
    campaign = game("campaign")
    record = play("campaign", "ten_days", "random", seed=2, max_steps=120).record
    live = LiveBattle(campaign, cut(record, 0), None, "a campaign")
    live.whole()
    parts = [live.extended(cut(record, count)) for count in range(1, 40)]
    assert any(part is None or part.events for part in parts)


def fall(lasts_ms):
    """Return a recording of bricks that fall, without any."""
    text = "Thrown: 6 bricks."
    events = (Event(0, "", text), Event(lasts_ms, "", "1 of 6 on a side."))
    return SceneRecording("a roll", "", lasts_ms, 0.5, True, (), events, ())


def test_bricks_fall_before_what_comes_of_their_roll(duel):
    _, record = duel
    rolls = [n for n, step in enumerate(record.steps) if step.actor == CHANCE]
    live = live_at(*duel)
    live.whole()
    for number in rolls[:2]:
        live.rolled(number, fall(400))
    part = live.extended(cut(record, rolls[1] + 2))
    first, second = live.falls()
    assert [event.text for event in part.events[:2]] == ["Thrown: 6 bricks."] * 2
    assert [first.start_ms, second.start_ms] == [event.at_ms for event in part.events[:2]]
    assert first.stop_ms == second.start_ms == first.start_ms + 800
    assert second.stop_ms == part.duration_ms > part.events[2].at_ms == second.start_ms + 800
    assert live.falls() == []


def test_bricks_of_a_choice_that_is_not_whole_wait_for_it(duel):
    _, record = duel
    live = live_at(*duel)
    live.rolled(len(record.steps) - 1, fall(400))
    live.extended(cut(record, 4))
    assert live.falls() == []
    live.extended(record)
    assert len(live.falls()) == (live.steps == len(record.steps))


def test_at_first_the_units_are_in_view_and_as_the_last_view_the_whole_field(duel):
    live = live_at(*duel)
    width, length = (side * live.builder.unit_mm for side in live.builder.size(live.scene))
    first, *_, last = live.whole().views
    assert (last.low_mm[:2], last.high_mm[:2]) == ((0.0, 0.0), (width, length))
    units = [one.at_mm for one in live.builder.pieces(live.scene) if one.tag]
    for x, y, _ in units:
        assert first.low_mm[0] < x < first.high_mm[0]
        assert first.low_mm[1] < y < first.high_mm[1]
    wide = max(abs(one[0] - other[0]) for one in units for other in units)
    room_mm = 2 * max(4 * live.builder.unit_mm, 0.1 * max(width, length))
    assert first.high_mm[0] - first.low_mm[0] <= wide + room_mm


def test_a_ring_is_only_where_a_piece_stands():
    bow, record = played("bow", "ambush", "random")
    live = LiveBattle(bow, record, None, "a battle")
    pieces = [one for one in live.builder.pieces(live.scene) if not one.parent]
    stands = {one.at_mm for one in pieces if one.tag}
    lies = next(one.at_mm for one in pieces if one.label == "sword")
    assert lies not in stands
    assert live.reaches_mm([lies]) == [0.0]
    x, y, z = next(iter(stands))
    around = {(x + 8, y, z), (x, y - 8, z), (x - 16, y, z)} - stands
    assert live.reaches_mm([(x, y, z)])[0] > 4
    assert not any(live.reaches_mm(list(around)))


def test_a_whole_recording_says_how_places_are_named_and_what_is_added_does_not(duel):
    _, record = duel
    live = live_at(*duel)
    assert live.whole().ruler == live.builder.ruler(live.scene)
    assert live.extended(record).ruler is None


def test_a_unit_that_was_only_chosen_is_not_told_to_wait(duel):
    _, record = duel
    number = next(n for n, step in enumerate(record.steps) if step.text.startswith("unit "))
    live = live_at(*duel, number)
    live.whole()
    assert live.extended(cut(record, number + 1)).events == ()
    assert live.extended(record).events


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize(
    ("name", "setup"),
    [
        ("bow", "skirmish"),
        ("minifig", "siege"),
        ("pirate_wars", "chase"),
        ("blade_and_bow", "mycale"),
    ],
)
def test_at_first_the_own_side_is_the_nearest(name, setup, viewer):
    chosen = game(name)
    battle = play(name, setup, "random", seed=1, max_steps=1)
    live = LiveBattle(chosen, cut(battle.record, 0), viewer, "a battle")
    azimuth = np.radians(live.whole().views[0].azimuth_deg)
    by = {True: [], False: []}
    for one in live.builder.scene(live.scene).pieces:
        if one.player >= 0 and not one.parent:
            nearness = np.dot(one.at, (np.cos(azimuth), np.sin(azimuth)))
            by[one.player == viewer].append(nearness)
    assert np.mean(by[True]) > np.mean(by[False])


@pytest.mark.parametrize("viewer", [0, 1])
def test_at_first_a_field_that_is_far_deeper_than_wide_lies_across(viewer):
    battle = play("bow", "chase", "random", seed=1, max_steps=1)
    live = LiveBattle(game("bow"), cut(battle.record, 0), viewer, "a battle")
    views = live.whole().views
    assert views[0].name == "from the south"
    assert len({one.name for one in views}) == len(views)
