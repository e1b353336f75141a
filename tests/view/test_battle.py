"""Battles as recordings: pieces are where the states have them, and what is hidden from a viewer is not in the page."""

import json

import numpy as np
import pytest

from brickphys.battles.battle import play
from brickphys.rules.registry import builder, game, games
from brickphys.units import STUD_MM
from brickphys.view.battle import battle_recording
from brickphys.view.builder import PieceTracks, PlacedShape
from brickphys.view.document import STEP_MM, document, page, text_of
from brickphys.view.solids import stud
from tests.view.recording_check import check_recording

MOST_BYTES = 5_000_000
"""Of the page of a skirmish of ten rounds."""


def recorded(name, setup, viewer=None, **options):
    played = play(name, setup, "random", seed=2, **options)
    more = {} if viewer is None else {"viewer": viewer}
    trajectories = game(name).trajectories(played.record, **more)
    return trajectories, battle_recording(trajectories, builder(game(name)), name)


def end_of(thing):
    return np.array(thing["at"][-3:]) * STEP_MM


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(games()))
def test_every_game_that_ships_is_shown_in_three_dimensions(name):
    for setup in game(name).setups:
        _, found = recorded(name, setup, max_steps=60)
        check_recording(document(found))
        assert len(found.things) > 2


def test_the_document_of_a_battle_fulfils_its_schema():
    _, found = recorded("bow", "duel", max_steps=30)
    check_recording(document(found))


def test_both_figures_of_a_duel_have_a_name_of_their_own():
    _, found = recorded("bow", "duel", max_steps=1)
    assert {thing.label for thing in found.things} >= {"red trooper", "blue trooper"}


@pytest.mark.parametrize("name", sorted(games()))
def test_the_names_at_the_edges_are_those_that_actions_use(name):
    trajectories, found = recorded(name, next(iter(game(name).setups)), max_steps=1)
    built, ruler, state = builder(game(name)), found.ruler, trajectories.frames[0].state
    assert (ruler.width, ruler.length) == tuple(built.size(state))
    assert ruler.unit_mm == built.unit_mm
    if not ruler.columns:
        assert game(name).place_name(state, (5.0, 6.0)) == "5.00 6.00"
        return
    for x, y in ((0, 0), (len(ruler.columns) - 1, len(ruler.rows) - 1)):
        said = game(name).place_name(state, (x + 0.5, y + 0.5))
        assert said in (f"{ruler.columns[x]},{ruler.rows[y]}", f"{ruler.columns[x]}{ruler.rows[y]}")


def test_figures_end_where_the_last_state_has_them():
    trajectories, found = recorded("bow", "duel", max_steps=80)
    final = trajectories.final
    things = {thing["id"]: thing for thing in document(found)["things"]}
    for unit, _ in final.in_play():
        x, y, _ = final.stance(unit)
        name = final.setting.units[unit].name
        assert end_of(things[name])[:2] == pytest.approx((x * STUD_MM, y * STUD_MM), abs=STEP_MM)


def test_each_event_is_told_when_its_frame_begins():
    trajectories, found = recorded("bow", "duel", max_steps=80)
    assert [event.text for event in found.events] == [frame.text for frame in trajectories.frames]
    times = [event.at_ms for event in found.events]
    assert times == sorted(set(times))


@pytest.mark.slow
def test_what_is_hidden_from_a_viewer_is_not_in_the_page():
    """Ranks that the Greeks chose at Marathon: as many figures stand on a base as without any, for the Persians."""
    played = play("blade_and_bow", "marathon", "random", seed=1, max_steps=150)
    one = game("blade_and_bow")
    shown = one.trajectories(played.record, viewer=1)
    hidden = [
        number
        for number, unit in enumerate(shown.final.units)
        if unit.ranks < 0 and unit.square is not None
    ]
    assert hidden
    told = text_of(battle_recording(shown, builder(one), "marathon"))
    things = {thing["id"]: thing for thing in json.loads(told)["things"]}
    for number in hidden:
        name = shown.final.setting.units[number].name
        looks = [thing for key, thing in things.items() if key.startswith(f"{name}/figures")]
        sizes = {len(thing["copies"]["at"]) // 3 for thing in looks if thing.get("copies")}
        counter = shown.final.setting.units[number].counter
        assert sizes <= {2, 3, 4, 8}, (name, counter.name)


@pytest.mark.slow
def test_a_skirmish_of_ten_rounds_is_small():
    played = play("bow", "skirmish", "greedy", seed=4)
    trajectories = game("bow").trajectories(played.record)
    first = trajectories.during(0, 10)
    assert (
        len(page(battle_recording(first, builder(game("bow")), "skirmish")).encode()) < MOST_BYTES
    )


def test_a_thing_goes_along_its_way():
    tracks, shape = PieceTracks(), stud("red")
    tracks.update([PlacedShape("a", shape)], (), 0, 100)
    way = ((0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (10.0, 10.0, 0.0))
    tracks.update([PlacedShape("a", shape, (10.0, 10.0, 0.0), 90.0)], way, 200, 300)
    (thing,) = tracks.things(400)
    corner = np.flatnonzero(thing.track.times_ms == 250)
    assert thing.track.poses[corner[0], :2].tolist() == [10.0, 0.0]
    assert thing.track.times_ms[0] == 0
    assert thing.track.times_ms[-1] == 300
    assert thing.shown_ms is None


def test_a_thing_is_seen_from_when_it_comes_to_when_it_goes():
    tracks, shape = PieceTracks(), stud("red")
    tracks.update([], (), 0, 100)
    tracks.update([PlacedShape("a", shape)], (), 200, 300)
    tracks.update([], (), 400, 500)
    (thing,) = tracks.things(1000)
    assert thing.shown_ms == ((300, 500),)


def test_a_thing_that_changes_its_looks_stays_what_carries_others():
    tracks = PieceTracks()
    for number, colour in enumerate(("red", "blue")):
        carrier = PlacedShape("a", stud(colour), (float(number), 0.0, 0.0))
        tracks.update(
            [carrier, PlacedShape("b", stud("white"), parent="a")],
            (),
            200 * number,
            200 * number + 100,
        )
    things = {thing.id: thing for thing in tracks.things(1000)}
    assert set(things) == {"a", "a (1)", "a (2)", "b"}
    assert things["b"].parent == things["a (1)"].parent == "a"
    assert things["a (1)"].shown_ms == ((0, 300),)
    assert things["a (2)"].shown_ms == ((300, 1000),)


def test_a_thing_that_is_carried_by_another_is_another_thing():
    tracks, shape = PieceTracks(), stud("red")
    both = [PlacedShape("a", shape), PlacedShape("b", shape)]
    tracks.update([*both, PlacedShape("c", shape, parent="a")], (), 0, 100)
    tracks.update([*both, PlacedShape("c", shape, parent="b")], (), 200, 300)
    things = {thing.id: thing for thing in tracks.things(1000)}
    assert things["c"].shown_ms == ((0, 300),)
    assert things["c in place 2"].parent == "b"
