"""Pictures of scenarios, and of the ways of units in a battle."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import RegularPolygon

from brickphys.bow.game import Bow
from brickphys.bow.scenario import scenario_report
from brickphys.bow.scene import aim_areas, battle_scene
from brickphys.bow.story import ending, sentence, tracks, trajectories, turns
from brickphys.odds.law import BinomialLaw
from brickphys.plots.battle import scenario_figure, trajectories_figure
from brickphys.plots.film import MOST_FRAMES, Film
from brickphys.plots.games.bow import BowPainter, figures
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import Ending
from brickphys.rules.replay import play_back, read_replay
from brickphys.rules.scenario import NamedArea
from brickphys.rules.sources import LawSource

GOLDEN = Path(__file__).parents[2] / "golden"


def drawn(record):
    return trajectories_figure(trajectories(record), BowPainter())


@pytest.fixture(scope="module")
def battle():
    return play_back(Bow(), read_replay(GOLDEN / "bow_ambush.jsonl"))


@pytest.fixture(scope="module")
def duel():
    game, law = Bow(), BinomialLaw(Fraction(1, 4))
    bots = [RandomBot(), RandomBot()]
    return play(game, game.setups["duel"], bots, LawSource(law, 37), root=37)


def test_ways_begin_in_rings_and_end_in_crosses(battle):
    (ax,) = drawn(battle).axes
    ways = tracks(battle)
    markers = [line.get_marker() for line in ax.lines]
    on_foot = [figure.stud is not None for figure in battle.initial.units]
    begins = sum(on_foot) + len(battle.initial.vehicles)
    assert 0 < sum(on_foot) < len(on_foot)
    assert markers.count("o") == begins
    assert markers.count("X") == sum(bool(track.end) for track in ways if track.places)
    shown = " ".join(text.get_text() for text in ax.texts)
    for track in ways:
        assert not track.end or f"round {track.end_round}" in shown


def test_whoever_fell_is_named_with_his_round_and_the_colours_are_explained(battle):
    canvas = drawn(battle)
    (ax,), (legend,) = canvas.axes, canvas.legends
    shown = [text.get_text() for text in ax.texts]
    names = battle.initial.setting.players
    for track in tracks(battle):
        if track.end and track.places:
            short = track.name.removeprefix(f"{names[track.player]}_").replace("_", " ")
            assert any(text.startswith(short) and "round" in text for text in shown), track.name
    told = [text.get_text() for text in legend.get_texts()]
    assert told[:2] == list(names)
    assert any(text.endswith((" bricks", " plates")) for text in told[2:])


def test_no_label_is_on_another_or_on_a_figure(battle):
    canvas = drawn(battle)
    (ax,), agg = canvas.axes, FigureCanvasAgg(canvas)
    agg.draw()
    boxes = [
        text.get_window_extent(agg.get_renderer()) for text in ax.texts if len(text.get_text()) > 2
    ]
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for figure in figures(battle.final):
        x, y = ax.transData.transform((figure.x, figure.y))
        assert not any(box.contains(x, y) for box in boxes)


def test_no_label_is_on_the_number_of_a_round(duel):
    canvas = drawn(duel)
    (ax,), agg = canvas.axes, FigureCanvasAgg(canvas)
    agg.draw()
    boxes = {text: text.get_window_extent(agg.get_renderer()) for text in ax.texts}
    numbers = [text for text in boxes if text.get_text().isdecimal()]
    assert numbers
    for text in boxes:
        assert text in numbers or not any(boxes[text].overlaps(boxes[one]) for one in numbers)


def test_the_heading_tells_how_the_battle_has_ended(battle, duel):
    broken = replace(duel, ending=Ending.LIMIT)
    for record, told in ((battle, " win"), (duel, "After"), (broken, "was broken off in round")):
        (heading,) = (text.get_text() for text in drawn(record).texts)
        assert ending(record) in heading.replace("\n", " ")
        assert told in heading


def test_what_lies_about_is_drawn_with_its_name(duel):
    thrown = replace(duel.final, objects=((3, "key"), (3, "sword"), (20, "key")))
    (ax,) = drawn(replace(duel, steps=(*duel.steps[:-1], last(duel, thrown)))).axes
    shown = [text.get_text() for text in ax.texts]
    assert {"key, sword", "key"} <= set(shown)
    diamonds = [patch.xy for patch in ax.patches if isinstance(patch, RegularPolygon)]
    assert diamonds == [thrown.setting.field.stances[stud][:2] for stud in (3, 20)]


def last(record, state):
    return replace(record.steps[-1], after=state)


def test_who_sits_in_a_seat_that_is_not_called_after_him_is_named(battle):
    labels = set()
    for state in battle.states:
        labels |= {label.text for label in BowPainter().pieces(state).labels}
        setting, vehicles = state.setting, battle_scene(state).of("vehicle")
        for piece, number in zip(vehicles, state.vehicles_left, strict=True):
            for unit, told in zip(state.occupants(number), piece.what.crew, strict=True):
                seat, name = state.seat_of(unit)[1].name, setting.units[unit].name
                own = name == f"{piece.name}_{seat}"
                assert told == seat if own else told.startswith(f"{seat}: ")
    assert any("driver: " in label or "pilot: " in label for label in labels), labels


def test_areas_are_named_by_their_aims_and_all_are_there():
    aims = [
        {"kind": "reach", "player": "red", "area": [0, 0, 2, 2]},
        {"kind": "hold", "player": "red", "area": [4, 0, 2, 2], "rounds": 1},
        {"kind": "hold", "player": "blue", "area": [4, 0, 2, 2], "rounds": 1},
        {"kind": "rounds", "rounds": 5},
    ]
    found = aim_areas({"aims": aims}, {"gate": [4, 0, 2, 2], "yard": [8, 8, 1, 1]})
    assert set(found) == {
        NamedArea("gate, aim of red and blue", 4, 0, 2, 2),
        NamedArea("yard", 8, 8, 1, 1),
        NamedArea("aim of red", 0, 0, 2, 2),
    }
    assert [area.name for area in aim_areas({"aims": aims})] == [
        "aim of red",
        "aim of red and blue",
    ]


def test_the_areas_of_the_aims_are_framed_with_whose_they_are():
    game, law = Bow(), BinomialLaw(Fraction(1, 4))
    bots = [RandomBot(), RandomBot()]
    record = play(game, game.setups["princess"], bots, LawSource(law, 2), root=2, max_steps=30)
    assert aim_areas(record.setup) == (NamedArea("aim of rescuers", 0, 11, 3, 5),)
    (ax,) = drawn(record).axes
    assert "aim of\nrescuers" in [text.get_text() for text in ax.texts]


def test_the_frames_of_a_turn_are_its_actions_and_tell_all_of_it(duel):
    frames, told = trajectories(duel).frames, list[str]()
    for frame in frames:
        told += frame.text.rstrip(".").partition(": ")[2].split("; ")
    whole = [sentence(turn).rstrip(".") for turn in turns(duel) if turn.unit is not None]
    events = [event for text in whole for event in text.partition(": ")[2].split("; ")]
    assert told[-len(events) :] == events
    assert len(frames) > len(whole)


def test_a_film_shows_every_frame_and_the_pieces_of_no_other(duel):
    shown = list(turns(duel))
    film = Film(trajectories(duel), BowPainter())
    images = list(film)
    assert len(images) + film.left_out == len(trajectories(duel).frames) <= MOST_FRAMES
    assert {image.shape for image in images} == {images[0].shape}
    last = replace(duel, initial=shown[-1].before, steps=shown[-1].steps)
    *_, alone = Film(trajectories(last), BowPainter())
    field = slice(90, None)  # below the captions, which tell what is left out
    assert np.array_equal(images[-1][field], alone[field])
    assert not np.array_equal(images[-2][field], alone[field])


def test_many_units_are_called_by_the_letters_of_the_map():
    painter, game = BowPainter(), Bow()
    few, many = (game.initial(game.setups[name]) for name in ("duel", "skirmish"))
    assert painter.called(few, "red_trooper") == "trooper"
    assert painter.called(many, "red_archer_2") == "G"
    assert {len(label.text) for label in painter.pieces(many).labels} == {1}
    assert "B to E: swordsman" in painter.signs(many)
    assert "Letters" not in painter.signs(few)


KEY = """
title = "The lost key"
players = [{ name = "robbers" }, { name = "guards" }]
map = '''
..........T.
.R...#......
.....+...k..
.R...#...G..
..-------...
'''
[legend]
R = { unit = "swordsman", player = "robbers" }
G = { unit = "knight", player = "guards" }
k = { item = "key", area = "den" }
[[aims]]
kind = "carry"
player = "robbers"
item = "key"
area = [0, 0, 2, 5]
"""


@pytest.fixture(params=["lost_key.toml", "princess"])
def report(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lost_key.toml").write_text(KEY)
    return scenario_report(request.param)


def scenario_labels(report):
    canvas = scenario_figure(report, BowPainter())
    agg = FigureCanvasAgg(canvas)
    agg.draw()
    (ax,) = canvas.axes
    return ax, {text: text.get_window_extent(agg.get_renderer()) for text in ax.texts}


def test_aims_named_areas_and_things_are_named(report):
    _, boxes = scenario_labels(report)
    named = {
        "The lost key": {"aim of robbers", "den", "key"},
        "The princess in the castle": {"wood, aim of rescuers"},
    }
    assert named[report.title] <= {text.get_text().replace("\n", " ") for text in boxes}


def test_no_label_is_on_a_head_or_on_another_label(report):
    ax, boxes = scenario_labels(report)
    labels = [box for text, box in boxes.items() if text.get_fontstyle() != "italic"]
    assert not any(one.overlaps(other) for one, other in combinations(labels, 2))
    for figure in figures(report.state):
        head = ax.transData.transform((figure.x, figure.y))
        assert not any(box.contains(*head) for box in labels)
