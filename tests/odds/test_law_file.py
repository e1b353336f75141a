import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import brickphys
from brickphys.errors import InvalidValueError, LawFileError
from brickphys.odds.distribution import wilson
from brickphys.odds.law_file import (
    checks,
    find_law,
    law_checks,
    parse_law,
    read_law,
    shipped_law,
    shipped_law_on,
    shipped_laws,
    shipped_name,
)
from brickphys.odds.law_schema import parse
from brickphys.stamp import stamp_here
from brickphys.throws.conditions import SURFACES
from tests.odds.laws import HOME, narrowed, refused, text

LAWS = Path(brickphys.__file__).parent / "laws"


@pytest.fixture
def document(law):
    return json.loads(json.dumps(law.document()))


def test_a_law_comes_back_as_it_was_written(law, tmp_path):
    path = law.save(tmp_path / "law.json")
    assert read_law(path) == law
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", shipped_laws())
def test_a_shipped_law_is_written_as_it_is(name, tmp_path):
    shipped = LAWS / f"{name}.json"
    assert read_law(shipped).save(tmp_path / "law.json").read_bytes() == shipped.read_bytes()


def test_names_are_written_as_they_are_and_what_is_no_number_is_not(law, tmp_path):
    path = replace(law, command="brickphys calibrate --surface chêne").save(tmp_path / "law")
    assert "chêne" in path.read_text()
    with pytest.raises(ValueError, match="not JSON compliant"):
        replace(law, validation={"z": float("nan")}).save(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_law_on_a_surface_is_found_if_one_ships():
    assert shipped_law_on("glass") == shipped_law("glass")
    assert shipped_law_on("moor") is None


@pytest.mark.parametrize("surface", SURFACES)
def test_a_law_is_also_named_by_its_surface(surface):
    assert find_law(surface) == shipped_law(shipped_name(surface))
    assert find_law(surface).surface.name == surface
    assert (
        brickphys.odds(3, 2, surface).law_name
        == brickphys.odds(3, 2, shipped_name(surface)).law_name
    )


def test_a_misspelled_surface_is_answered_with_its_law():
    with pytest.raises(LawFileError, match="did you mean 'wood'"):
        find_law("woood")
    assert shipped_name("woood") is None


def test_a_law_without_intervals_of_poses_is_read(law, document):
    del document["poses_ci95"], document["scoring"]
    assert parse_law(json.dumps(document)) == law


def test_what_is_found_out_about_a_file_is_told_without_its_name(law, document, tmp_path):
    path = law.save(tmp_path / "law.json")
    form, *others = checks(path)
    assert form.what.startswith("JSON with the keys of a law")
    assert form.fault is None
    assert others == list(law_checks(parse(path.read_text())))
    path.write_text(json.dumps(document | {"seed": -1}))
    (form,) = checks(path)
    assert form.fault == "seed: -1 should be greater than or equal to 0"


def test_a_law_without_optional_parts_comes_back(independent, tmp_path):
    bare = replace(
        independent,
        hands_engine=None,
        overdispersion=None,
        p_range90=None,
        systematic=None,
        validation=None,
        scores={},
    )
    assert read_law(bare.save(tmp_path / "law.json")) == bare


def test_a_law_says_what_computed_it(law, tmp_path):
    stamped = replace(law, stamp=stamp_here())
    assert read_law(stamped.save(tmp_path / "law.json")) == stamped
    assert "stamp" not in law.document()


def test_a_law_of_an_earlier_version_has_no_range(law, document, tmp_path):
    del document["p_side"]["range90"], document["systematic"]["range_error"]
    document["systematic"]["half_width"] = 0.03
    path = tmp_path / "law.json"
    path.write_text(json.dumps(document))
    old = read_law(path)
    assert old == replace(law, p_range90=None, systematic=replace(law.systematic, range_error=None))


def test_a_file_is_replaced_only_by_force(law, tmp_path):
    path = tmp_path / "law.json"
    path.write_text("mine")
    with pytest.raises(InvalidValueError, match="exists already"):
        law.save(path)
    assert path.read_text() == "mine"
    law.save(path, force=True)
    assert read_law(path) == law


def test_a_failed_write_leaves_nothing_behind(law, tmp_path, monkeypatch):
    path = tmp_path / "law.json"
    path.write_text("mine")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidValueError, match="No space left"):
        law.save(path, force=True)
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


FAULTS = """
schema = "brickphys.law/2" => schema: 'brickphys.law/2' is not 'brickphys.law/1'
p_side.fraction = "1999/10000" => p_side.fraction: 1999/10000, but the counts give 2000/10000
p_side.fraction = "7/5" => p_side.fraction: 7/5 is outside 0..1
p_side.fraction = "1/0" => p_side.fraction: '1/0' is not a fraction such as
p_side.throws = 9999 => p_side.throws: 9999, but the counts add up to 10000
p_side.ci95 = [0.3, 0.4] => p_side.ci95: [0.3, 0.4] does not contain 2000/10000
p_side.ci95 = [0.1, 1.4] => p_side.ci95[1]: 1.4 should be less than or equal to 1
p_side.range90 = [0.3, 0.2] => p_side.range90: [0.3, 0.2] is reversed
counts.studs_up = -3 => counts.studs_up: -3 should be greater than or equal to 0
counts.studs_up = 2.5 => counts.studs_up: 2.5 should be a valid integer
counts.studs_up = true => counts.studs_up: true should be a valid integer
scores.3.hands = 12 => scores.3.hands: 12, but its counts add up to 4000
scores.2.counts = [1, 2] => scores.2.counts: 2 counts where 2 bricks have 3 scores
scores.2.cuonts = [] => scores.2.cuonts: unknown key, did you mean 'counts'?
scores.1.counts = [7999, 2001] => scores.1.counts: [7999, 2001] disagree
conditions.hieght_mm = 3 => conditions.hieght_mm: unknown key, did you mean 'height_mm'?
conditions.height_mm = [300, 100] => conditions.height_mm: [300.0, 100.0] is reversed
surface.friction = NaN => surface.friction: nan is not a finite number
surface.friction = Infinity => surface.friction: inf is not a finite number
surface.restitution = 1.5 => surface.restitution: 1.5 should be less
systematic.sources.friction.shift = "big" => systematic.sources.friction.shift: 'big' should
systematic.sources.friction.shfit = 1 => did you mean 'shift'?
overdispersion.p_value = 2 => overdispersion.p_value: 2
overdispersion.p_value = 0.9 => overdispersion.p_value: 0.9, but
overdispersion.rho = 0.3 => overdispersion.rho: 0.3, but
overdispersion.ci95 = [-1.0, 1.0] => overdispersion.ci95: [-1.0, 1.0], but
overdispersion.factor.3 = 1.0 => overdispersion.factor.3: 1.0, but
overdispersion.factor = {} => overdispersion.factor.2: missing
overdispersion.bricks = [2, 3] => overdispersion.bricks: [2, 3], but
overdispersion.finding = "fair" => overdispersion.finding: 'fair', but
overdispersion = null => overdispersion: missing
p_side.ci95 = [0.0, 1.0] => p_side.ci95: [0.0, 1.0], but the counts give [0.19
p_side.range90 = [0.0, 1.0] => p_side.range90: [0.0, 1.0] is 1 wide, but the shifts
p_side.range90 = [0.2, 0.2] => p_side.range90: [0.2, 0.2] is 0 wide, but the shifts
p_side.range90 = [0.8, 0.83] => p_side.range90: [0.8, 0.83] is far from p = 0.2
systematic.range_error = 0.5 => systematic.range_error: 0.5, but the shifts
p_side.range90 = null => p_side.range90: missing
systematic = null => systematic: null, but p_side.range90 rests on it
systematic.range_error = null => systematic.range_error: missing
systematic.sources = {} => systematic.sources.contact_law: missing
systematic.sources.friction.low = 0.7 => friction: low 0.7 is above high 0.6
poses_ci95.studs_up = [0.0, 1.0] => poses_ci95.studs_up: [0.0, 1.0], but the counts
poses_ci95.edge = [0.0, 1.0] => poses_ci95.edge: not expected here
shape = "coin:20x2" => shape: 'coin:20x2' is not a brick or plate
counts.edge = 0 => counts: the poses are side, studs_up, studs_down, leaning, unsettled, e
scoring = ["side", "unsettled"] => 'unsettled'], but of bricks the side scores
hands_engine = null => hands_engine: null, but of hands of several bricks there are some
prior_hands = {"2": [1, 1, 1]} => prior_hands: there is no prior law
prior_hands = {"2": [1, 1]} => prior_hands.2: 2 counts where 2 bricks have 3 scores
stamp = {"sources": {}} => stamp.versions: missing
stamp = "mine" => stamp: 'mine' should be an object
validation.score = NaN => validation.score: nan is not a finite number
sede = 3 => sede: unknown key, did you mean 'seed'?
seed = 9007199254740992 => seed: 9007199254740992 should be less than
zzzzzzzz = 3 => zzzzzzzz: unknown key, known: schema, shape
surface = [] => surface: [] should be an object
"""
"""A key of a law file, the JSON put there, ``=>``, and what is said."""


def read_fault(line):
    """Return an edit of a law as `text` takes it, and what is said of it."""
    edit, _, said = line.partition(" => ")
    path, _, value = edit.partition(" = ")
    return {path.replace(".", "__"): json.loads(value)}, said


@pytest.mark.parametrize("line", FAULTS.strip().splitlines())
def test_one_line_says_what_is_wrong_and_where(law, line):
    edit, said = read_fault(line)
    assert said in refused(law, **edit)


def test_every_fault_is_listed(document, tmp_path):
    del document["seed"]
    document["counts"]["side"] = -1
    document["surfaec"] = 1
    file = tmp_path / "law.json"
    file.write_text(json.dumps(document))
    with pytest.raises(LawFileError) as caught:
        read_law(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert str(caught.value).count(";") == 2
    assert "seed: missing" in str(caught.value)


def test_a_file_cut_short_anywhere_is_refused(law, tmp_path):
    file = law.save(tmp_path / "law.json")
    text = file.read_text().rstrip()
    for length in range(0, len(text), 37):
        file.write_text(text[:length])
        with pytest.raises(LawFileError, match="not JSON"):
            read_law(file)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[1, 2]", "is not a JSON object"),
        (b"{}", "schema: missing"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"[" * 100_000, "more than 20 tables or arrays within each other"),
    ],
)
def test_other_files_are_no_laws(tmp_path, content, words):
    file = tmp_path / "law.json"
    file.write_bytes(content)
    with pytest.raises(LawFileError, match=words):
        read_law(file)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(LawFileError, match=r"law\.json: cannot be read: No such file"):
        read_law(tmp_path / "law.json")


def test_odds_load_no_heavy_library():
    code = "import sys, brickphys.odds; print(sorted({'numpy', 'scipy', 'pydantic'} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_a_shipped_law_goes_before_a_file_of_the_same_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_law("default") == shipped_law("default")
    replace(shipped_law("default"), seed=77).save("default")
    assert find_law("default") == shipped_law("default")
    assert find_law("./default").seed == 77


@pytest.mark.parametrize("name", shipped_laws())
def test_every_shipped_law_reached_its_aim(name):
    law = shipped_law(name)
    assert law.complete
    assert law.command
    assert law.systematic is not None


def test_a_combined_law_says_of_what(law, tmp_path):
    combined = replace(HOME, prior_range90=(0.1, 0.3), prior_command="calibrate")
    whole = narrowed(law, combined=combined, prior_hands=law.tested_hands)
    assert read_law(whole.save(tmp_path / "law.json")) == whole
    assert "combined" not in law.document()
    told = refused(whole, combined__scores__2=[3, 1])
    assert "combined.scores.2: 2 counts where 2 bricks have 3" in told


COMBINED_FAULTS = """
p_side.ci95 = [0.0, 1.0] => p_side.ci95: [0.0, 1.0] is not the interval of a share of 0.2
p_side.range90 = [0.2, 0.2] => p_side.range90: [0.2, 0.2] is not the 90 % range within
p_side.range90 = [0.1, 0.3] => p_side.range90: [0.1, 0.3] is not the 90 % range within
combined.prior_ci95 = [0.0, 1.0] => combined.prior.ci95: [0.0, 1.0] is not the interval
combined.prior_ci95 = [0.3, 0.4] => combined.prior_ci95: [0.3, 0.4] does not contain 0.2
combined.poses = {"side": 9} => combined.poses: of 9 bricks, but the scores are of 8
overdispersion.rho = 0.3 => overdispersion.rho: 0.3, but
overdispersion = null => overdispersion: missing
prior_hands.2 = [9, 9, 9] => overdispersion.rho:
systematic = {"throws": 0, "sources": {}} => systematic: the interval of p has all
"""


@pytest.mark.parametrize("line", COMBINED_FAULTS.strip().splitlines())
def test_a_combined_law_is_compared_with_its_prior_and_bounded(law, line):
    combined = narrowed(law, combined=HOME, prior_hands=law.tested_hands)
    assert parse_law(text(combined)) == combined
    edit, said = read_fault(line)
    assert said in refused(combined, **edit)


def test_versions_are_those_of_the_stamp(law):
    here = stamp_here()
    stamped = replace(law, stamp=here, versions={"numpy": here.versions["numpy"], "other": "1"})
    document = stamped.document()
    assert parse_law(json.dumps(document)).versions == stamped.versions
    document["versions"]["numpy"] = "0.1"
    with pytest.raises(LawFileError, match=r"versions\.numpy: '0\.1', but the stamp says"):
        parse_law(json.dumps(document))


def test_a_law_keeps_what_scores_and_the_files_it_was_thrown_from(law, tmp_path):
    sides = law.counts["side"] + law.counts["studs_up"]
    other = replace(
        law,
        scoring=("studs_up", "side"),
        share_ci95=wilson(sides, law.throws),
        scores={1: (law.throws - sides, sides)},
        hands_engine=None,
        overdispersion=None,
        p_range90=(0.47, 0.54),
        files={"cap.toml": "0" * 64},
    )
    assert (other.p, other.stops) == (Fraction(sides, law.throws), "as studs_up or side")
    assert (law.scored, law.stops) == ("a side", "on a side")
    assert read_law(other.save(tmp_path / "law.json")) == other
    for pose, (low, high) in other.poses_ci95.items():
        assert low <= Fraction(law.counts[pose], law.throws) <= high
    with pytest.raises(InvalidValueError, match=r"counts\.edge: missing"):
        replace(law, scoring=("edge",))
    with pytest.raises(InvalidValueError, match=r"scoring: .* are not one or more different poses"):
        replace(law, scoring=("side", "side"))


def test_a_key_twice_is_refused(law):
    text = json.dumps(law.document())
    with pytest.raises(LawFileError, match="the key 'seed' is there twice"):
        parse_law(text.replace('"seed": 7', '"seed": 7, "seed": 8'))


@pytest.mark.parametrize("again", ["02", " 2", "+2", "2.0"])
def test_a_number_of_bricks_is_a_key_in_one_form(law, again):
    """The last of two keys would count, and a reader may look at the first."""
    document = law.document()
    document["scores"] = {again: {"hands": 9, "counts": [0, 0, 9]}, **document["scores"]}
    with pytest.raises(LawFileError, match=r"scores\..*: should be a positive integer, without"):
        parse_law(json.dumps(document))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("defaults", r"defaults: no such file, nor a shipped law \(.*default, "),
        ("", "the name of the law file is empty"),
    ],
)
def test_a_law_that_is_nowhere_is_told(name, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LawFileError, match=words):
        find_law(name)
