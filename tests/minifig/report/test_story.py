"""Stories of battles, their sentences step by step, and the ways of their figures."""

import re
from functools import lru_cache
from itertools import pairwise, takewhile
from math import dist

import numpy as np
import pytest

from brickphys.minifig.actions import TakeFigure
from brickphys.minifig.game import Minifig
from brickphys.minifig.melee import MeleeRoll
from brickphys.minifig.sentences import roll_clause, way_of
from brickphys.minifig.setting import WallSpec, Zone, ZoneKind
from brickphys.minifig.shooting import MeleeHitRoll, ShotRoll
from brickphys.minifig.state import FigureStep as Stage
from brickphys.minifig.story import FigureRun, beats, path, shots, step_text
from brickphys.odds.law import BinomialLaw
from brickphys.plots.battle import trajectories_figure
from brickphys.plots.film import Film
from brickphys.plots.games.minifig import MinifigPainter
from brickphys.rules.play import play
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import CHANCE, Step
from brickphys.rules.sources import LawSource
from tests.minifig.small_battle import battle, fighter, read

GAME = Minifig()


@lru_cache
def played(seed, name="skirmish", max_steps=400):
    setup = GAME.setups[name]
    law = LawSource(BinomialLaw(0.4), seed)
    return play(GAME, setup, [RandomBot()] * 2, law, root=seed, max_steps=max_steps)


@pytest.fixture(params=[3, 8, 14])
def record(request):
    return played(request.param)


def pairs(record):
    """Each step after the state before it."""
    return list(zip(record.states, record.steps, strict=False))


def told(state, text):
    """What is told of an action, and the state after it."""
    action = read(text)
    assert not list(action.problems(state)), list(action.problems(state))
    after = action.apply(state)
    return step_text(state, Step(state.player, action, text, after)), after


def test_beats_hold_every_step_once(record):
    found = list(beats(record))
    assert [step for beat in found for step in beat.steps] == list(record.steps)
    for one, other in pairwise(found):
        assert one.after is other.before


def test_only_who_is_taken_and_does_nothing_stays(record):
    idle = 0
    for at, step in enumerate(record.steps):
        if isinstance(step.move, TakeFigure):
            before, number = step.after, step.after.active
            turn = takewhile(lambda one: one.after.active is not None, record.steps[at:])
            end = at + len(list(turn))
            if end < len(record.steps):
                after = record.steps[end].after
                shot = isinstance(after.first_pending, ShotRoll)
                same = before.figures[number].replaced({"deed": after.figures[number].deed})
                idle += not shot and (same, before.items, before.things) == (
                    after.figures[number],
                    after.items,
                    after.things,
                )
    assert idle
    assert "\n".join(GAME.story(record)).count(": stays.") == idle


def test_every_loss_is_told_once(record):
    dead = [one for one in record.final.figures if not one.is_alive]
    assert dead
    lines = " ".join(GAME.story(record))
    assert lines.count(" is eliminated") == len(dead)
    by_steps = [step_text(before, step) for before, step in pairs(record)]
    assert " ".join(by_steps).count(" is eliminated") == len(dead)


def test_every_attack_is_told_with_its_bricks(record):
    """MF Resolving Combat: the rows of both sides, and the score of each."""
    rolls = [
        (before.first_pending.event(before), step.move)
        for before, step in pairs(record)
        if step.actor == CHANCE and isinstance(before.first_pending, MeleeRoll)
    ]
    found = re.findall(
        r"attack (\d+) of (\d+) bricks?[^,]*\(.*?\), defence (\d+) of (\d+) brick",
        " ".join(GAME.story(record)),
    )
    assert [tuple(map(int, each)) for each in found] == [
        (move[0], event.attack, move[1], event.defence) for event, move in rolls
    ]


def test_the_way_of_a_figure_ends_where_it_stands_or_fell(record):
    ways = GAME.trajectories(record).tracks
    for number, (track, last) in enumerate(zip(ways, record.final.figures, strict=True)):
        assert track.places[0] == (0, record.initial.figures[number].place_in)
        assert track.places[-1][1] == last.place_in
        assert (track.end == "dies") == (not last.is_alive)
        if track.end:
            fallen = next(
                before for before, step in pairs(record) if not step.after.figures[number].is_alive
            )
            assert track.end_round == fallen.round
        rounds = [number for number, _ in track.places]
        assert rounds == sorted(rounds)


def test_a_path_is_as_long_as_the_sentence_says(record):
    measured = 0
    for beat in beats(record):
        found = [float(far) for far in re.findall(r"moves ([\d.]+) in", beat.text)]
        if len(found) == 1 and "mount" not in beat.text:
            way = path(beat)
            length = sum(dist(*ends) for ends in pairwise(way))
            assert length == pytest.approx(found[0], abs=0.1)
            measured += 1
    assert measured > 5


def test_a_way_round_water_is_longer_than_a_straight_one():
    """MF Movement."""
    pond = Zone(ZoneKind.WATER, ((11.0, 8.0), (13.0, 8.0), (13.0, 11.0), (11.0, 11.0)))
    state = battle(
        fighter("tom", 10, 10), fighter("dan", 40, 30, player=1), zones=(pond,), active=0
    )
    text, after = told(state, "go 14 10 90")
    assert after.figures[0].place_in == (14.0, 10.0)
    length = float(re.match(r"tom: moves ([\d.]+) in to 14\.0,10\.0, facing north", text)[1])
    assert 4.0 < length <= 8.0


@pytest.mark.parametrize(
    ("action", "step", "words"),
    [
        ("go 10 10 180", "chosen", r"tom: turns to face west \(MF Movement\)\."),
        ("mount bay", "chosen", r"tom: mounts bay \(MF Rules\)\."),
        ("pick_up relic", "moved", r"tom: picks up relic \(MF Picking Up Weapons\)\."),
        (
            "exchange relic tom_axe",
            "moved",
            r"tom: puts down tom axe \(.*\); picks up relic \(MF Picking Up Weapons\)\.",
        ),
        (
            "haul cart 12.33 10",
            "chosen",
            r"tom: hauls cart 1\.0 in to 11\.0,10\.0, facing east \(.*\)\.",
        ),
        ("done", "chosen", r"tom: stays\."),
        ("go 10 10 0", "chosen", r"tom: stays\."),
        ("done", "moved", r""),
    ],
)
def test_what_a_figure_does_is_a_sentence(action, step, words):
    arms = ["axe"] if "relic" in action else []
    arms += ["shield"] if "exchange" in action else []
    state = battle(
        fighter("tom", 10, 10, *arms),
        fighter("dan", 40, 30, player=1),
        things={"bay": ("horse", 10, 10.64), "cart": ("wagon", 11.33, 10)},
        lying={"relic": ("sword", 10.2, 10)},
        active=0,
    )
    state = state.replaced({"step": Stage(step)})
    text, _ = told(state, action)
    assert re.fullmatch(words, text), text


def shot(outcome, **at):
    """What is told of a shot of tom's with an outcome, and its beat."""
    state = battle(
        fighter("tom", 10, 10, "spear"),
        fighter("dan", 20, 10, player=1),
        fighter("jim", 21, 10, player=1),
        things={"ram": ("big_catapult", 8.3, 10)},
        walls=(WallSpec("keep", 30.0, 10.0, 0.0, 8, 2),),
        zones=(),
    )
    values = {"item": 0, "thing": None, "target": 1, "wall": None} | at
    before = state.push_pending(ShotRoll(0, *values.values()))
    after = before.pending[0].settle(before.pop_pending(), outcome)
    beat = FigureRun(before, (Step(CHANCE, outcome, outcome, after),))
    return beat.text, list(shots(beat)), after


LAUNCHED = {"item": None, "thing": 0}


@pytest.mark.parametrize(
    ("outcome", "at", "text", "ends"),
    [
        (
            "miss",
            {},
            "tom: throws spear at dan: hits nothing (MF Projectiles); tom spear lies at 20.0,10.0 "
            "(MF Projectiles).",
            [((20.0, 10.0), False)],
        ),
        (
            "jim knocked over",
            {},
            "tom: throws spear at dan: knocks jim over (MF Projectiles); tom spear lies at 21.0,10.0 "
            "(MF Projectiles); jim is eliminated.",
            [((21.0, 10.0), True)],
        ),
        (
            "dan direct, jim bounced",
            LAUNCHED,
            "tom: shoots ram at dan: hits dan, bounces and hits jim (MF Projectiles).",
            [((20.0, 10.0), True), ((21.0, 10.0), True)],
        ),
        (
            "keep brick 0",
            LAUNCHED | {"target": None, "wall": 0},
            "tom: shoots ram at keep: hits keep (MF Projectiles).",
            [((30.0, 9.37), True)],
        ),
    ],
)
def test_a_shot_is_told_and_drawn_to_what_it_hit(outcome, at, text, ends):
    """MF Projectiles: others than the target are hit too, and a stone hits several."""
    told_text, flown, _ = shot(outcome, **at)
    assert told_text == text
    assert [(tuple(np.round(end, 2)), is_hit) for _, end, is_hit in flown] == ends
    assert {start for start, _, _ in flown} == {(8.3, 10.0) if at else (10.0, 10.0)}


@pytest.mark.parametrize(
    ("outcome", "score", "text"),
    [
        (
            "dan direct",
            2,
            "2 of 5 bricks on a side: dan falls (MF Projectiles).\ndan is eliminated.",
        ),
        ("dan bounced", 0, "0 of 4 bricks on a side: dan lives (MF Projectiles)."),
    ],
)
def test_the_bricks_after_a_hit_are_told(outcome, score, text):
    """MF Projectiles: five bricks of a big stone, one less after a bounce."""
    before = shot(outcome, **LAUNCHED)[2]
    after = before.pending[0].settle(before.pop_pending(), score)
    assert step_text(before, Step(CHANCE, score, str(score), after)) == text


def test_a_brick_that_falls_out_of_a_wall_is_told():
    before = shot("keep brick 0", **LAUNCHED, target=None, wall=0)[2]
    after = before.pending[0].settle(before.pop_pending(), 1)
    assert step_text(before, Step(CHANCE, 1, "1", after)) == (
        "1 of 5 bricks on a side: keep loses a brick (MF Projectiles).\na brick of keep falls out: 4 of 5 bricks "
        "left (MF Projectiles)."
    )


def test_all_shots_of_a_battle_are_told_and_drawn(record):
    rolls = sum(
        isinstance(before.first_pending, ShotRoll) and step.actor == CHANCE
        for before, step in pairs(record)
    )
    assert rolls
    assert len(re.findall(": (shoots|throws) ", " ".join(GAME.story(record)))) == rolls
    frames = GAME.trajectories(record).frames
    assert sum(len(frame.impacts) for frame in frames) == rolls
    assert all(frame.player is not None for frame in frames if frame.attacks)


def test_the_last_step_says_why_the_battle_is_over():
    record = played(3, "duel")
    states = list(record.states)
    assert step_text(states[-2], record.steps[-1]).endswith(
        (
            "The battle is over: no enemy is left.",
            "The battle is over, by the share of figures left.",
        )
    )


def test_a_film_shows_who_acts_and_a_picture_the_ways():
    record = played(4, "duel", max_steps=80)
    found = GAME.trajectories(record)
    images = list(Film(found, MinifigPainter()))
    assert len(images) == len(found.frames) > 3
    assert all(np.any(one != other) for one, other in pairwise(images))
    canvas = trajectories_figure(found, MinifigPainter())
    assert "york (random) against lancaster (random)" in canvas.texts[0].get_text()


@pytest.mark.parametrize("name", list(GAME.setups))
def test_every_scenario_has_a_map_with_all_figures_and_aims(name):
    report = GAME.scenario(name)
    for figure in report.state.setting.figures:
        assert re.search(rf"^  \S  {figure.name} ", report.map, re.M)
    assert len(report.aims) == len(report.state.setting.aims) + 1
    assert sum(sum(army.counts.values()) for army in report.armies) == (len(report.state.figures))


def test_riders_are_counted_once_and_told_from_the_first_line():
    report = GAME.scenario("raid")
    riders = {*report.state.riders.values()}
    assert riders
    assert sum(army.counts.get("riders", 0) for army in report.armies) == len(riders)
    opening = " ".join(line for line in list(GAME.story(played(4, "raid", max_steps=1)))[:2])
    told = re.findall(r"(\d+|a|an|one) mounted (?:soldier|peasant)", opening)
    assert sum(int(one) if one.isdigit() else 1 for one in told) == len(riders)


def test_prompts_say_what_is_left_to_do():
    state = battle(fighter("tom", 10, 10), fighter("jim", 14, 10), fighter("dan", 40, 30, player=1))
    assert GAME.prompt(state) == "2 figures left to act: your next one, or end"
    assert GAME.prompt(state.replaced({"active": 0})) == (
        "tom has done nothing, and can move up to 8 in"
    )


def test_only_a_move_has_a_way():
    state = battle(fighter("tom", 10, 10), fighter("dan", 40, 30, player=1), active=0)
    action = read("done")
    assert way_of(state, Step(0, action, "done", action.apply(state))) is None


def test_a_shot_over_a_wall_is_told_as_one():
    state = battle(
        fighter("tom", 10, 10),
        fighter("dan", 24, 10, player=1),
        things={"ram": ("big_catapult", 8.3, 10)},
        walls=(WallSpec("keep", 20.0, 10.0, 0.0, 8, 6),),
    ).push_pending(ShotRoll(0, None, 0, 1, None))
    told_text = roll_clause(state, "miss")
    assert told_text == "shoots ram at dan, whom a wall hides: hits nothing (MF Projectiles)"


def test_who_of_a_melee_is_struck_is_told():
    state = battle(fighter("tom", 10, 10), fighter("dan", 10.65, 10, player=1))
    state = state.push_pending(MeleeHitRoll((0, 1), "bow", "hit"))
    told_text = roll_clause(state, "dan")
    assert told_text == "of 2 figures in the melee dan is struck (MF Projectiles)"


@pytest.mark.parametrize(
    ("levels", "told"), [((3, 1), "+2 for the attack"), ((1, 3), "+2 for the defence")]
)
def test_experience_is_told_for_the_side_that_has_more(levels, told):
    pair = zip(("tom", "dan"), (10, 10.65), levels, strict=True)
    men = [fighter(name, x, 10, player=x > 10, experience=level) for name, x, level in pair]
    assert f", experience {told} (MF" in roll_clause(
        battle(*men).push_pending(MeleeRoll(0, 1)), (1, 0)
    )
