"""Whatever a public function or a method of its result is given, its errors are ours: one line each."""

import inspect
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import brickphys
from brickphys.errors import ArgumentError, SystemFaultError
from tests.batch.batches import InProcess, in_process
from tests.cases import few
from tests.jeep_scene import JEEP

WRONG = [
    *(None, "", "x", "\0", "\ud800", "é" * 3000, "1" * 400, b"x", Path("/")),
    *(-1, 0, 10**30, 2.5, float("nan"), True, 1j),
    *([], ["x"], (1, 2), {}, {1: 2}, {1, 2}, np.array([1, 2]), object(), len),
]
FITS = {
    "odds": {"attack": 3, "defence": 2},
    "law": {},
    "laws": {},
    "roll": {"bricks": 3},
    "throw": {"throws": 20, "seed": 1, "progress": False},
    "poses": {"shape": "2x2"},
    "scene": {"source": JEEP},
    "resolve": {"source": JEEP},
    "crash": {"source": JEEP},
    "game": {"name": "bow"},
    "games": {},
    "play": {"game": "bow", "scenario": "duel", "bots": "random", "max_steps": 10},
    "replay": {"path": "duel.jsonl"},
    "report": {"folder": "results"},
}
SLOW = {
    "infer": {"file": "counts.csv", "seed": 1, "progress": False},
    "measure": {"file": "mine.toml", "seed": 1, "throws": 5120, "progress": False},
    "study": {"spec": "study.toml", "folder": "results", "progress": False},
}
MANY = {("throw", "throws"), ("measure", "throws"), ("infer", "throws")}
"""Parameters of which a large number is work, as that of workers."""
STUDY = 'kind = "drop"\nseed = 1\nrepeats = 4\n[fixed]\nshape = "2x2"\n'
COUNTS = "bricks,score\n5,1\n5,2\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with files that the functions can read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "counts.csv").write_text(COUNTS)
    (tmp_path / "mine.toml").write_text(
        'schema = "brickphys.measurements/1"\n[tilt]\nangles_deg = [21.0, 22.5]\nerror_deg = 0.5\n'
    )
    return tmp_path


def assert_ours(call, *args, **kwargs):
    """Call a function; all that it may raise is an error of ours, in one line."""
    told = ""
    try:
        call(*args, **kwargs)
    except brickphys.BrickphysError as error:
        told = str(error)
    assert "\n" not in told, kwargs


def each_wrong(name, fits):
    for parameter in inspect.signature(getattr(brickphys, name)).parameters:
        for wrong in WRONG:
            is_callback = parameter == "progress" and callable(wrong)  # what it raises is its own
            if parameter != "workers" and (name, parameter) not in MANY and not is_callback:
                yield {**fits, parameter: wrong}


@pytest.mark.parametrize("name", [*FITS])
def test_every_error_of_a_public_function_is_ours(name, folder):
    for values in each_wrong(name, FITS[name]):
        assert_ours(getattr(brickphys, name), **values)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_every_error_of_a_slow_public_function_is_ours(name, folder):
    with in_process(lambda *_: InProcess()):
        for values in each_wrong(name, SLOW[name]):
            assert_ours(getattr(brickphys, name), **values)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A value of each kind that takes no time."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "study.toml").write_text(STUDY)
    law, odds = brickphys.law("glass"), brickphys.odds(3, 2)
    with in_process(lambda *_: InProcess()):
        study = brickphys.study(folder / "study.toml", folder / "results")
    return [
        *(law, brickphys.law(0.3), law.at(Fraction(1, 3)), odds, odds.card()),
        *(odds.compare(brickphys.odds(4, 3)), brickphys.roll(5, seed=1)),
        *(brickphys.throw("2x2", 50, seed=1), brickphys.poses("2x2"), brickphys.scene(JEEP)),
        *(brickphys.resolve(JEEP), study),
        brickphys.play("bow", "duel", "random", seed=7, max_steps=5),
    ]


@pytest.mark.parametrize("number", few(range(len(WRONG)), 3))
def test_every_error_of_a_method_of_a_result_is_ours(number, results, folder):
    wrong = WRONG[number]
    for value in results:
        for name, method in inspect.getmembers(value, inspect.ismethod):
            parameters = {} if name.startswith("_") else inspect.signature(method).parameters
            needed = {each.name: 1 for each in parameters.values() if each.default is each.empty}
            for one in parameters.values():
                if one.kind is one.VAR_POSITIONAL:
                    assert_ours(method, wrong)
                elif one.kind is one.VAR_KEYWORD:
                    assert_ours(method, zzz=wrong)
                else:
                    assert_ours(method, **{**needed, one.name: wrong})


def test_what_the_system_refuses_is_an_error_of_ours_and_of_the_system(folder):
    with pytest.raises(SystemFaultError, match=r"^é+: ") as caught:
        brickphys.report("é" * 300)
    assert isinstance(caught.value, OSError)


def test_a_picture_says_which_arguments_it_takes():
    with pytest.raises(ArgumentError, match=r"plot\(\) has no argument 'width': it takes none"):
        brickphys.odds(3, 2).plot(width=3)


def test_a_setup_is_no_name():
    game = brickphys.game("bow")
    with pytest.raises(brickphys.BrickphysError, match=r"'duel' is not a table: game\.setups has"):
        game.initial("duel")


def test_a_game_is_checked_with_any_law():
    (told,) = brickphys.check_game("bow", {}, brick_law="glass")
    assert told.startswith("no setup")
    with pytest.raises(brickphys.BrickphysError, match="did you mean 'glass'"):
        brickphys.check_game("bow", {}, brick_law="glas")
