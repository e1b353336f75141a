"""The command ``odds minifig``: text, JSON, a picture, and bad input in one line."""

import json

import pytest

from tests.command_line import assert_refused, brickphys

PAIR = "soldier,sword,rear,yellow", "soldier,shield,helmet"


def test_an_attack_is_told_with_its_bricks_its_law_and_its_doubts():
    told = brickphys("odds", "minifig", "attack", *PAIR).stdout
    assert "4 bricks (attack 1, weapon 1, soldier 1, rear 1) and 2 of experience" in told
    assert "by the shipped law (2x2, hand, wood)" in told
    assert "95 % interval: error of the throws and of the engine's steps alone" in told
    assert "90 % range" in told


def test_a_stated_chance_has_no_doubts():
    words = "odds", "minifig", "attack", *PAIR, "--p", "1/3"
    assert "95 %" not in brickphys(*words).stdout
    found = json.loads(brickphys(*words, "--json").stdout)
    assert found["options"]["p"] == pytest.approx(1 / 3)
    assert found["chances"]["the defender is eliminated"]["exact"] == "713/729"
    assert found["chances"]["the defender is eliminated"]["ci95"] is None


def test_a_table_has_a_line_for_each_attacker_and_a_picture(tmp_path):
    words = "--attackers", "dog", "--attackers", "soldier,axe", "--defenders", "soldier,shield"
    told = brickphys("odds", "minifig", "table", *words, "--p", "1/3", "--plot", tmp_path / "t.png")
    lines = told.stdout.splitlines()
    assert [line.split()[-2:] for line in lines[-2:]] == [["22.2", "%"], ["55.6", "%"]]
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    found = json.loads(brickphys("odds", "minifig", "table", *words, "--json").stdout)
    assert found["table"]["rows"] == ["dog", "soldier,axe"]
    assert found["table"]["columns"] == ["soldier,shield"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("attack soldier", "Missing argument 'DEFENDER'"),
        ("attack knight dog", "unknown kind 'knight'"),
        ("attack dog dog --p 2", "2 is outside 0..1"),
        ("attack dog dog --p 1/3 --law glass", "--p and --law exclude each other"),
        ("table --attackers dog,sword", "a dog has 0 hands"),
    ],
)
def test_bad_input_is_one_line(words, says):
    assert_refused(brickphys("odds", "minifig", *words.split()), says)
