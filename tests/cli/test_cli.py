"""The command line, as programs and people meet it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import pytest

from brickphys.calibration import calibrate
from brickphys.calibration.plan import Plan
from brickphys.cli.main import cli
from brickphys.engines.bullet import BulletEngine
from brickphys.engines.compiled import CompiledEngine
from brickphys.engines.registry import ENGINES
from brickphys.odds.law_file import default_law, shipped_laws
from brickphys.odds.provenance import CONTACT_LAW, Source, Systematic
from tests.cases import few
from tests.command_line import answer, assert_refused
from tests.command_line import brickphys as run
from tests.jeep_scene import JEEP


def commands(group: click.Group, path: str = "brickphys") -> Iterator[tuple[str, click.Command]]:
    """Yield every command below a group with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def test_every_plot_is_one_option() -> None:
    plots = [p for _, command in commands(cli) for p in command.params if "--plot" in p.opts]
    assert len(plots) >= 12
    assert all(plot.help.endswith(" to this .png, .svg or .pdf file.") for plot in plots)


@pytest.mark.parametrize(
    "words",
    [
        "collide scene.toml",
        "sheet bow trooper --json",
        pytest.param("sheet bow trooper", marks=pytest.mark.slow),
        pytest.param("scenario bow duel", marks=pytest.mark.slow),
        pytest.param("odds 3 2", marks=pytest.mark.slow),
    ],
)
def test_a_plot_that_was_written_is_named_on_standard_error(words: str, tmp_path: Path) -> None:
    (tmp_path / "scene.toml").write_text(JEEP)
    result = run(*words.split(), "--plot", "map.png", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stderr == "plot: map.png\n"
    assert "map.png" not in result.stdout
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_what_is_cheap_is_checked_before_anything_heavy_is_loaded(tmp_path: Path) -> None:
    """One after another in one process: none of them loads anything."""
    lines = [
        "calibrate --out there.json",
        "sensitivity 2x2 --plot map.txt",
        "sensitivity 2x2 --points 65",
        "infer counts.csv --plot map.txt",
        "validate throws tosses.csv --plot map.txt",
        "validate engines --plot map.txt",
        "validate prisms --plot map.txt",
    ]
    (tmp_path / "there.json").write_text("{}")
    code = """
import sys
from brickphys.cli.main import main
for line in sys.argv[1:]:
    sys.argv[1:] = line.split()
    try:
        main()
    except SystemExit as end:
        print(line, end.code, sorted({"scipy", "numba", "pybullet"} & {*sys.modules}))
"""
    result = subprocess.run(
        [sys.executable, "-c", code, *lines],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert result.stdout.splitlines() == [f"{line} 2 []" for line in lines], result.stderr


def test_calibrate_shows_numbers_that_people_read() -> None:
    from brickphys.text import counted, short

    written = [short(number) for number in (133.3333333, 2 / 3, 1.5, 20.0, 12345.6, 0.0)]
    assert written == ["133", "0.667", "1.5", "20", "12,346", "0"]
    assert (counted(1, "hand"), counted(1200, "brick")) == ("1 hand", "1,200 bricks")


def test_help_names_every_command() -> None:
    listing = run("--help").stdout
    assert all(f"  {command} " in listing for command in cli.list_commands(click.Context(cli)))


@pytest.mark.parametrize(
    ("words", "command"), list(commands(cli)), ids=lambda v: v if isinstance(v, str) else ""
)
def test_every_command_has_an_example_and_the_options_of_all(words: str, command) -> None:
    text = command.get_help(click.Context(command))
    assert "Example" in text
    assert f"\n    {words}" in text
    assert "Not used" not in text
    assert max(map(len, text.splitlines())) <= 100
    if words != "brickphys completion":  # it prints a script
        assert "--json" in text
        assert any("--seed" in option.opts for option in command.params)


def test_no_command_shows_the_help() -> None:
    assert run().stdout == run("--help").stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_a_completion_script(shell: str) -> None:
    assert "_BRICKPHYS_COMPLETE" in run("completion", shell).stdout


def test_poses_of_a_brick() -> None:
    poses = {pose["name"]: pose for pose in answer("poses", "2x2")["poses"]}
    assert set(poses) == {"studs_up", "studs_down", "side"}
    assert poses["side"]["faces"] == 4
    assert poses["side"]["rest_height_mm"] == pytest.approx(7.9)
    assert sum(pose["solid_angle_share"] for pose in poses.values()) == pytest.approx(1.0)


def test_an_edge_radius_is_an_option_or_a_part_of_the_name() -> None:
    option, name = (
        answer("poses", *words) for words in (("2x2", "--edge-radius-mm", "0.3"), ("2x2:r0.3",))
    )
    assert option == name
    assert (option["shape"], option["edge_radius_mm"]) == ("2x2:r0.3", 0.3)
    assert answer("poses", "2x2")["edge_radius_mm"] == 0.2
    words = ("drop", "d6:16", "--edge-radius-mm", "2", "--throws", "20", "--workers", "1")
    dropped = answer(*words, "--seed", "3")
    assert (dropped["shape"], dropped["edge_radius_mm"]) == ("d6:16:r2", 2)


def test_drop_reports_the_conditions_it_used() -> None:
    words = "drop 2x2 --throws 20 --bricks 2 --surface cloth --height-mm 120:150 --speed-m-s 0.5"
    result = answer(
        *words.split(),
        "--spin-rad-s",
        "10",
        "--restitution",
        "0.2",
        "--workers",
        "1",
        "--seed",
        "3",
    )
    assert result["throws"] == 20
    assert sum(result["counts"].values()) == 40
    assert result["p_side"] == result["counts"]["side"] / 40
    assert result["ci95"][0] < result["p_side"] < result["ci95"][1]
    assert (result["height_mm"], result["speed_m_s"], result["spin_rad_s"]) == ([120, 150], 0.5, 10)
    assert (result["friction"], result["restitution"]) == (0.55, 0.2)
    assert (result["preset"], result["surface"], result["seed"]) == ("hand", "cloth", 3)
    assert (result["engine"], result["floor"]) == ("bullet", "plane")
    assert result["throws_per_s"] == pytest.approx(20 / result["seconds"])


@pytest.mark.slow
def test_drop_gives_the_same_counts_for_any_number_of_workers() -> None:
    words = ("drop", "2x2", "--throws", "40", "--seed", "3")
    assert answer(*words, "--workers", "1")["counts"] == answer(*words, "--workers", "2")["counts"]


def test_every_shipped_law_is_listed_and_can_be_used_by_name() -> None:
    listed = {entry["name"]: entry for entry in answer("laws")["laws"]}
    assert "default" in listed
    for name, entry in listed.items():
        assert entry["ci95"][0] < entry["p_side"] < entry["ci95"][1]
        assert answer("odds", "1", "0", "--law", name)["p"] == pytest.approx(entry["p_side"])


def test_a_shape_without_sides_has_no_share_of_sides() -> None:
    result = answer("drop", "coin:23x2", "--throws", "20", "--workers", "1", "--seed", "1")
    assert result["p_side"] is None
    assert result["ci95"] is None
    assert set(result["counts"]) == {"heads", "tails", "edge", "leaning", "unsettled"}


def test_a_drawn_seed_is_told_and_repeats_the_throws() -> None:
    first = answer("drop", "2x2", "--throws", "30", "--workers", "1")
    again = answer("drop", "2x2", "--throws", "30", "--workers", "1", "--seed", str(first["seed"]))
    assert again["counts"] == first["counts"]


def test_odds_of_a_stated_chance_are_exact() -> None:
    result = answer("odds", "1", "1", "--p", "1/3", "--hp", "1")
    assert result["success_exact"] == "2/9"
    assert result["kill"] == pytest.approx(2 / 9)
    assert result["damage"] == pytest.approx({"0": 7 / 9, "1": 2 / 9})
    assert result["success_ci95"] is None
    assert result["extrapolated"] is False


def test_odds_of_the_shipped_law_carry_its_interval() -> None:
    result = answer("odds", "3", "2")
    assert result["p"] == pytest.approx(float(default_law().p))
    low, high = result["success_ci95"]
    assert low <= result["success"] <= high
    assert answer("odds", "30", "2")["extrapolated"] is True


def test_odds_show_the_range_first_and_the_counting_error_after_it(tmp_path: Path) -> None:
    default_law().save(tmp_path / "ranged.json")
    asked = ("odds", "3", "2", "--law", "ranged.json")
    result = answer(*asked, cwd=tmp_path)
    (low, high), (least, most) = result["success_ci95"], result["success_range90"]
    assert least < low < result["success"] < high < most
    lines = run(*asked, cwd=tmp_path).stdout.splitlines()
    known = "(90 % range: tables and hands of this kind)"
    assert lines[1] == f"a brick stops on a side in 24.5 % to 31.6 % {known}"
    assert lines[2].startswith("  nominal 28.3 % (27.6 % in a hand of several), by ranged.json")
    moved = "moved to bullet's limit by +0.44 +- 0.44 points"
    assert lines[3] == f"  single bricks by compiled, {moved}; hands by bullet"
    (place,) = (i for i, line in enumerate(lines) if line.startswith("success  "))
    assert lines[place].endswith(f"  {100 * least:.1f} % to {100 * most:.1f} % (90 % range)")
    assert lines[place + 1].endswith(f"  nominal        {100 * result['success']:.1f} %")
    assert lines[place + 2].startswith("  95 % interval  ")
    assert lines[place + 2].endswith(": error of the throws and of the engine's steps alone")
    bare = dict.fromkeys(("p_range90", "systematic", "nominal", "posterior"))
    replace(default_law(), **bare).save(tmp_path / "bare.json")
    told = run("odds", "3", "2", "--law", "bare.json", cwd=tmp_path).stdout
    assert "90 % range     not measured" in told
    stated = answer("odds", "3", "2", "--p", "1/3")
    assert stated["success_range90"] is stated["law_complete"] is None


def test_odds_say_what_the_law_lacks(tmp_path: Path) -> None:

    from brickphys.odds.roll import overdispersion

    measured = default_law()
    scores = {n: measured.scores[n] for n in (1, 2)}
    cut = replace(measured, scores=scores, overdispersion=overdispersion(scores), complete=False)
    cut.save(tmp_path / "cut.json")
    shown = run("odds", "5", "2", "--law", "cut.json", cwd=tmp_path).stdout
    assert "not complete" in shown
    assert "Hands of 5 bricks were not measured: they are extended from hands of 2." in shown
    assert answer("odds", "5", "2", "--law", "cut.json", cwd=tmp_path)["law_complete"] is False
    assert "not measured:" not in run("odds", "5", "2").stdout


def test_what_is_rare_is_not_called_impossible() -> None:
    damage = run("odds", "9", "9", "--law", "cloth").stdout.splitlines()
    assert any(line.split()[:3] == ["9", "<0.1", "%"] for line in damage)
    assert answer("odds", "1", "12", "--law", "cloth")["success"] > 0


def test_several_attacks_kill_more_surely() -> None:
    once, thrice = (
        answer("odds", "3", "2", "--hp", "2", "--attacks", n)["kill"] for n in ("1", "3")
    )
    assert once < thrice < 1


def test_odds_draws_the_heat_map(tmp_path: Path) -> None:
    result = run("odds", "3", "2", "--plot", "map.png", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    assert "--force" in run("odds", "3", "2", "--plot", "map.png", cwd=tmp_path).stderr


def test_a_roll_from_the_law_and_a_live_one() -> None:
    result = answer("roll", "5", "--seed", "4")
    assert 0 <= result["score"] <= 5
    assert result["poses"] is None
    assert answer("roll", "5", "--seed", "4") == result
    live = answer("roll", "3", "--live", "--seed", "4")
    assert live["score"] == live["poses"].count("side")


def test_calibrate_says_what_is_assumed_and_speaks_of_the_body(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shift by the contact law is no measurement; a body that is no brick has neither bricks nor sides."""
    known = {
        "engine": Source(0.0, 1.0, 0.0046, 0.003),
        CONTACT_LAW: Source(-0.084, 0.128, 0.043, 0.0),
    }
    made = Systematic(0.002, 5000, known, nominal_error=0.0041)
    law = replace(default_law(), nominal=0.283, systematic=made, posterior={"p": (0.283,)})
    monkeypatch.setattr(calibrate, "throw_law", lambda *_: law)
    words = ["calibrate", "--seed", "1", "--workers", "1", "--force", "--out", "law.json"]
    told = run(*words, cwd=tmp_path).stdout
    assert re.search(r"contact law +as a study found \(triangular\) +\+4\.30, assumed", told)
    assert re.search(r"engine +moved to bullet +\+0\.46 \+- 0\.30", told)
    assert "  nominal 28.3 % (+- 0.8 points by throws and steps); single bricks by" in told
    assert re.search(
        r"together: \d+ bricks: standard deviation [\d.]+ instead of [\d.]+ sides", told
    )
    object.__setattr__(law, "scoring", ("studs_up",))
    told = run(*words, cwd=tmp_path).stdout
    assert re.search(
        r"together: \d+ bodies: standard deviation [\d.]+ instead of [\d.]+ that score;.* treat bodies as",
        told,
    )


@pytest.mark.parametrize("is_thrown", few([False, True]), ids=["planned", "thrown"])
def test_calibrate_writes_a_law_that_odds_can_read(
    is_thrown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[Plan] = []
    if is_thrown:
        for name, engine in (("bullet", BulletEngine), ("compiled", CompiledEngine)):
            monkeypatch.setitem(ENGINES, name, engine(chunk_bricks=128))  # not 65,536 throws
    else:
        monkeypatch.setattr(
            calibrate, "throw_law", lambda plan, *_: plans.append(plan) or default_law()
        )
    words = "calibrate --half-width 0.05 --bricks 1..2 --hands 20 --seed 1 --workers 1 --out law.json --plot law.png"
    result = answer(*words.split(), cwd=tmp_path)
    asked = [(one.half_width, one.max_bricks, one.hands, one.seed) for one in plans]
    assert is_thrown or asked == [(0.05, 2, 20, 1)]
    assert result["law_file"] == "law.json"
    assert result["throws"] == sum(result["counts"].values())
    assert (result["ci95"][1] - result["ci95"][0]) / 2 <= 0.05
    assert 0 < result["p_range90"][0] < result["p_range90"][1] < 1
    assert "friction" in result["systematic"]["sources"]
    assert (tmp_path / "law.png").read_bytes().startswith(b"\x89PNG")
    assert answer("odds", "2", "1", "--law", "law.json", cwd=tmp_path)["p"] == result["p_side"]
    before = (tmp_path / "law.json").read_bytes()
    refused = run(*words.split(), cwd=tmp_path)
    assert_refused(refused, "--force")
    assert (tmp_path / "law.json").read_bytes() == before


@pytest.mark.slow
def test_calibrate_tells_its_first_intervals_while_it_throws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENGINES, "compiled", CompiledEngine(chunk_bricks=128))
    words = "calibrate --half-width 0.1 --bricks 1..1 --seed 1 --workers 1 --out law.json"
    told = re.findall(
        r"brickphys: (\d+) single bodies: a side in (\S+) % to (\S+) %",
        run(*words.split(), cwd=tmp_path).stderr,
    )
    assert [int(count) for count, *_ in told] == [128, 256, 512]
    widths = [float(high) - float(low) for _, low, high in told]
    assert widths == sorted(widths, reverse=True)


def test_validate_engines_tests_every_pair_in_every_cell(tmp_path: Path) -> None:
    words = (
        "validate engines --shapes 2x2,d6:12 --surfaces wood --heights-mm 100:300 --workers 1 --seed 3"
        " --engines bullet,compiled --throws bullet=100,compiled=300 --plot engines.png"
    )
    result = answer(*words.split(), cwd=tmp_path)
    assert result["schema"] == "brickphys.validate.engines/1"
    assert result["checked"] == 2
    assert set(result["disagreements"]) == {"bullet-compiled"}
    assert 0 < result["smallest_p_value"] <= 1
    brick, die = result["cells"]
    assert (brick["pose"], die["pose"], brick["height_mm"]) == ("side", "1", [100, 300])
    assert die["quasi_static"] == pytest.approx(1 / 6)
    for cell in (brick, die):
        assert {name: found["throws"] for name, found in cell["engines"].items()} == {
            "bullet": 100,
            "compiled": 300,
        }
        (test,) = cell["tests"]
        assert test["ci95"][0] < test["shift"] < test["ci95"][1]
        assert 0 <= test["p_value"] <= 1
    assert (tmp_path / "engines.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("words", [("odds",), ("play",), ("odds", "minifig", "attack")])
def test_the_help_of_law_names_every_law_that_ships(words):
    shown = run(*words, "--help").stdout
    (told,) = re.findall(r"shipped law: ([^.]*)\.", " ".join(shown.split()))
    named = {*shipped_laws(), "wood", "plastic"}
    assert set(re.findall(r"[a-z]+", told)) - {"if", "not", "given", "or"} == named
