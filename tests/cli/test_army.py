"""The command `army`, as programs and people meet it."""

import xml.etree.ElementTree as ElementTree
from functools import partial

import pytest
from PIL import Image

from tests.command_line import answer, assert_refused, brickphys

run = partial(brickphys, "army", "bow")

ODD = f"""
[[unit]]
name = "{"x" * 40}"
base = "trooper"
about = 'costs $5 & <b> $x^2$ \\frac'
"""


def test_an_army_is_told_with_its_odds():
    text = run("trooper=4", "archer").stdout
    assert text.startswith("army: 5 pieces, 70 cost points\n")
    found = answer("army", "bow", "trooper=4", "archer")
    assert found["cost_points"] == 70
    assert [unit["count"] for unit in found["units"]] == [4, 1]
    near, far = found["units"][1]["attacks"][:2]
    single = answer("odds", near["bricks"], 3)
    assert near["success"][3] == single["success"]
    assert far["bricks"] == near["bricks"] - 1
    assert (found["out"], found["pages"]) == (None, None)


def test_a_page_is_written_whole_and_named(tmp_path):
    """A name that is as long as can be, and a description that would be a formula or a mark of XML."""
    (tmp_path / "mine.toml").write_text(ODD)
    result = run("mine.toml", "--out", "army.svg", "--p", "0.3", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "army: army.svg\n")
    assert ElementTree.parse(tmp_path / "army.svg").getroot().get("width").endswith("pt")
    assert_refused(run("trooper", "--out", "army.svg", cwd=tmp_path), "exists already")


def test_a_png_has_the_size_of_the_paper(tmp_path):
    assert run("trooper", "--out", "army.png", cwd=tmp_path).returncode == 0
    with Image.open(tmp_path / "army.png") as page:
        size_mm = [
            25.4 * pixels / dpi for pixels, dpi in zip(page.size, page.info["dpi"], strict=True)
        ]
    assert size_mm == pytest.approx([210, 297], abs=0.2)


@pytest.mark.slow
def test_the_description_of_a_sheet_is_no_formula(tmp_path):
    (tmp_path / "mine.toml").write_text(ODD)
    result = brickphys("sheet", "bow", "mine.toml", "--plot", "sheet.svg", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert r"costs $5 &amp; &lt;b&gt; $x^2$ \frac" in (tmp_path / "sheet.svg").read_text()


MANY = ["truck", "tank", "jeep", "catapult", "knight", "archer", "droid"]


def test_a_large_army_needs_leave_for_several_pages(tmp_path):
    few = run(*MANY, "--out", "army.pdf", cwd=tmp_path)
    assert_refused(few, "the army needs 2 pages of a4 paper: --pages allows them")
    one = run(*MANY, "--out", "army.svg", "--pages", cwd=tmp_path)
    assert_refused(one, "only a .pdf file has")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_large_army_has_its_pages_in_one_file(tmp_path):
    found = answer("army", "bow", *MANY, "--out", "a.pdf", "--pages", cwd=tmp_path)
    assert (tmp_path / "a.pdf").read_bytes().count(b"/MediaBox") == found["pages"] == 2


OTHERS = [
    ("minifig soldier,sword,shield=4 soldier,bow small_catapult", "eliminated", "bricks"),
    ("pirate_wars black_pearl marine=2", "at least this many hits", "dice"),
    ("blade_and_bow marathon --army greeks", "the target is hit", "dice"),
]


@pytest.mark.parametrize(("words", "about", "rolled"), OTHERS)
def test_the_armies_of_other_games_are_told(words, about, rolled):
    text = brickphys("army", *words.split()).stdout
    assert about in text
    assert ("a brick scores" in text) == (rolled == "bricks")
    found = answer("army", *words.split())
    assert (found["p"] is None) == (rolled == "dice")
    assert found["cost_points"] is None
    assert about in found["chances"]["of"]
    attacks = [attack for unit in found["units"] for attack in unit["attacks"]]
    assert attacks
    for attack in attacks:
        assert attack[rolled] >= 1
        assert 1 <= len(attack["success"]) <= len(found["chances"]["columns"])
        assert all(0 < chance <= 1 for chance in attack["success"])


@pytest.mark.slow
@pytest.mark.parametrize(("words", "about", "rolled"), OTHERS)
def test_the_pages_of_other_games_are_written(words, about, rolled, tmp_path):
    result = brickphys("army", *words.split(), "--out", "a.pdf", "--pages", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "army: a.pdf\n")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
