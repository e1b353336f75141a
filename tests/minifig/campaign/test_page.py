"""The campaign of the tour is replayed byte for byte."""

import re
import shlex
from pathlib import Path

from tests.command_line import brickphys

ROOT = Path(__file__).parents[3]


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
