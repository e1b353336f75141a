"""A preview equals what then happens, and knows only what its player sees."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from brickphys.bow.actions.collision import CrashRoll, EndOfMove, RunOver
from brickphys.odds.law import BinomialLaw
from brickphys.pirate_wars.state import Fate
from brickphys.rules.action_odds import action_odds
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.players.preview import preview, turned
from brickphys.rules.players.prompt import Asked, listed
from brickphys.rules.record import with_options
from brickphys.rules.registry import game
from brickphys.rules.sources import LawSource
from tests.cases import few_rows

LAW = BinomialLaw(Fraction(3, 10))
CASES = few_rows(
    [
        *(("bow", "chase"), ("bow", "ambush"), ("pirate_wars", "duel"), ("minifig", "skirmish")),
        *(("blade_and_bow", "mycale"), ("blade_and_bow", "marathon"), ("bow", "duel")),
    ],
    5,
)
STEPS = {"bow": 250, "pirate_wars": 250, "minifig": 50, "blade_and_bow": 250}


def asked_in(one, state, seed=0):
    view = one.observe(state, one.actor(state))
    return Asked(one, view, one.actions(state), np.random.default_rng(seed), LAW)


def chosen(name, setup, player="random", **options):
    """Return the game, and what players chose in it, each with the state before."""
    one = game(name)
    given = with_options(one.setups[setup], options)
    bots = [bot(player, one, LAW)] * one.players(one.initial(given))
    record = play(one, given, bots, LawSource(LAW, 1), root=1, max_steps=STEPS[name])
    pairs = zip(record.states, record.steps, strict=False)
    return one, [(state, step.move) for state, step in pairs if step.actor >= 0]


def poses(one, state):
    return {piece.id: piece.pose for piece in one.scene(state).pieces}


@pytest.mark.parametrize(("name", "setup"), CASES)
def test_pieces_go_where_a_preview_says_and_rolls_have_its_odds(name, setup):
    one, choices = chosen(name, setup)
    moved = 0
    for state, action in choices:
        asked, after = asked_in(one, state), one.apply(state, action)
        found = preview(asked, [action])
        before, ends = poses(one, state), poses(one, after)
        driven = {way.id for way in one.drives(state, action)}
        for way in found.ways:
            assert way.is_later or way.poses[0] == before[way.id]
            if not way.is_later and way.id not in driven:
                assert way.poses[-1] == ends[way.id]
                moved += 1
        odds = action_odds(one, asked.states, [action], LAW, with_parts=False)
        assert list(found.rolls) == odds or (not odds and any(way.is_later for way in found.ways))
    assert moved or name == "pirate_wars"


@pytest.mark.parametrize("setup", ["chase", "ambush"])
def test_a_compulsory_move_ends_and_hits_as_told(setup):
    one, choices = chosen("bow", setup)
    rng, seen, hit = np.random.default_rng(3), 0, 0
    for state, action in choices:
        asked = asked_in(one, state)
        after = one.apply(state, action)
        for way in preview(asked, [action]).ways:
            if not way.id.startswith("vehicle") or not (way.swept or way.is_later):
                continue
            end = one.apply(after, one.goes_on(after)) if way.is_later else after
            rolls = [one for one in end.pending if getattr(one, "vehicle", "") == way.name]
            rolled = [one.unit for one in rolls if isinstance(one, RunOver)]
            rolled += [one.other for one in rolls if isinstance(one, CrashRoll)]
            named = {*end.setting.unit_numbers, *end.setting.vehicle_numbers}
            assert [name for name, *_ in way.hits if name in named] == [*filter(None, rolled)]
            hit += len(rolled)
            while any(isinstance(one, EndOfMove) for one in end.pending):
                law = list(one.chance(end).law(LAW))
                end = one.apply(end, law[int(rng.integers(len(law)))])
            now = end.vehicles[end.setting.vehicle_numbers[way.name]]
            if not now.gone and (end.pending or not rolled):
                assert way.poses[-1] == (now.x_studs, now.y_studs, now.heading_deg)
                seen += 1
    assert seen > 5
    assert hit > 2


def test_a_ship_sails_and_rams_as_told():
    one, choices = chosen("pirate_wars", "duel", "greedy1")
    seen = rams = 0
    for state, action in ((each, act) for each, _ in choices for act in one.actions(each)):
        after = action.apply(state)  # before the next ship begins its move by itself
        for way in one.drives(state, action):
            now = after.ships[state.setting.ship_numbers[way.name]]
            rammed = {*after.lashed} - {*state.lashed}
            if now.fate is not Fate.LEFT:
                assert way.poses[-1] == pytest.approx(now.pose)
                seen += 1
            assert bool(way.hits) >= bool(rammed)
            for hull, ends in zip(way.swept, pairwise(way.poses), strict=True):
                middles = [pose.centre_studs for pose in ends]
                assert (np.min(hull, axis=0) <= middles).all()
                assert (np.max(hull, axis=0) >= middles).all()
            rams += bool(rammed)
    assert seen > 50
    assert rams > 1


@pytest.mark.parametrize(
    ("name", "setup", "options"),
    [("blade_and_bow", "mycale", {}), ("pirate_wars", "duel", {"simultaneous": True})],
)
def test_a_preview_knows_no_more_than_the_player(name, setup, options):
    one, choices = chosen(name, setup, **options)
    rng = np.random.default_rng(1)
    for state, action in choices[::5]:
        other = one.alternative(state, one.actor(state), rng)
        if one.problems(other, action):
            continue
        first, second = (preview(asked_in(one, each), [action]) for each in (state, other))
        again = preview(asked_in(one, state, seed=7), [action])
        assert first == second
        assert (first.ways, first.lane) == (again.ways, again.lane)


@pytest.mark.parametrize(
    ("name", "setup", "word"),
    [
        *(("bow", "duel", "face"), ("bow", "chase", "turn"), ("pirate_wars", "duel", "turn")),
        *(("minifig", "duel", "go"), ("blade_and_bow", "mycale", "face")),
    ],
)
def test_choices_that_turn_a_piece_lead_to_the_heading_that_is_told(name, setup, word):
    one, choices = chosen(name, setup)
    words = set[str]()
    for state, _ in choices[:60]:
        asked = asked_in(one, state)
        found = listed(asked)
        for number, (heading_deg, _) in turned(asked, found).items():
            words.add(found[number].text.partition(" ")[0])
            (action,) = found[number].actions
            ends = {way.poses[-1].heading_deg for way in one.drives(state, action)}
            ends |= {pose.heading_deg for pose in poses(one, one.apply(state, action)).values()}
            assert any((end - heading_deg) % 360.0 == pytest.approx(0.0) for end in ends)
    assert word in words


def test_a_leader_faces_nowhere_and_a_unit_somewhere():
    one, choices = chosen("blade_and_bow", "marathon")
    told = {
        one.format_action(action): preview(asked_in(one, state), [action]).lines[0]
        for state, action in choices
    }
    leaders = [line for text, line in told.items() if text.startswith("station ")]
    units = [line for text, line in told.items() if text.startswith("go ")]
    assert leaders
    assert not any("facing" in line for line in leaders)
    assert any("facing" in line for line in units)


def test_facings_of_a_place_are_dragged_there_whatever_action_leads_to_them():
    one, choices = chosen("blade_and_bow", "mycale")
    asked = next(
        asked
        for state, move in choices
        if one.format_action(move).startswith("reverse_at")
        for asked in [asked_in(one, state)]
    )
    found = listed(asked)
    at = {
        number: found[number].place
        for number, (_, is_here) in turned(asked, found).items()
        if not is_here
    }
    words = {at[number]: set[str]() for number in at}
    for number, place in at.items():
        words[place].add(found[number].text.partition(" ")[0])
    assert {"go", "reverse_at"} in words.values()
    for place in words:
        assert sum(one.place == place for one in found) == [*at.values()].count(place) > 1


def test_a_preview_tells_which_ranks_a_move_reveals():
    one, choices = chosen("blade_and_bow", "marathon")
    told = 0
    for state, action in choices:
        after, player = one.apply(state, action), one.actor(state)
        shown = [
            f"ranks of {state.unit_name(number)} are revealed (BB 2.3.2.8)"
            for number, (was, now) in enumerate(zip(state.units, after.units, strict=True))
            if now.seen and not was.seen and state.player_of(number) == player
        ]
        lines = preview(asked_in(one, state), [action]).lines
        assert [line for line in lines if "revealed" in line] == shown
        told += len(shown)
    assert told
