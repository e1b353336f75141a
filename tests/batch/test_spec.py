"""A study file says all of what is run, or what is wrong with it."""

import json
import re
import sys
import tomllib
from copy import deepcopy
from functools import reduce
from operator import getitem
from pathlib import Path

import pytest
import tomli_w
from scipy.stats import qmc

from brickphys import reading
from brickphys.batch.kinds.drops import Drops
from brickphys.batch.schema import Until
from brickphys.batch.spec import find_spec, parse_spec, spec_of
from brickphys.errors import InvalidValueError, StudyFileError
from brickphys.rules.registry import trusting
from tests.batch.batches import DROP, PEBBLES, SCENES, spec, without
from tests.jeep_scene import JEEP

ASKED = """
kind = "drop"
seed = 5
repeats = 40000                 # throws in each cell
[fixed]
shape = "2x2"
engine = "compiled"
[grid]
surface = ["wood", "glass"]
height_mm = [[50, 100], [200, 300]]
"""
HEIGHTS = 'kind = "drop"\nseed = 5\nrepeats = 1\n[grid]\nheight_mm'
SAMPLE = {
    "kind": "drop",
    "seed": 3,
    "repeats": 10,
    "fixed": {"shape": "2x2"},
    "sample": {
        "method": "latin_hypercube",
        "cells": 40,
        "ranges": {"speed_m_s": [0.1, 0.5], "restitution": [0.2, 0.4]},
        "choices": {"surface": ["wood", "glass"]},
    },
}


def test_a_study_finds_its_bots_beside_itself(tmp_path, monkeypatch):
    home, here = tmp_path / "home", tmp_path / "here"
    for folder in (home, here):
        folder.mkdir()
    (home / "beside_bots.py").write_text(
        "class Last:\n    def __init__(self, game, law):\n        pass\n\n"
        "    def choose(self, view, actions, rng):\n        return actions[-1]\n"
    )
    bots = 'game = "bow"\nscenario = "duel"\nbots = "beside_bots:Last"\n'
    (home / "study.toml").write_text(f'kind = "battle"\nrepeats = 1\n[fixed]\n{bots}')
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(StudyFileError, match="a file cannot run code"):
        find_spec(home / "study.toml")
    assert str(home) not in sys.path
    with trusting():
        study = find_spec("../home/study.toml")
        assert study.packages == ("beside_bots", "brickphys")
        assert study.work(0).rows(0, 1).num_rows == 1


@pytest.mark.parametrize(
    ("steps", "values"),
    [
        ("{from = 50, to = 300, step = 50}", [50, 100, 150, 200, 250, 300]),
        ("{from = 50.0, to = 50.3, step = 0.1}", [50.0, 50.1, 50.2, 50.3]),
        ("{from = 60, to = 61, step = 0.4}", [60.0, 60.4, 60.8]),
        ("{from = 50, to = 50, step = 1e12}", [50]),
    ],
)
def test_a_grid_may_give_values_at_equal_steps(steps, values):
    short = parse_spec(f"{HEIGHTS} = {steps}", "study.toml", None)
    long = parse_spec(f"{HEIGHTS} = {values}", "study.toml", None)
    assert short.cells == long.cells
    assert [type(cell["height_mm"]) for cell in short.cells] == [*map(type, values)]
    assert spec_of(short.content) == short


def test_steps_may_be_choices_of_a_sample_and_values_of_an_integer():
    choices = {"height_mm": {"from": 50, "to": 60, "step": 10}}
    sample = {**without(SAMPLE["sample"], "ranges"), "choices": choices}
    made = parse_spec(tomli_w.dumps({**SAMPLE, "sample": sample}), "study.toml", None)
    assert {cell["height_mm"] for cell in made.cells} == {50, 60}
    speeds = {**SCENES, "grid": {"speed": {"from": 1, "to": 3, "step": 1}}}
    cells = parse_spec(tomli_w.dumps(speeds), "study.toml", None).cells
    assert [cell["speed"] for cell in cells] == [1, 2, 3]


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ("{from = 50, to = 40, step = 1}", "from: 50 is above to, 40"),
        ("{from = 50, to = 60, step = 0}", "step: 0 should be greater than 0"),
        ("{from = 50, to = 60}", "step: missing"),
        ("{frm = 50, to = 60, step = 1}", "frm: unknown key, did you mean 'from'?"),
        ("{from = 'a', to = 60, step = 1}", "from: 'a' should be a valid number"),
        ("{from = 50, to = 60, step = 1e-9}", "more than 100,000 values"),
        ("{from = -1e12, to = 1e12, step = 1e-300}", "more than 100,000 values"),
    ],
)
def test_steps_that_give_no_list_are_refused(steps, fault):
    with pytest.raises(StudyFileError, match=re.escape(f"study.toml: grid.height_mm: {fault}")):
        parse_spec(f"{HEIGHTS} = {steps}", "study.toml", None)


def test_a_study_of_60_000_values_is_read(tmp_path):
    heights = [50.0 + n / 1000 for n in range(60_000)]
    sample = {**SAMPLE["sample"], "choices": {"height_mm": heights}}
    path = tmp_path / "study.toml"
    path.write_text(tomli_w.dumps({**SAMPLE, "sample": sample}))
    assert path.stat().st_size > 500_000  # once the limit of all that people write
    assert len(find_spec(path).cells) == 40


def test_a_study_whose_files_are_too_large_is_refused_before_it_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_MANIFEST_BYTES", reading.Size(400, "split the study"))
    (tmp_path / "jeep.toml").write_text(JEEP)
    tables = {**SCENES, "fixed": {"scene": "jeep.toml"}, "grid": {"speed": [1, 2]}}
    with pytest.raises(StudyFileError, match=r"the study with its files: larger than 0\.0004 MB; "):
        parse_spec(tomli_w.dumps(tables), "study.toml", tmp_path)


def test_a_grid_is_every_combination_the_last_factor_fastest():
    made = parse_spec(ASKED, "study.toml", None)
    assert [tuple(cell.values()) for cell in made.cells] == [
        ("wood", [50, 100]),
        ("wood", [200, 300]),
        ("glass", [50, 100]),
        ("glass", [200, 300]),
    ]
    assert made.factors == ("surface", "height_mm")
    assert made.most_runs == 160_000
    assert made.settings(2) == {
        "shape": "2x2",
        "engine": "compiled",
        "surface": "glass",
        "height_mm": [50, 100],
    }


def test_a_list_of_cells_keeps_its_order():
    cells = [{"surface": "glass", "speed_m_s": 0.2}, {"speed_m_s": 0.4, "surface": "wood"}]
    made = spec(without(DROP, "grid") | {"cell": cells})
    assert list(made.cells) == cells
    assert made.factors == ("surface", "speed_m_s")


def test_without_factors_there_is_one_cell():
    made = spec(without(DROP, "grid"))
    assert (made.cells, made.factors, made.most_runs) == (({},), (), 60)
    assert made.least_runs_a_cell == 60


@pytest.mark.parametrize("method", ["latin_hypercube", "sobol"])
def test_a_sample_fills_its_space(method):
    tables = SAMPLE | {"sample": SAMPLE["sample"] | {"method": method, "cells": 64}}
    made = spec(tables)
    assert len(made.cells) == 64
    for name, (low, high) in SAMPLE["sample"]["ranges"].items():
        places = [(cell[name] - low) / (high - low) for cell in made.cells]
        # both put one point into each of 64 slices
        assert sorted(int(64 * place) for place in places) == list(range(64))
    assert [cell["surface"] for cell in made.cells].count("wood") == 32
    shares = [
        [(cell["speed_m_s"] - 0.1) / 0.4, (cell["restitution"] - 0.2) / 0.2] for cell in made.cells
    ]
    assert qmc.discrepancy(shares) < 0.01
    assert spec(tables).cells == made.cells
    assert spec(tables | {"seed": 4}).cells != made.cells


def test_a_sobol_sequence_of_any_length_gives_no_warning():
    made = spec(SAMPLE | {"sample": SAMPLE["sample"] | {"method": "sobol", "cells": 5}})
    assert len(made.cells) == 5


def test_a_study_is_the_same_after_json():
    for tables in (DROP, SAMPLE, PEBBLES, SCENES):
        made = spec(tables)
        again = spec_of(json.loads(json.dumps(made.content)))
        assert again == made
        assert again.sha256 == made.sha256


def test_fingerprints_differ_with_anything_that_is_said():
    changes = [{}, {"seed": 6}, {"repeats": 61}, {"title": "x"}, {"fixed": {"shape": "2x3"}}]
    assert len({spec(DROP | change).sha256 for change in changes}) == len(changes)


def test_what_a_file_is_named_does_not_matter_but_what_is_in_it(tmp_path):
    setup = tmp_path / "mine.toml"
    tables = without(PEBBLES, "grid") | {"fixed": {"game": "pebbles", "scenario": "mine.toml"}}
    setup.write_text("left = 7\n")
    seven = spec(tables, tmp_path)
    assert seven.attached["mine.toml"] == {"left": 7}
    setup.write_text("left = 8\n")
    assert spec(tables, tmp_path).sha256 != seven.sha256
    setup.unlink()
    assert spec_of(seven.content).study_type.work(
        seven.settings(0), seven.attached, 1, 0, seven.limits
    )


def test_seeds(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(tomli_w.dumps(DROP))
    assert find_spec(path).seed == 5
    assert find_spec(path, 9, 7).seed == 9
    path.write_text(tomli_w.dumps(without(DROP, "seed")))
    assert find_spec(path, None, 7).seed == 7
    assert find_spec(path).seed != find_spec(path).seed


def test_looks_double_up_to_the_last():
    assert list(Until(column="p", half_width=0.1, first=10, at_most=75).looks()) == [10, 20, 40, 75]
    assert list(Until(column="p", half_width=0.1, first=10, at_most=80).looks()) == [10, 20, 40, 80]


UNTIL = {"column": "p_side", "half_width": 0.01}
BASES = {
    "drop": DROP,
    "until": without(DROP, "repeats") | {"until": UNTIL},
    "sample": SAMPLE,
    "battle": PEBBLES,
    "collide": SCENES,
}
FAULTS = """
drop | kind = "dorp" => kind: unknown kind 'dorp': did you mean 'drop'?
drop | grid = {surfaces = ["wood"]} => grid.surfaces: unknown factor of drop 'surfaces': did you mean 'surface'?
drop | fixed = {shap = "2x2"} => fixed.shap: unknown factor of drop 'shap': did you mean 'shape'?
drop | grid | cell = [{heigth_mm = 3}] => cell.heigth_mm: unknown factor of drop 'heigth_mm': did you mean 'height_mm'?
sample | sample.ranges = {shap = [0.0, 1.0]} => sample.ranges.shap: unknown factor of drop 'shap': did you mean 'shape'?
drop | repeat = 3 => repeat: unknown key, did you mean 'repeats'?
drop | grid = {surface = ["wood", "glas"]} => grid.surface[1]: unknown surface 'glas': did you mean 'glass'?
drop | repeats = 0 => repeats: 0 should be greater than or equal to 1
drop | repeats = -3 => repeats: -3 should be greater than
drop | repeats = "many" => repeats: 'many' should be a valid integer
drop | repeats = 2.5 => repeats: 2.5 should be a valid integer
drop | repeats = true => repeats: true should be a valid integer
drop | repeats => exactly one of repeats and until
drop | until = {column = "p_side", half_width = 0.01} => exactly one of repeats and until
until | until.first = 500 | until.at_most = 100 => until: first: 500 is above at_most, 100
drop | grid = {surface = ["wood", "glass", "wood"]} => grid.surface: "wood" is there 2 times
until | until.half_width = 0.0 => until.half_width: 0.0 should be greater than 0
until | until.half_width = nan => until.half_width: nan should be a finite number
until | until.column = "p_sied" => until.column: unknown column 'p_sied': did you mean 'p_side'?
drop | fixed = {surface = "wood"} => grid.surface: is also in fixed
drop | cell = [{surface = "wood"}] => only one of grid, cell and sample
drop | grid = {surface = []} => grid.surface
drop | grid | cell = [{surface = "wood"}, {speed_m_s = 0.3}] => cell[0]: speed_m_s missing
drop | fixed = {shape = 22} => shape: 22 should be a valid string
drop | grid = {height_mm = [[100, 50]]} => cell 0 (height_mm = [100, 50])
drop | grid = {height_mm = [[1, 2, 3]]} => height_mm
drop | grid = {height_mm = [50, "50:100"]} => grid.height_mm[1]: '50:100' should be a number, or [low, high]
battle | fixed.p = 2 => fixed.p: 2 should be a number from 0 to 1, or 'low', 'nominal' or 'high'
battle | grid.bots = ["random", ["random", 3]] => grid.bots[1]: ['random', 3] should be a bot, or a list of bots
battle | fixed = {game = "bow", draw = {ratio = "x"}} => ratio: 'x' should be a number from 0.1 to 10, or [low, high]
battle | grid | fixed = {game = "bow", draw = {ratio = [2, 1]}} => fixed.draw: ratio: 2 is above 1
collide | grid | fixed = {x = [9, 2]} => fixed.x: 9 is above 2
drop | grid | fixed.engine | fixed.friction = 9 => fixed.friction: 9 is outside 0 to 5
drop | fixed.engine | fixed.friction = 9 | grid = {bricks = [1, 2]} => fixed.friction: 9 is outside 0 to 5
drop | grid = {} => grid: is empty
drop | grid | cell = [{}] => cell[0]: is empty
drop | grid | cell = [] => cell: is empty
drop | title = "a\\nb" => title: 'a\\nb' has control characters
drop | limits = {rounds = 3} => limits.rounds: has no effect: throws have no rounds
battle | fixed.law = "hand" | fixed.p = 0.5 => fixed.law: has no effect: p = 0.5 makes bricks independent of any law
battle | fixed = {game = "pirate_wars", scenario = "duel"} | grid = {p = [0.3]} => grid.p: has no effect: pirate_wars
battle | fixed.game => fixed.game: missing
sample | sample.ranges = {bricks = [1, 4]} => sample.ranges.bricks: 1.0 should be a valid integer (any number between
sample | sample.ranges = {speed_m_s = [-2.0, -1.0]} => is outside 0 to 20 (and 39 more cells)
drop | fixed = 3 => fixed: 3 should be a table
drop | seed = 9007199254740992 => seed: 9007199254740992 should be less than
drop | seed = -1 => seed: -1 should be greater than or equal to 0
drop | seed = "x" => seed: 'x' should be a valid integer
drop | limits = {time_s = 0} => limits.time_s: 0 should be greater than
sample | sample.ranges = {speed_m_s = [0.5, 0.1]} => ranges.speed_m_s: 0.5 is not below 0.1
sample | sample.choices = {speed_m_s = [1.0]} => speed_m_s: in ranges and in choices
sample | sample = {method = "sobol", cells = 3} => nothing to sample
sample | sample.method = "halton" => sample.method: 'halton' should be 'latin_hypercube' or 'sobol'
battle | fixed.game = "peebles" => unknown game 'peebles': did you mean 'pebbles'?
battle | fixed.game = "skirmish" => unknown game 'skirmish': known:
battle | grid.bots = ["greed"] => cell 0 (bots = "greed"): unknown bot 'greed': did you mean 'greedy'?
battle | grid.bots = [["random", "random", "random"]] => bots: 3 of them where there are 2 players
battle | fixed.draw | fixed.scenario = "then" => unknown scenario 'then': did you mean 'ten'? (or a .toml file)
battle | fixed.draw | fixed.scenario = "none.toml" => none.toml: cannot be read: No such file
battle | fixed.draw => exactly one of scenario and draw is required
battle | fixed.law = "none.json" => none.json
collide | fixed = {scene = "none.toml"} => none.toml: cannot be read: No such file
collide | fixed = {layout = "maze"} => unknown layout 'maze': known: any,
collide | grid.sectors = ["corners"] => grid.sectors[0]: 'corners' should be
battle | fixed.draw = {raises = nan} => fixed.draw.raises: nan should be a finite number
"""
"""A study, what is changed or left out in it, ``=>``, and what is said."""


def changed(words: str) -> dict:
    """Return the tables of a study with keys changed to a value of TOML, or left out."""
    base, *changes = words.split(" | ")
    tables = deepcopy(BASES[base])
    for path, _, value in (change.partition(" = ") for change in changes):
        *parents, key = path.split(".")
        table = reduce(getitem, parents, tables)
        table.pop(key, None)
        if value:
            table[key] = tomllib.loads(f"value = {value}")["value"]
    return tables


def assert_told(tables: dict, words: str, folder: Path = Path()) -> None:
    with pytest.raises(StudyFileError) as caught:
        spec(tables, folder)
    message = str(caught.value)
    assert message.startswith("study.toml: ")
    assert words in message
    assert "\n" not in message
    assert len(message) < 800


@pytest.mark.parametrize("fault", FAULTS.strip().splitlines())
def test_what_is_wrong_is_named_in_one_line(fault, tmp_path):
    words, _, said = fault.partition(" => ")
    assert_told(changed(words), said, tmp_path)


def test_a_grid_of_too_many_cells_is_told():
    grid = {"speed_m_s": [0.1] * 400, "spin_rad_s": [1.0] * 400}
    assert_told(DROP | {"grid": grid}, "grid: 160,000 cells, at most 100,000 are allowed")


def places_of_faults(tables) -> list[str]:
    with pytest.raises(StudyFileError) as caught:
        spec(tables)
    return [fault.split(":")[0] for fault in str(caught.value).split(": ", 1)[1].split("; ")]


def test_all_faults_of_form_are_listed_then_all_of_meaning():
    form = {"repeats": -1, "until": UNTIL, "title": "a\nb", "sed": 3}
    meaning = {
        "limits": {"rounds": 3},
        "fixed": {"shap": "2x2", "bricks": "3"},
        "grid": {"surfac": ["wood"], "friction": ["x", 0.3, 0.3], "bricks": [1]},
    }
    assert places_of_faults(DROP | meaning | form) == [
        "exactly one of repeats and until is required",
        "title",
        "repeats",
        "sed",
    ]
    assert places_of_faults(DROP | meaning) == [
        "fixed.shap",
        "grid.surfac",
        "grid.bricks",
        "grid.friction",
        "fixed.bricks",
        "grid.friction[0]",
        "limits.rounds",
    ]


def test_every_name_that_is_unknown_is_told_by_its_place():
    tables = DROP | {
        "fixed": {"preset": "han", "floor": "plan", "engine": "bulet"},
        "grid": {"surface": ["glas", "wood", "wod"], "shape": ["2x2", "2x9"]},
    }
    with pytest.raises(StudyFileError) as caught:
        spec(tables)
    assert str(caught.value) == (
        "study.toml: fixed.preset: unknown preset 'han': did you mean 'hand'?; "
        "fixed.floor: unknown floor 'plan': did you mean 'plane'?; "
        "fixed.engine: unknown engine 'bulet': did you mean 'bullet'?; "
        "grid.surface[0]: unknown surface 'glas': did you mean 'glass'?; "
        "grid.surface[2]: unknown surface 'wod': did you mean 'wood'?; "
        "grid.shape[1]: unknown size '2x9': pieces are 1 or 2 studs wide and 1 to 8 long, did you mean '2x8'?"
    )


def test_every_value_that_cannot_be_made_ready_is_told_once():
    tables = DROP | {"grid": {"surface": ["glass", "wood"], "friction": [0.3, -2.0, -1.0]}}
    with pytest.raises(StudyFileError) as caught:
        spec(tables)
    message = str(caught.value)
    assert message.count("friction -1 is outside 0 to 5 (and 1 more cell)") == 1
    assert message.count("friction -2 is outside 0 to 5 (and 1 more cell)") == 1


def test_a_scene_file_has_no_layout(tmp_path):
    (tmp_path / "mine.toml").write_text(JEEP)
    tables = without(SCENES, "grid") | {"fixed": {"scene": "mine.toml", "layout": "pair"}}
    with pytest.raises(StudyFileError, match=r"fixed\.layout: has no effect: the scene is a file"):
        spec(tables, tmp_path)
    mixed = without(SCENES, "grid") | {"fixed": {"layout": "pair"}}
    assert spec(mixed | {"grid": {"scene": ["mine.toml", "random"]}}, tmp_path).factors == (
        "scene",
    )


def test_what_was_begun_before_a_fault_was_one_can_be_read():
    content = {"document": DROP | {"grid": {}}, "attached": {}}
    assert spec_of(content).cells == ({},)


def test_a_date_is_no_value(tmp_path):
    with pytest.raises(StudyFileError, match=r"fixed\.draw\.when: 2026-01-01 should be a number"):
        parse_spec(
            'kind = "battle"\nrepeats = 3\n[fixed]\ngame = "pebbles"\ndraw = {when = 2026-01-01}\n',
            "study.toml",
            tmp_path,
        )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"kind = ", "not TOML"),
        (b"\xff\xfe\x00", "study.toml: "),
        (b"kind = 'drop'\nkind = 'drop'\n", "not TOML"),
        (b"", "kind: missing"),
        (b"a = " + b"[" * 5000, "study.toml: "),
    ],
)
def test_what_is_no_study_is_refused(content, words, tmp_path):
    path = tmp_path / "study.toml"
    path.write_bytes(content)
    with pytest.raises(StudyFileError, match=words):
        find_spec(path)


def test_a_byte_order_mark_is_passed_over(tmp_path):
    path = tmp_path / "study.toml"
    path.write_bytes(b"\xef\xbb\xbf" + ASKED.encode())
    assert find_spec(path).most_runs == 160_000
    assert tomllib.loads(ASKED)["seed"] == 5


def test_what_is_not_there(tmp_path):
    with pytest.raises(StudyFileError, match="is a folder"):
        find_spec(tmp_path)
    with pytest.raises(StudyFileError, match="no such file"):
        find_spec(tmp_path / "none.toml")
    with pytest.raises(StudyFileError, match="unknown study 'nonesuch'"):
        find_spec("nonesuch")


def test_a_study_that_is_no_text_is_told(tmp_path):
    path = tmp_path / "study.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StudyFileError, match=r"study\.toml: line 1: is not UTF-8 text$"):
        find_spec(path)


@pytest.mark.parametrize(
    ("kind", "fixed"), [("collide", "scene"), ("battle", "scenario"), ("battle", "law")]
)
def test_a_file_of_a_study_that_is_no_text_is_told(kind, fixed, tmp_path):
    (tmp_path / "named.toml").write_bytes(b"\xff\xfe\x00")
    game = {"game": "bow"} | ({"draw": {}} if fixed == "law" else {}) if kind == "battle" else {}
    tables = {"kind": kind, "repeats": 4, "fixed": {fixed: "named.toml"} | game}
    with pytest.raises(StudyFileError, match=r"named\.toml: line 1: is not UTF-8 text$"):
        spec(tables, tmp_path)


def test_a_study_that_ships_goes_before_a_folder_or_a_file_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shipped = find_spec("sectors")
    Path("sectors").mkdir()  # where its batch was put
    assert find_spec("sectors") == shipped
    Path("together").write_text(tomli_w.dumps(PEBBLES))
    assert find_spec("together").study_type.name == "drop"
    assert find_spec("./together").study_type.name == "battle"


@pytest.mark.parametrize("table", ["surface", "shape"])
def test_of_many_unknown_names_only_the_first_are_looked_up(monkeypatch, table):
    looked_up = []

    def counted_matches(name, *_, **__):
        looked_up.append(name)
        return []

    monkeypatch.setattr("brickphys.text.get_close_matches", counted_matches)
    names = ", ".join(f'"strange{number}"' for number in range(2_000))
    with pytest.raises(StudyFileError) as refused:
        parse_spec(
            f'kind = "drop"\nrepeats = 1\nseed = 1\n[grid]\n{table} = [{names}]\n', "s", Path()
        )
    assert str(refused.value).endswith("; and more than 95 others")
    assert str(refused.value).count("strange") == 5
    assert len(looked_up) < 400


def test_of_many_cells_with_faults_only_the_first_are_prepared(monkeypatch):
    tried = []

    def attachments(self, settings, folder):
        tried.append(settings)
        raise InvalidValueError(f"no such file {settings['surface']}")

    monkeypatch.setattr(Drops, "attachments", attachments)
    names = ", ".join(f'"f{number}.toml"' for number in range(2_000))
    with pytest.raises(StudyFileError, match="and more than 95 others"):
        parse_spec(
            f'kind = "drop"\nrepeats = 1\nseed = 1\n[fixed]\nshape = "2x2"\n[grid]\nsurface = [{names}]\n',
            "s",
            Path(),
        )
    assert len(tried) == 101
