"""`replay --analyse`: a game that was played is judged, in words, as JSON and as a picture."""

import json
import xml.etree.ElementTree as ET
from shutil import copy

import pytest

from brickphys.rules.report.analysis import Analyst
from tests.command_line import answer, brickphys, run
from tests.rules.report import squad_game

GAME = "squads:Squad"
TEXT = """\
ok: 6 steps play back as written; rolls from: the law default (a side: 0.2830)
blue (hard) wins after 5 actions (seed 3)

the chance to win as hard judges it, in points of 100:
player   start   luck   own choices   others' choices    end   given away, as hard judges
─────────────────────────────────────────────────────────────────────────────────────────
red       50.0   -2.5           0.0             -17.5   30.0                         20.0
blue      50.0   +2.5         +17.5               0.0   70.0                          0.0
(0.0 given away: hard knows nothing better, since it compares with its own best plans; it does not say that the play was
  perfect, least of all that of hard itself)

the worst choices:
  1  step 1, red -10.0: b 0; better: b: goes 2
  2  step 2, red -10.0: end - ends; better: a: goes 2

the greatest luck:
  a  step 6, blue +2.5: one of heads, tails: tails
"""
"""The first player does hardly anything, and the coin falls against it."""


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    """A game of a module that stands alone: a stamp of the package ``tests`` would read all of it."""
    folder = tmp_path_factory.mktemp("games")
    copy(squad_game.__file__, folder / "squads.py")
    path = folder / "squad.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        run("play", GAME, "only", "--bots", "random,hard", "--seed", "3", "--replay", path)
        yield path


def test_a_game_is_judged_in_words(replay):
    assert run("replay", replay, "--game", GAME, "--analyse").stdout == TEXT


def test_a_game_is_judged_as_json(replay):
    found = answer("replay", replay, "--game", GAME, "--analyse", "--bot", "fair:100")["analysis"]
    assert found["bot"] == "fair:100"
    assert len(found["chances"]) == len(found["luck"]) + 1 == 7
    assert found["chances"][-1] == pytest.approx([0.3, 0.7])
    assert found["luck"][:5] == [[0.0, 0.0]] * 5
    red, blue = found["players"]
    assert red == pytest.approx(
        {
            "name": "red",
            "start": 0.5,
            "luck": -0.025,
            "own_choices": 0.0,
            "other_choices": -0.175,
            "end": 0.3,
            "given_away": 0.2,
            "choices": 2,
        }
    )
    assert (blue["given_away"], blue["choices"]) == (0.0, 2)
    assert found["worst"][1] == {
        "step": 2,
        "round": None,
        "player": "red",
        "done": "end - ends",
        "better": "a: goes 2",
        "cost": pytest.approx(0.1),
    }
    assert "analysis" not in answer("replay", replay, "--game", GAME)


def test_the_chance_to_win_is_drawn_in_place_of_the_field(replay, tmp_path):
    picture = tmp_path / "chances.svg"
    told = run("replay", replay, "--game", GAME, "--analyse", "--plot", picture)
    assert told.stdout == TEXT
    assert str(picture) in told.stderr
    assert ET.parse(picture).getroot().tag.endswith("svg")


def test_an_open_game_that_is_not_over_is_judged_so_far(tmp_path):
    file = tmp_path / "part.jsonl"
    run(
        "play",
        "bow",
        "duel",
        "--bots",
        "random",
        "--seed",
        "7",
        "--max-steps",
        "9",
        "--replay",
        file,
    )
    shown = run("replay", file, "--analyse", "--bot", "easy").stdout
    assert "stopped at the limit of steps" in shown
    assert "the chance to win as easy judges it" in shown


def test_an_analysis_that_is_interrupted_leaves_one_line_and_no_picture(
    replay, tmp_path, monkeypatch
):
    def pressed(*_):
        raise KeyboardInterrupt

    ended = []
    monkeypatch.setattr(Analyst, "analysis", pressed)
    monkeypatch.setattr("os._exit", ended.append)
    picture = tmp_path / "chances.png"
    told = brickphys("replay", replay, "--game", GAME, "--analyse", "--plot", picture)
    assert ended == [130]
    assert told.stdout == ""
    assert told.stderr.splitlines()[-1] == "brickphys: interrupted"
    assert not picture.exists()


def test_a_long_analysis_tells_how_far_it_is(replay, monkeypatch):
    monkeypatch.setattr("brickphys.notes.NOTE_AFTER_S", 0.0)
    told = run("replay", replay, "--game", GAME, "--analyse").stderr
    assert "analysis: 1 of 6 steps, about " in told
    assert told.count("analysis:") == 1


def test_the_analysis_follows_the_story(tmp_path):
    file = tmp_path / "duel.jsonl"
    run(
        "play",
        "bow",
        "duel",
        "--bots",
        "random",
        "--seed",
        "7",
        "--max-steps",
        "9",
        "--replay",
        file,
    )
    words = ("replay", file, "--story")
    story = run(*words).stdout
    assert run(*words, "--analyse", "--bot", "easy").stdout.startswith(story)
    assert json.loads(run(*words, "--json").stdout)["story"]
