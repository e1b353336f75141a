"""The page of the campaign: its commands, run in order in one folder, print what it shows; every action is there."""

import re
import shlex
from pathlib import Path

from tests.command_line import brickphys
from tests.minifig.campaign.quest import GAME

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "campaign.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ brickphys ([^\n]*)\n(.*?)```", PAGE, re.DOTALL)
FILES = re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_print_what_the_page_shows(tmp_path):
    for name, text in FILES:
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert len(EXAMPLES) >= 5
    for command, shown in EXAMPLES:
        assert brickphys(*shlex.split(command), cwd=tmp_path).stdout == shown


def test_every_action_and_answer_is_told():
    assert [each.word for each in GAME.action_types if f"`{each.word}" not in PAGE] == []


def test_the_campaign_of_the_tour_is_replayed_byte_for_byte(tmp_path):
    tour = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    ((command, shown),) = re.findall(
        r"```console\n\$ brickphys (play campaign [^\n]*)\n(.*?)```", tour, re.DOTALL
    )
    for name in ("one.jsonl", "two.jsonl"):
        played = brickphys(*shlex.split(command), "--replay", name, cwd=tmp_path)
        assert played.stdout == shown
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    told = brickphys("replay", "one.jsonl", "--story", cwd=tmp_path).stdout
    assert told.startswith(shown.rpartition("\n\n")[0])
    log = brickphys("campaign", "log", "one.jsonl", cwd=tmp_path).stdout
    assert shown.startswith(log)
