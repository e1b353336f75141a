"""What commands print is at most 120 letters wide, so that it can be read in a usual window."""

import shlex

import pytest

from brickphys.odds.law_file import default_law
from tests.command_line import run

COMMANDS = [
    "odds 3 2",
    "odds 4 3 --hp 3 --attacks 3",
    "odds 12 12 --table",
    "odds archer knight --range 20 --cover",
    "odds minifig attack soldier,sword,mounted,rear soldier,helmet",
    "odds blade_and_bow melee hoplite,ranks=2,leader+peltast,left immortals",
    "odds compare 'knight archer' '4 3'",
    "laws",
    "poses cuboid:10x20x30",
    "games",
    "army bow trooper=4 knight archer=2",
    "army pirate_wars black_pearl",
    "army blade_and_bow marathon --army greeks",
    "sheet minifig soldier,sword,shield,mounted",
    "sheet bow wizard",
    "sheet bow jeep",
]


@pytest.mark.parametrize("words", COMMANDS)
def test_no_line_is_wider_than_120_letters(words, tmp_path):
    told = run(*shlex.split(words), cwd=tmp_path)
    assert told.stdout
    assert [line for line in told.stdout.splitlines() if len(line) > 120] == []


def test_long_findings_are_folded_without_breaking_a_path(tmp_path):
    name = f"{'a' * 130}.json"
    default_law().save(tmp_path / name)
    told = run("verify", name, cwd=tmp_path)
    first, *rest = told.stdout.splitlines()
    assert name in first
    assert max(map(len, rest)) <= 120
    assert "taken on trust" in told.stdout
