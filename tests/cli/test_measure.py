"""`brickphys measure`, as programs and people meet it."""

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from tests.command_line import answer as answered
from tests.command_line import assert_refused, brickphys

run = partial(brickphys, "measure")
answer = partial(answered, "measure")

TILT = ("tilt", 21.5, 23, 22, 22.5, 21)
DROP = ("drop", "75,21", "71,19", "78", "--height-mm", 300)


def write_film(path: Path, fps: float = 240.0, throws: int = 30) -> None:
    """Throws of 1 m/s and 30 rad/s on each axis from 100 to 300 mm, without noise."""
    rng = np.random.default_rng(1)
    rows = ["throw,frame,x,z,turns"]
    for number in range(throws):
        height = rng.uniform(100, 300)
        speed, spin = (np.linalg.norm(rng.normal(0, rms, n)) for rms, n in ((1.0, 2), (30.0, 3)))
        for frame in range(20):
            time = frame / fps
            z = height - 4905 * time**2
            rows.append(
                f"{number},{frame},{1000 * speed * time:.2f},{z:.2f},{spin * time / (2 * np.pi):.3f}"
            )
    path.write_text("\n".join(rows) + "\n")


def write_bench(folder: Path) -> None:
    """Write a film, counts, and a measurement file of all tests; bad ones, too."""
    write_film(folder / "film.csv")
    rows = ["bricks,score,surface,studs_up,studs_down,side,leaning"]
    for up, down, side in np.random.default_rng(2).multinomial(1, (0.33, 0.37, 0.3), 300):
        rows.append(f"1,{side},wood,{up},{down},{side},0")
    (folder / "counts.csv").write_text("\n".join(rows) + "\n")
    for words in (TILT, DROP, ("film", "film.csv", "--fps", 240)):
        assert run(*words, "--out", "mine.toml", cwd=folder).returncode == 0
    (folder / "one.csv").write_text("throw,frame,x,z\n1,0,0,9\n1,1,0,9\n2,0,0,9\n")
    (folder / "empty.csv").write_text("")
    ice = "[tilt]\nangles_deg = [3.0, 3.2]\nerror_deg = 0.1\n"
    (folder / "ice.toml").write_text(f'schema = "brickphys.measurements/1"\n{ice}')
    wavfile.write(folder / "silence.wav", 8000, np.zeros(8000, dtype=np.int16))


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    write_bench(folder)
    return folder


def test_tilt_gives_friction(tmp_path: Path) -> None:
    found = answer(*TILT, "--error-deg", 0.5, cwd=tmp_path)
    assert found["schema"] == "brickphys.measure-tilt/1"
    assert found["friction"]["value"] == pytest.approx(0.404, abs=0.001)
    assert found["friction"]["ci95"] == pytest.approx([0.3816, 0.4266], abs=0.001)
    assert found["angles_deg"] == [21.5, 23.0, 22.0, 22.5, 21.0]
    assert found["file"] is None
    assert "friction              0.404 (95 % interval 0.3" in run(*TILT, cwd=tmp_path).stdout


def test_drop_gives_restitution_by_heights_times_and_sound(tmp_path: Path) -> None:
    by_height = answer(*DROP, cwd=tmp_path)
    assert (by_height["drops"], by_height["bounces"]) == (3, 5)
    assert by_height["restitution"]["value"] == pytest.approx(0.509, abs=0.001)
    by_time = answer("drop", "--times", "0.25,0.125", "0.24,0.12,0.06", cwd=tmp_path)
    assert by_time["restitution"]["value"] == pytest.approx(0.5)
    samples = np.zeros(5 * 8000, dtype=np.int16)
    samples[[4000, 6000, 7000, 20000, 22000, 23000]] = 20_000
    wavfile.write(tmp_path / "drops.wav", 8000, samples)
    result = run("drop", "--sound", "drops.wav", "--json", cwd=tmp_path)
    assert json.loads(result.stdout)["restitution"]["value"] == pytest.approx(0.5)
    assert result.stderr == "note: drops.wav: flights of each drop in s: 0.250/0.125, 0.250/0.125\n"


def test_film_gives_the_throw(bench: Path) -> None:
    found = answer("film", "film.csv", "--fps", 240, cwd=bench)
    assert (found["throws"], found["frames"]) == (30, 600)
    assert found["fall_m_s2"] == pytest.approx(9.81, rel=0.001)
    for name, truth in (("height_mm", 200.0), ("speed_m_s", 1.0), ("spin_rad_s", 30.0)):
        low, high = found[name]["ci95"]
        assert low < truth < high
    assert found["height_range_mm"] == pytest.approx([100, 300], abs=25)
    low, high = found["fall_ci95_m_s2"]
    assert low < 9.81 < high


def test_a_film_without_turns_has_no_spin(tmp_path: Path) -> None:
    write_film(tmp_path / "film.csv")
    rows = (tmp_path / "film.csv").read_text().splitlines()
    (tmp_path / "film.csv").write_text("\n".join(row.rpartition(",")[0] for row in rows))
    assert answer("film", "film.csv", "--fps", 240, cwd=tmp_path)["spin_rad_s"] is None
    assert "no turns were counted" in run("film", "film.csv", "--fps", 240, cwd=tmp_path).stdout


def test_a_film_of_two_frames_a_throw_says_that_nothing_checks_it(tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text("throw,frame,x,z\n1,0,0,100\n1,1,1,99\n2,0,0,100\n2,1,1,99\n")
    told = run("film", "two.csv", "--fps", 240, cwd=tmp_path).stdout
    assert "not measured: too few frames, so rate and scale are not checked" in told
    assert answer("film", "two.csv", "--fps", 240, cwd=tmp_path)["fall_m_s2"] is None


def test_measurements_and_counts_give_a_law(bench: Path, tmp_path: Path) -> None:
    words = ("law", bench / "mine.toml", "--counts", bench / "counts.csv", "--seed", 1)
    found = answer(*words, "--out", "mine.json", cwd=tmp_path)
    assert found["schema"] == "brickphys.measure-law/1"
    assert found["ci95"][0] < found["p_side"] < found["ci95"][1]
    widths = [high - low for low, high in (found["ci95"], found["measured_p"]["ci95"])]
    assert widths[0] < widths[1]
    assert {name for name, cause in found["causes"].items() if cause["measured"]} == {
        "friction", "restitution", "height_mm", "speed_m_s", "spin_rad_s",
    }  # fmt: skip
    assert 0.5 * 0.404 < found["causes"]["friction"]["mean"] < 0.404
    assert 0 < found["agreement_p_value"] <= 1
    assert len(found["assumptions"]) > 3
    odds = brickphys("odds", 3, 2, "--law", "mine.json", cwd=tmp_path)
    assert "this table and hand" in odds.stdout
    rolled = brickphys("roll", 4, "--law", "mine.json", "--seed", 1, cwd=tmp_path)
    assert rolled.returncode == 0
    listed = brickphys("laws", "mine.json", "--json", cwd=tmp_path)
    assert json.loads(listed.stdout)["laws"][-1]["p_side"] == pytest.approx(
        found["p_side"], abs=1e-3
    )
    refused = run(*words, "--out", "mine.json", cwd=tmp_path)
    assert_refused(refused, "--force")


def test_a_law_whose_counts_contradict_the_measurements_follows_them_and_says_so(
    bench: Path, tmp_path: Path
) -> None:
    (tmp_path / "high.csv").write_text("bricks,score\n" + "1,1\n" * 190 + "1,0\n" * 310)
    words = ("law", bench / "mine.toml", "--counts", "high.csv", "--seed", 1, "--out", "own.json")
    told = run(*words, cwd=tmp_path).stdout
    assert "the two contradict each other" in told
    assert "your counts weigh more than the simulated range" in told
    found = answer(*words, "--force", cwd=tmp_path)
    assert found["law_file"] == "own.json"
    assert found["counts_weight"] > 0.9
    assert found["p_side"] == pytest.approx(0.38, abs=0.01)
    said = json.loads((tmp_path / "own.json").read_text())["contradiction"]
    assert said == found["contradiction"]
    assert said.startswith("500 bricks of high.csv contradict the measurements of mine.toml")


def test_the_law_states_its_assumptions(bench: Path, tmp_path: Path) -> None:
    result = run("law", bench / "mine.toml", "--seed", 1, cwd=tmp_path)
    assert "assumptions:\n- in impacts a part" in result.stdout
    assert "by the measurements" in result.stdout
    assert "counted bricks were thrown" not in result.stdout
    assert "not measured" in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_counts_cannot_count_twice(bench: Path, tmp_path: Path) -> None:
    words = ("law", bench / "mine.toml", "--counts", bench / "counts.csv", "--seed", 1)
    assert run(*words, "--out", "mine.json", cwd=tmp_path).returncode == 0
    words = (bench / "counts.csv", "--law", "mine.json", "--out", "again.json")
    again = brickphys("infer", *words, cwd=tmp_path)
    assert_refused(again, "must not count twice")


@pytest.mark.slow
def test_a_throw_beyond_the_shipped_surface_has_one_thrown_for_it(tmp_path: Path) -> None:
    rows = ["throw,frame,x,z,turns"]
    for number in range(10):
        for frame in range(6):
            time = frame / 240
            rows.append(f"{number},{frame},{3000 * time},{50 + number - 4905 * time**2},{3 * time}")
    (tmp_path / "low.csv").write_text("\n".join(rows) + "\n")
    run("film", "low.csv", "--fps", 240, "--out", "low.toml", cwd=tmp_path)
    refused = run("law", "low.toml", cwd=tmp_path)
    assert_refused(refused, "is outside the response surface")
    found = answer("law", "low.toml", "--throws", 400_000, "--seed", 1, cwd=tmp_path)
    assert found["causes"]["height_mm"]["mean"] == pytest.approx(54.5, abs=3)
    assert found["ci95"][0] < found["p_side"] < found["ci95"][1]


def test_the_commands_of_the_page_run_and_print_what_it_shows(tmp_path: Path) -> None:
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "measure.md").read_text(encoding="utf-8")
    for name in ("simulated_film.csv", "simulated_counts.csv"):
        (tmp_path / name).write_bytes((docs / name).read_bytes())
    typed = re.findall(r"`brickphys (measure (?:tilt|drop \d|film) ?[^`]*)`", page)
    assert len(typed) == 3
    for words in typed:
        result = brickphys(*words.replace("docs/", "").split(), cwd=tmp_path)
        assert result.returncode == 0, result.stderr
    ((words, shown),) = re.findall(r"\$ brickphys (measure law [^\n]*)\n(.*?)```", page, re.DOTALL)
    result = brickphys(*words.replace("docs/", "").split(), cwd=tmp_path)
    # draws from the error of the response surface depend on the processor, so the last digits may differ
    form = re.compile(r"\d[\d.]*")
    assert form.sub("#", result.stdout) == form.sub("#", shown)
    for found, printed in zip(form.findall(result.stdout), form.findall(shown), strict=True):
        assert float(found.rstrip(".")) == pytest.approx(float(printed.rstrip(".")), rel=0.2)


@pytest.mark.slow
def test_infer_throws_a_response_surface_as_the_measured_law_says(
    bench: Path, tmp_path: Path
) -> None:
    run("law", bench / "mine.toml", "--seed", 1, "--out", "mine.json", cwd=tmp_path)
    words = (bench / "counts.csv", "--law", "mine.json", "--throws", 200_000, "--seed", 1, "--json")
    result = brickphys("infer", *words, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)["surfaces"][0]
    assert found["friction"]["ci95"][0] < found["friction"]["mean"]
