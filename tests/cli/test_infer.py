"""`brickphys infer`, as programs and people meet it."""

import json
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from brickphys.calibration import home as inference
from brickphys.calibration.posterior import surface_posterior
from brickphys.cli.main import main
from brickphys.odds import law_file
from brickphys.odds.law import Law
from brickphys.odds.law_file import default_law, shipped_law
from tests.command_line import answer, assert_refused, brickphys

run = partial(brickphys, "infer")

HEADER = "bricks,score,surface,studs_up,studs_down,side,leaning"


@pytest.fixture(scope="module", autouse=True)
def few_draws() -> Iterator[None]:
    """Average over fewer draws of what is uncertain: it takes nearly all the time, and changes digits alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inference, "surface_posterior", partial(surface_posterior, draws=40))
        yield


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """A folder with counts on two surfaces, and with scores alone."""
    rng = np.random.default_rng(1)
    folder = tmp_path_factory.mktemp("home")
    rows = [HEADER]
    for surface in ("wood", "cloth"):
        for up, down, side in rng.multinomial(4, (0.32, 0.36, 0.32), 60):
            rows.append(f"4,{side},{surface},{up},{down},{side},0")
    (folder / "counts.csv").write_text("\n".join(rows) + "\n")
    (folder / "score.csv").write_text("bricks,score\n" + "1,0\n1,1\n1,0\n" * 30)
    return folder


def test_every_surface_has_its_answer(home: Path, tmp_path: Path) -> None:
    words = ("--seed", "3", "--plot", "plot.png", "--json")
    result = run(str(home / "counts.csv"), *words, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert answer["schema"] == "brickphys.infer/1"
    wood, cloth = answer["surfaces"]
    assert (wood["surface"], wood["hands"], wood["bricks"]) == ("wood", 60, 240)
    for one in (wood, cloth):
        assert one["ci95"][0] < one["p_side"] < one["ci95"][1]
        assert one["rho"]["ci95"][0] <= one["rho"]["mean"]
        assert sum(one["poses"].values()) == 240
        for name in ("friction", "restitution"):
            assert one[name]["ci95"][0] < one[name]["mean"] < one[name]["ci95"][1]
    assert wood["law_check"]["p_law"] == pytest.approx(float(default_law().p))
    assert wood["law_check"]["p_value"] <= wood["law_check"]["p_value_all"]
    assert cloth["law_check"]["p_law"] == pytest.approx(float(shipped_law("cloth").p))
    assert (wood["law"], cloth["law"]) == ("2x2, hand, wood", "2x2, hand, cloth")
    assert wood["more"]["half_width"] == 0.01
    assert wood["more"]["to_half_width"] > 0
    assert answer["response"]["throws"] > 500_000
    assert answer["combined"] is None
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_the_law_of_the_surface_that_is_chosen_is_written(home: Path, tmp_path: Path) -> None:
    words = ("--surface", "cloth", "--seed", "3", "--out", "law.json", "--json")
    result = run(str(home / "counts.csv"), *words, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stderr == "brickphys: surface cloth leaves out 60 hands on wood\n"
    answer = json.loads(result.stdout)
    assert [one["surface"] for one in answer["surfaces"]] == ["cloth"]
    assert answer["combined"]["surface"] == "cloth"
    assert answer["combined"]["ci95"][0] < answer["combined"]["p_side"]
    assert 0 < answer["combined"]["own_weight"] < 1
    odds = brickphys("odds", 3, 2, "--law", "law.json", cwd=tmp_path)
    assert "this table and hand" in odds.stdout
    before = (tmp_path / "law.json").read_bytes()
    words = ("--surface", "cloth", "--out", "law.json")
    refused = run(str(home / "counts.csv"), *words, cwd=tmp_path)
    assert_refused(refused, "--force")
    assert (tmp_path / "law.json").read_bytes() == before


def test_people_read_how_much_of_the_law_is_their_own(home: Path, tmp_path: Path) -> None:
    words = ("--surface", "wood", "--seed", "3", "--out", "law.json")
    told = run(str(home / "counts.csv"), *words, cwd=tmp_path).stdout
    found = re.search(
        r"(\d+) % of the weight is yours: your 240 bodies count as much as (\d+) single throws, the law as "
        r"much as (\d+)\n",
        told,
    )
    assert found
    share, own, law = map(int, found.groups())
    assert share == round(100 * own / (own + law))
    assert told.index("both together") < told.index(
        "in detail, on wood (95 % intervals in brackets)"
    )
    # the correlation that the law has is named beside the estimate of these hands, which is another one
    (kept,) = re.findall(r"the law of both has that of the prior law: (.*)\n", told)
    assert "a test against no correlation does not show one (p-value " in told
    listed = brickphys("laws", "law.json", cwd=tmp_path).stdout
    assert re.search(rf"law\.json .* 1 to 12 +{re.escape(kept)}\n", listed)
    assert "-0.000" not in listed


def test_scores_alone_bind_the_chance(home: Path, tmp_path: Path) -> None:
    result = run(str(home / "score.csv"), "--surface", "wood", "--seed", "3", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "90 bodies one at a time, 30 on a side" in result.stdout
    assert "record the poses" in result.stdout
    assert "so few throws would not show a difference of ten points" in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_seed_repeats_the_answer_of_a_surface_whatever_else_is_in_the_file(
    home: Path, tmp_path: Path
) -> None:
    rows = (home / "counts.csv").read_text().splitlines()
    (tmp_path / "cloth.csv").write_text("\n".join([HEADER, *(r for r in rows if "cloth" in r)]))
    one, both = (
        answer("infer", str(file), "--seed", "3", cwd=tmp_path)["surfaces"][-1]
        for file in (tmp_path / "cloth.csv", home / "counts.csv")
    )
    assert one == both


def thrown_by(law: Law, shares: dict[str, float], hands: int, seed: int) -> list[str]:
    """Rows of single bricks that fall as a law says, or with other shares."""
    poses = ("studs_up", "studs_down", "side")
    chances = np.array([shares.get(pose, law.counts[pose]) for pose in poses], dtype=float)
    counts = np.random.default_rng(seed).multinomial(1, chances / chances.sum(), hands)
    return [f"1,{side},{law.surface.name},{up},{down},{side},0" for up, down, side in counts]


def test_each_surface_is_told_whether_its_own_law_fits(tmp_path: Path) -> None:
    # glass falls as its law says, wood never on a side
    wood, glass = default_law(), shipped_law("glass")
    rows = [HEADER, *thrown_by(glass, {}, 1500, 3), *thrown_by(wood, {"side": 0.0}, 1500, 2)]
    (tmp_path / "two.csv").write_text("\n".join(rows) + "\n")
    result = run("two.csv", "--seed", "3", "--json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    found = {one["surface"]: one for one in answer["surfaces"]}
    assert list(found) == ["glass", "wood"]
    for law in (glass, wood):
        assert found[law.surface.name]["law_check"]["p_law"] == pytest.approx(float(law.p))
    assert found["glass"]["law_check"]["fits"] is True
    assert found["wood"]["law_check"]["fits"] is False
    assert answer["law"] == "the shipped laws (2x2, hand, glass; 2x2, hand, wood)"
    text = run("two.csv", "--seed", "3", cwd=tmp_path).stdout
    on_glass, on_wood = text.partition("\nin detail")[0].split("\non wood")
    assert "the law fits\n" in on_glass
    assert "the law does not fit" in on_wood


def test_a_surface_without_a_law_is_told_so(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(law_file, "shipped_laws", lambda: ["default"])
    monkeypatch.setattr(
        sys, "argv", ["brickphys", "infer", str(home / "counts.csv"), "--seed", "3"]
    )
    main()
    on_wood, on_cloth = capsys.readouterr().out.partition("\nin detail")[0].split("\non cloth")
    assert "none ships" not in on_wood
    assert "the law            none ships for cloth" in on_cloth


def test_a_law_that_was_named_says_for_which_surface_it_is_not(home: Path, tmp_path: Path) -> None:
    result = run(str(home / "counts.csv"), "--law", "glass", "--seed", "3", cwd=tmp_path)
    assert "the law            glass is not for wood" in result.stdout
    assert "the law            glass is not for cloth" in result.stdout


def test_a_surface_in_the_file_may_be_named_again(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("bricks,score,surface\n3,1,wood\n")
    result = run("one.csv", "--surface", "wood", "--seed", "1", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


def test_one_brick_is_told_as_one_and_decides_nothing(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("bricks,score\n1,1\n")
    text = run("one.csv", "--seed", "1", cwd=tmp_path).stdout
    assert "on wood: 1 body, 1 on a side" in text
    assert "the law fits" not in text
    assert "to find a difference of ten points from the law: 1" in text
    assert "these counts hardly determine it" in text
    (tmp_path / "hand.csv").write_text("bricks,score\n5,1\n")
    assert "5 bodies in 1 hand, 1" in run("hand.csv", "--seed", "1", cwd=tmp_path).stdout


def test_studs_are_told_to_have_no_friction_to_infer(tmp_path: Path) -> None:
    (tmp_path / "studs.csv").write_text("bricks,score,surface\n5,1,plastic\n")
    text = run("studs.csv", "--seed", "1", cwd=tmp_path).stdout
    assert "inferred on planes only, not on a baseplate" in text
    assert "--throws" not in text


def test_bricks_that_all_lean_say_nothing_of_the_table(tmp_path: Path) -> None:
    (tmp_path / "lean.csv").write_text(
        "bricks,score,studs_up,studs_down,side,leaning\n2,0,0,0,0,2\n"
    )
    result = run("lean.csv", "--seed", "1", "--json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["surfaces"][0]["friction"] is None


def test_hands_never_count_twice_nor_are_they_written_over(home: Path, tmp_path: Path) -> None:
    counts = tmp_path / "score.csv"
    counts.write_bytes((home / "score.csv").read_bytes())
    assert run("score.csv", "--out", "mine.json", "--seed", "1", cwd=tmp_path).returncode == 0
    twice = run("score.csv", "--law", "mine.json", "--out", "more.json", cwd=tmp_path)
    assert_refused(twice, "must not count twice")
    before = counts.read_bytes()
    over = run("score.csv", "--out", "score.csv", "--force", cwd=tmp_path)
    assert_refused(over, "the same file")
    assert counts.read_bytes() == before


def test_a_law_that_the_counts_contradict_follows_them_and_says_so(tmp_path: Path) -> None:
    """20 % of 2,000 bricks lie below the 90 % range of the shipped law."""
    (tmp_path / "low.csv").write_text("bricks,score\n" + "1,1\n" * 400 + "1,0\n" * 1600)
    words = ("low.csv", "--out", "mine.json", "--seed", "1")
    told = run(*words, cwd=tmp_path)
    assert "your counts weigh more than the simulated range" in told.stdout
    combined = json.loads(run(*words, "--force", "--json", cwd=tmp_path).stdout)["combined"]
    assert combined["law_file"] == "mine.json"
    assert combined["own_weight"] > 0.9
    law = law_file.read_law(tmp_path / "mine.json")
    assert law.contradiction == combined["contradiction"]
    assert law.contradiction.startswith("2,000 bricks of low.csv contradict the prior law")


def test_a_law_that_its_data_contradict_is_told_so_wherever_it_is_used(tmp_path: Path) -> None:
    (tmp_path / "low.csv").write_text("bricks,score\n" + "1,1\n" * 400 + "1,0\n" * 1600)
    run("low.csv", "--out", "mine.json", "--seed", "1", "--force", cwd=tmp_path)
    said = law_file.read_law(tmp_path / "mine.json").contradiction
    for words in (
        ("odds", 3, 2, "--law", "mine.json"),
        ("laws", "mine.json"),
        ("verify", "mine.json"),
    ):
        told = brickphys(*words, cwd=tmp_path)
        assert told.returncode == 0
        assert said in " ".join(told.stdout.split())
    assert "all right, 1 with warnings" in told.stdout
    found = answer("odds", 3, 2, "--law", "mine.json", cwd=tmp_path)
    assert found["law_contradiction"] == said
    (tmp_path / "few.csv").write_text("bricks,score\n1,0\n1,1\n1,0\n")
    run("few.csv", "--law", "mine.json", "--out", "more.json", "--force", cwd=tmp_path)
    assert law_file.read_law(tmp_path / "more.json").contradiction == said


def test_a_total_in_one_row_is_told_to_be_one_hand(tmp_path: Path) -> None:
    (tmp_path / "total.csv").write_text("bricks,score\n60,14\n")
    told = run("total.csv", cwd=tmp_path).stdout
    assert "14 on a side (23.3 %)" in told
    assert "60 bodies in a row are one hand thrown together" in told
    assert "bodies of one hand; these counts hardly determine it" in told
