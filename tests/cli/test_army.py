"""The command `army`, as programs and people meet it."""

import json
import xml.etree.ElementTree as ElementTree

import pytest
from PIL import Image

from tests.command_line import assert_refused, brickphys

ODD = f"""
[[unit]]
name = "{"x" * 40}"
base = "trooper"
about = 'costs $5 & <b> $x^2$ \\frac'
"""


def run(*words, cwd=None):
    return brickphys("army", "bow", *words, cwd=cwd)


def test_an_army_is_told_with_its_odds():
    text = run("trooper=4", "archer").stdout
    assert text.startswith("army: 5 pieces, 70 cost points\n")
    found = json.loads(run("trooper=4", "archer", "--json").stdout)
    assert found["cost_points"] == 70
    assert [unit["count"] for unit in found["units"]] == [4, 1]
    near, far = found["units"][1]["attacks"][:2]
    single = json.loads(brickphys("odds", near["bricks"], 3, "--json").stdout)
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
    found = json.loads(run(*MANY, "--out", "a.pdf", "--pages", "--json", cwd=tmp_path).stdout)
    assert (tmp_path / "a.pdf").read_bytes().count(b"/MediaBox") == found["pages"] == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["troper"], "did you mean 'trooper'"),
        (["trooper", "--out", "army.txt"], "the name must end in .png, .svg or .pdf"),
        (["trooper", "--pages"], "--pages needs --out"),
        (["trooper=10001"], "10,001 is outside 1..10,000"),
        (["duel"], "several armies, red, blue: choose one with --army"),
        (["duel", "--army", "rad"], "did you mean 'red'"),
        (["trooper", "--army", "red"], "leave it out; you have named the units"),
        (["trooper", "--p", "2"], "chance of a side: 2 is outside 0..1; 2 % is 0.02"),
        (["mine.toml", "--out", "mine.toml"], "the name must end in"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, says, tmp_path):
    assert_refused(run(*words, cwd=tmp_path), says)
    assert list(tmp_path.iterdir()) == []


def test_a_game_without_armies_says_so():
    assert_refused(brickphys("army", "campaign", "knight"), "campaign has no armies to print")


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
    found = json.loads(brickphys("army", *words.split(), "--json").stdout)
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


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("minifig solder,sword", "unknown figure or thing 'solder': did you mean 'soldier'"),
        ("minifig soldier,swrd", "did you mean 'sword'"),
        ("minifig soldier,sword,axe,club", "a soldier has 2 hands"),
        ("minifig siege soldier", "siege is a setup with its own armies"),
        (
            "pirate_wars black_perl",
            "unknown ship or minifig 'black_perl': did you mean 'black_pearl'",
        ),
        ("pirate_wars black_pearl --p 0.3", "this game rolls dice"),
        ("blade_and_bow hoplites", "unknown kind of unit 'hoplites': did you mean 'hoplite'"),
        ("blade_and_bow marathon", "several armies, greeks, persians"),
        ("blade_and_bow hoplite=0", "outside 1..10,000"),
        ("minifig none.toml", "cannot be read"),
    ],
)
def test_bad_input_of_other_games_is_one_line(words, says, tmp_path):
    assert_refused(brickphys("army", *words.split(), cwd=tmp_path), says)
