"""What a law says of its origin is compared with bricks, tables and throws, and with its prior law and counts."""

import json
from dataclasses import replace
from math import tanh

import numpy as np
import pytest

from brickphys.calibration import law_stamp
from brickphys.calibration.calibrate import law_of_throws
from brickphys.calibration.combined_law import combined_law
from brickphys.calibration.law_origin import checks
from brickphys.calibration.law_stamp import fixed_throws
from brickphys.calibration.systematic import CONTACT_LAW_LOGITS
from brickphys.calibration.throw import throw
from brickphys.errors import InvalidValueError
from brickphys.files import fingerprint
from brickphys.odds.answer import odds
from brickphys.odds.law_file import default_law, parse_law, shipped_law
from brickphys.odds.provenance import Source
from brickphys.stamp import stamp_here
from brickphys.throws.conditions import SURFACES, surface

SHARE_ALONE = dict.fromkeys(("systematic", "p_range90", "nominal", "posterior"))
"""What is missing of a law whose range is not known."""


def faults(path):
    return [check.fault for check in checks(path) if check.fault]


@pytest.fixture(scope="module")
def both(thrown):
    counts = thrown(np.random.default_rng(1), 500, 3, (0.35, 0.36, 0.29))
    return combined_law(default_law(), counts, "mine.csv", "brickphys infer mine.csv"), counts


def test_a_combined_law_follows_from_prior_law_and_counts(both, tmp_path):
    law, counts = both
    assert faults(law.save(tmp_path / "mine.json")) == []
    again = combined_law(law, counts, "more.csv", "brickphys infer more.csv --law mine.json")
    assert faults(again.save(tmp_path / "more.json")) == []


def test_a_contradiction_that_is_not_told_is_found(thrown, tmp_path):
    """A brick stops on a side in 45 % of 1,500, and in 29.0 % by the prior law."""
    counts = thrown(np.random.default_rng(1), 500, 3, (0.3, 0.25, 0.45))
    law = combined_law(default_law(), counts, "mine.csv", "brickphys infer mine.csv")
    assert law.contradiction.startswith("1,500 bricks of mine.csv contradict the prior law")
    assert faults(law.save(tmp_path / "mine.json", force=True)) == []
    (fault,) = faults(replace(law, contradiction="").save(tmp_path / "cut.json"))
    assert fault == f"contradiction: missing, but {law.contradiction}"


@pytest.mark.parametrize(
    "edit",
    [
        lambda law: {"share_ci95": (law.ci95[0] - 0.001, law.ci95[1])},
        lambda law: {"p_range90": (law.p_range90[0], law.p_range90[1] + 0.0005)},
        lambda law: {"combined": replace(law.combined, scores={3: (9, 9, 1, 1)}, poses=None)},
        lambda law: {"combined": replace(law.combined, prior_range90=(0.28, 0.29))},
        lambda law: {
            "counts": {**law.counts, "side": law.sides - 3, "studs_up": law.counts["studs_up"] + 3},
            "scores": {1: (law.throws - law.sides + 3, law.sides - 3)},
        },
    ],
)
def test_a_combined_law_that_does_not_follow_is_found(both, tmp_path, edit):
    law, _ = both
    (fault,) = faults(replace(law, **edit(law)).save(tmp_path / "mine.json"))
    assert "but prior law and counts give" in fault


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("shape", "4x2", "shape: '4x2' is not the name of a brick or plate"),
        ("engine", "quick", "engine: 'quick' is not one of bullet, compiled, mujoco"),
        ("command", "brickphys 'calibrate", "command: No closing quotation"),
        ("seed", 5, "seed: 5, but the command gives 2026"),
        ("surface.name", "felt", "surface.name: 'felt' does not ship"),
        ("surface.name", "glass", "surface: friction and restitution are not those of glass"),
        ("surface.friction", 6.0, "surface.friction: 6.0 should be less than or equal to 5"),
        ("surface.floor", "moor", "surface.floor: 'moor' is not one of plane"),
        (
            "conditions.speed_m_s",
            90.0,
            "conditions.speed_m_s: 90.0 should be less than or equal to 20",
        ),
        ("conditions.spin_rad_s", 29.0, "conditions: are not those of the preset 'hand'"),
        ("systematic.sources.wall_mm.low", 1.0, "systematic.sources.wall_mm: should be from 1.2"),
        ("systematic.sources.wind", None, "systematic.sources.wind: is not a source of such a law"),
        ("systematic.sources.contact_law.error", 0.1, "is beyond the largest difference"),
    ],
)
def test_what_is_not_that_of_bricks_tables_and_throws_is_found(tmp_path, key, value, words):
    document = json.loads(json.dumps(default_law().document()))
    place = document
    *path, last = key.split(".")
    for part in path:
        place = place[part]
    place[last] = place["friction"] if value is None else value
    file = tmp_path / "law.json"
    file.write_text(json.dumps(document))
    assert words in "; ".join(faults(file))


def test_a_stamp_says_whether_these_sources_threw_the_law(tmp_path):
    def told(stamp):
        path = replace(default_law(), stamp=stamp).save(tmp_path / "law.json", force=True)
        assert faults(path) == []
        return next(check.what for check in checks(path) if "stamp" in check.what[:8])

    here = stamp_here()
    assert told(None).startswith("no stamp: ")
    assert told(here) == f"stamp {here.digest}: computed by these sources"
    other = replace(here, sources={**here.sources, "engines": "0" * 16})
    assert told(other).endswith("not by these sources: the sources of engines have changed")
    thrown = fixed_throws({"compiled"})
    same = told(replace(other, results=thrown))
    assert same.endswith(
        "computed not by these sources, but all 384 fixed results (throws by compiled) come out the "
        "same: the sources of engines have changed"
    )
    digits = thrown["throws by compiled"]
    changed = {"throws by compiled": digits[:-1] + ("1" if digits[-1] == "0" else "0")}
    assert told(replace(other, results=changed)).endswith(
        "computed not by these sources: 1 of 384 fixed throws by compiled come out otherwise; the "
        "sources of engines have changed"
    )


def test_fixed_throws_feel_a_small_change_of_a_coefficient(monkeypatch):
    before = law_stamp._digits("compiled")
    wood = SURFACES["wood"]
    ends = tuple(end + 1e-6 for end in wood.restitution)
    monkeypatch.setitem(law_stamp.SURFACES, "wood", replace(wood, restitution=ends))
    after = law_stamp._digits("compiled")
    others = [one != other for one, other in zip(before, after, strict=True)]
    assert sum(others[:128]) > 64
    assert not any(others[128:])


def test_files_of_body_and_surface_are_compared_where_they_are(tmp_path):
    law = replace(default_law(), files={"felt.toml": "0" * 64, "gone.toml": "1" * 64})
    law = replace(law, shape="block", command="", **SHARE_ALONE)
    path = law.save(tmp_path / "law.json")
    assert "files of body and surface: 0 of 2 are there" in {check.what for check in checks(path)}
    (tmp_path / "felt.toml").write_text("friction = 1")
    assert faults(path) == ["files: felt.toml has changed since the throws"]


def test_what_nothing_determines_is_listed(both, tmp_path):
    law, _ = both
    thrown, doubted = "taken on trust: what was thrown: ", "taken on trust: combined: what was"
    rests = "systematic: shifts, errors, throws; within bounds p_side.range90"
    hands = "overdispersion: its hands are not in the file"

    def trusted(one):
        path = one.save(tmp_path / "law.json", force=True)
        assert faults(path) == []
        return list(checks(path))[-1].what

    told = trusted(default_law())
    assert told.startswith(thrown)
    assert rests in told
    assert "prior_hands" not in told
    assert "measured" not in told
    told = trusted(replace(default_law(), **SHARE_ALONE))
    assert rests not in told
    told = trusted(law)
    assert told.startswith(doubted)
    assert "the other poses in counts; prior_hands" in told
    assert hands not in told
    assert rests not in told
    assert hands in trusted(replace(law, prior_hands=None))


def test_a_law_on_studs_may_be_thrown_by_mujoco_where_pybullet_is_missing(tmp_path):
    law = shipped_law("baseplate")
    systematic = replace(law.systematic, reference="mujoco")
    for other, is_told in ((systematic, False), (law.systematic, True)):
        own = replace(law, engine="mujoco", hands_engine="mujoco", systematic=other)
        told = " ".join(faults(own.save(tmp_path / f"{is_told}.json")))
        assert ("but the command gives" in told) == is_told


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("brickphys calibrate --seed 2026 --shape 2x4", "shape: 2x2, but the command gives 2x4"),
        ("brickphys calibrate --seed=2025", "seed: 2026, but the command gives 2025"),
        ("brickphys calibrate", "seed: 2026, but the command gives drawn: not in the command"),
        ("brickphys calibrate --seed 2026 --preset cup", "conditions.preset: hand, but"),
        ("brickphys calibrate --seed 2026 --surface glass", "surface.name: wood, but"),
        ("brickphys calibrate --seed 2026 --engine bullet", "engine: compiled, but the command"),
        ("brickphys calibrate --seed 2026 --engine compiled", "hands_engine: bullet, but"),
        ("brickphys calibrate --seed 2026 --floor baseplate", "surface.floor: plane, but"),
        ("brickphys calibrate --seed 2026 --half-width 1e-9", "complete: true, but the half-width"),
        ("brickphys calibrate --seed 2026 --surface mine.toml", None),
        ("brickphys calibrate --seed 2026 --half-width wide", None),
        ("brickphys calibrate --half-width 0.5 --seed 2026", None),
        ("brickphys throw --seed 1", None),
        ("make laws", None),
    ],
)
def test_the_options_of_the_command_are_those_of_the_law(tmp_path, command, words):
    law = replace(default_law(), command=command)
    found = "; ".join(faults(law.save(tmp_path / "law.json")))
    assert (words in found) if words else not found


def test_the_command_of_a_law_that_has_not_reached_its_aim_is_not_asked_for_its_width(tmp_path):
    law = replace(default_law(), complete=False)
    law = replace(law, command=f"{law.command} --half-width 1e-9")
    assert faults(law.save(tmp_path / "law.json")) == []


def test_a_law_that_is_as_narrow_as_the_command_asks_for_is_complete(tmp_path):
    law = default_law()
    half_width = (law.share_ci95[1] - law.share_ci95[0]) / 2
    asked = "brickphys calibrate --seed 2026 --half-width"
    assert told(replace(law, command=f"{asked} {half_width!r}"), tmp_path) == ""
    wider = told(replace(law, command=f"{asked} {0.99 * half_width!r}"), tmp_path)
    assert "wider than the command asks for" in wider


def test_a_combined_law_may_differ_by_what_libraries_round(both, tmp_path):
    """By a millionth in intervals and ranges, and by one brick."""
    law, _ = both
    (low, high), side, up = law.share_ci95, law.counts["side"], law.counts["studs_up"]
    for shift, bricks, is_one in (
        (5e-7, 0, True),
        (2e-6, 0, False),
        (0.0, 1, True),
        (0.0, 2, False),
    ):
        wide = replace(law, share_ci95=(low + shift, high - shift))
        fewer = counted(wide, side=side - bricks, studs_up=up + bricks)
        more = counted(wide, side=side, studs_up=up + bricks)
        for one in (fewer, more):
            assert ("but prior law and counts give" not in told(one, tmp_path)) is is_one


def counted(law, **counts):
    """Return a law with other counts of single bricks."""
    poses = {**law.counts, **counts}
    sides = poses["side"]
    return replace(law, counts=poses, scores={1: (sum(poses.values()) - sides, sides)})


def test_a_combined_law_without_a_range_follows_too(both, tmp_path):
    law, _ = both
    assert faults(replace(law, p_range90=None).save(tmp_path / "mine.json")) == []


def test_a_correlation_that_was_found_at_home_shows_its_hands(thrown, tmp_path):
    counts = thrown(np.random.default_rng(2), 500, 3, (0.3, 0.3, 0.4), rho=0.4)
    law = combined_law(default_law(), counts, "mine.csv", "brickphys infer mine.csv")
    path = replace(law, prior_hands=None).save(tmp_path / "mine.json", force=True)
    assert faults(path) == []
    assert "hands are not in the file" not in list(checks(path))[-1].what


def with_source(law, name, **values):
    """Return a law with some values of one of its sources changed; it need not have that source."""
    sources = law.systematic.sources
    changed = replace(sources.get(name, Source(0.0, 1.0, 0.0, 0.0)), **values)
    return replace(law, systematic=replace(law.systematic, sources={**sources, name: changed}))


def told(law, tmp_path):
    return "; ".join(faults(law.save(tmp_path / "law.json", force=True)))


def test_the_contact_law_shifts_p_by_no_more_than_a_study_found(tmp_path):
    """From -x to x the logistic function rises by tanh(x / 2)."""
    least, greatest = CONTACT_LAW_LOGITS
    most, words = tanh((greatest - least) / 4), "is beyond the largest difference that was found"
    for shift in (0.0, most):
        found = told(with_source(default_law(), "contact_law", shift=shift), tmp_path)
        assert words not in found
    for shift in (-1e-6, most + 1e-6):
        found = told(with_source(default_law(), "contact_law", shift=shift), tmp_path)
        assert words in found


@pytest.mark.parametrize("name", ["contact_law", "engine", "wall_mm"])
def test_the_ends_of_a_source_are_those_that_are_known(tmp_path, name):
    law = default_law()
    source = law.systematic.sources[name]
    for low, high in ((source.low - 1e-6, source.high), (source.low, source.high + 1e-6)):
        words = f"systematic.sources.{name}: should be from {source.low:g} to {source.high:g}"
        assert words in told(with_source(law, name, low=low, high=high), tmp_path)
    rounded = with_source(law, name, low=source.low * (1 + 1e-11), high=source.high)
    assert told(rounded, tmp_path) == ""


def test_a_law_that_has_not_reached_its_aim_needs_no_reference_engine(tmp_path):
    law = default_law()
    kept = {name: one for name, one in law.systematic.sources.items() if name != "engine"}
    without = replace(law, systematic=replace(law.systematic, sources=kept))
    assert "systematic.sources.engine: missing" in told(without, tmp_path)
    assert "engine: missing" not in told(replace(without, complete=False), tmp_path)
    assert told(replace(law, complete=False), tmp_path) == ""


def test_conditions_of_no_preset_are_any(tmp_path):
    own = replace(default_law().conditions, preset="custom", spin_rad_s=29.0)
    law = replace(default_law(), conditions=own, command="", **SHARE_ALONE)
    assert told(law, tmp_path) == ""
    named = replace(law, conditions=replace(own, preset="shovel"))
    assert "conditions: are not those of the preset 'shovel'" in told(named, tmp_path)


def test_engines_of_hands_are_known_ones(tmp_path):
    law = replace(default_law(), hands_engine="quick", command="")
    assert "hands_engine: 'quick' is not one of bullet" in told(law, tmp_path)


def test_a_file_is_looked_for_beside_the_law_and_then_here(tmp_path, monkeypatch):
    here, beside = tmp_path / "here", tmp_path / "beside"
    for folder in (here, beside):
        folder.mkdir()
    monkeypatch.chdir(here)
    (here / "felt.toml").write_text("friction = 1")
    files = {"felt.toml": fingerprint(here / "felt.toml")}
    law = replace(default_law(), files=files, command="", **SHARE_ALONE)
    path = law.save(beside / "law.json")
    assert faults(path) == []
    assert "files of body and surface: 1 of 1 are there" in {one.what for one in checks(path)}
    (beside / "felt.toml").write_text("friction = 2")
    assert faults(path) == ["files: felt.toml has changed since the throws"]
    (here / "felt.toml").rename(beside / "felt.toml")
    (here / "felt.toml").write_text("friction = 2")
    assert faults(path) == []


def test_the_sources_of_a_law_that_was_thrown_from_files_have_any_ends(tmp_path):
    """The ranges of its surface are in a file, those of engines and of the contact law are known."""
    law = with_source(default_law(), "friction", low=0.11)
    assert "systematic.sources.friction: should be from" in told(law, tmp_path)
    law = replace(law, files={"felt.toml": "0" * 64}, command="")
    own = replace(law, surface=replace(law.surface, name="felt", friction=0.305))
    for one in (law, own):
        assert told(one, tmp_path) == ""
        words = "systematic.sources.contact_law: should be from -0.084 to 0.128"
        assert words in told(with_source(one, "contact_law", low=-2.0), tmp_path)


@pytest.mark.parametrize(("key", "off"), [("friction", 0.11), ("restitution", 0.01)])
def test_a_table_of_ones_own_has_its_restitution_in_the_middle_and_its_friction_within_the_range(
    key, off, tmp_path
):
    law = replace(default_law(), files={"felt.toml": "0" * 64}, command="")
    for more, fault in ((0.0, ""), (off, f"surface.{key}")):
        surface = replace(law.surface, name="felt", **{key: getattr(law.surface, key) + more})
        assert told(replace(law, surface=surface), tmp_path).partition(": ")[0] == fault


def test_a_law_of_throws_is_written_checked_and_used(tmp_path):
    found = throw("2x2", 400, surface="glass", seed=4, progress=False)
    law = law_of_throws(found, surface("glass"))
    assert (law.counts, law.ci95, law.p_range90) == (found.counts, found.ci95, None)
    assert parse_law(json.dumps(law.document())) == law
    path = law.save(tmp_path / "own.json")
    assert [check.fault for check in checks(path) if check.fault] == []
    assert 0.3 < odds(3, 2, path).success < 0.5


@pytest.mark.parametrize(
    ("shape", "options", "fault"),
    [
        ("2x2", {"bricks": 2}, "one by one, not 2 together"),
        ("coin:24x2", {}, "a pose that scores"),
        ("2x2", {"friction": 0.1}, "friction 0.1 and restitution .* are not those of wood"),
    ],
)
def test_what_makes_no_law_says_why(shape, options, fault):
    found = throw(shape, 2, seed=1, progress=False, **options)
    with pytest.raises(InvalidValueError, match=fault):
        law_of_throws(found, surface("wood"))
