"""Commands that write files, on a disk that fails at the n-th call, for every n: whole files, one line, and again."""

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from brickphys.calibration import calibrate
from brickphys.calibration import response as surface
from brickphys.calibration import response_design as design
from brickphys.odds.law_file import default_law
from tests.cases import few, few_rows
from tests.command_line import brickphys
from tests.reliability.faulty_disk import (
    ERRORS,
    FaultyDisk,
    PowerCut,
    copied,
    fails,
    power_fails,
    tree,
)

INJECTED: Counter[str] = Counter()
"""Faults that were injected, by command."""
SCENE = (Path(__file__).parents[2] / "docs" / "course.toml").read_text()
SLOW = ("collide --plot", "measure law", "odds --plot")
"""Commands of a second or more: each call of theirs fails once, in one of the ways."""


@dataclass(frozen=True)
class Command:
    """A command that writes files.

    Attributes
    ----------
    words
        The command line; it replaces what is there.
    files
        Input files by name.
    before
        Commands that come first.
    typed
        What is typed.
    """

    words: str
    files: tuple[tuple[str, str], ...] = ()
    before: tuple[str, ...] = ()
    typed: str = ""

    def run(self, folder: Path) -> CompletedProcess[str]:
        return brickphys(*self.words.split(), typed=self.typed, cwd=folder)

    def begin(self, folder: Path) -> Path:
        """Make the folder in which it runs."""
        folder.mkdir()
        for name, text in self.files:
            (folder / name).write_text(text)
        for words in self.before:
            assert brickphys(*words.split(), cwd=folder).returncode == 0
        return folder


COMMANDS = {
    "calibrate": Command("calibrate --seed 1 --workers 1 --out law.json --force"),
    "play": Command("play bow duel --bots random --seed 7 --max-steps 9 --replay game.jsonl"),
    "save": Command("play bow duel --bots person,random --seed 7", typed="save game.jsonl\nquit\n"),
    "campaign new": Command("campaign new quest.jsonl --seed 1 --force"),
    "campaign day": Command(
        "campaign day quest.jsonl --bot random", before=("campaign new quest.jsonl --seed 1",)
    ),
    "measure law": Command(
        "measure law mine.toml --seed 1 --out mine.json --force",
        before=("measure tilt 21.5 23 22 22.5 21 --out mine.toml",),
    ),
    "collide --plot": Command(
        "collide scene.toml --plot scene.png --force", files=(("scene.toml", SCENE),)
    ),
    "odds --plot": Command("odds 3 2 --plot odds.png --force"),
}


@pytest.fixture(autouse=True)
def nothing_is_thrown_twice(monkeypatch):
    """A law is found at once, and a response surface once: the throws are not what is tested."""
    monkeypatch.setattr(calibrate, "throw_law", lambda *_: default_law())
    monkeypatch.setattr(surface, "fit_response", lambda _: _shipped_response())


@cache
def _shipped_response(fit: Any = surface.fit_response) -> Any:
    return fit(design.shipped_design())


def calls(command: Command, folder: Path) -> tuple[dict[str, bytes], list[str]]:
    """Return the files of a run that nothing disturbs, and what it asks of the disk."""
    with FaultyDisk(folder).mounted() as disk:
        result = command.run(folder)
    assert result.returncode == 0, result.stderr
    return tree(folder), disk.asked


def faults(count: int, *, all_: bool) -> Iterator[tuple[int, int, bool]]:
    """Yield every call with an error, once or for ever; each call once with all in turn if not all together."""
    every = list(itertools.product(ERRORS, (False, True)))
    for at in range(1, count + 1):
        for number, for_ever in every if all_ else [every[at % len(every)]]:
            yield at, number, for_ever


def check(command: Command, name: str, tmp_path: Path, *, all_: bool) -> None:
    start = command.begin(tmp_path / "start")
    before = tree(start)
    expected, asked = calls(command, copied(start, tmp_path / "whole"))
    for at, number, for_ever in faults(len(asked), all_=all_):
        folder = copied(start, tmp_path / "faulty")
        with FaultyDisk(folder, fails(at, number, for_ever=for_ever)).mounted() as disk:
            result = command.run(folder)
        case = (name, asked[at - 1], number, for_ever, result.stdout[-300:], result.stderr)
        INJECTED[name] += disk.injected
        after = tree(folder)
        told = result.stderr or result.stdout  # what a person saves is answered on the screen
        assert "Traceback" not in told, case
        if result.returncode:
            assert result.returncode in (1, 2), case
            assert result.stderr.startswith("brickphys: "), case
            assert result.stderr.count("\n") == 1, case
        elif after != expected:
            assert "cannot be" in told, case
        lost = for_ever or asked[at - 1].startswith("unlink")  # then nothing can be removed either
        for file, content in after.items():
            assert content in (before.get(file), expected.get(file)) or (
                lost and file.endswith(".part")
            ), (file, case)
        assert before.keys() <= after.keys(), case
        if command.words.endswith("--force") or not after.items() & (
            expected.items() - before.items()
        ):
            assert command.run(folder).returncode == 0, case
            assert tree(folder) == expected, case


@pytest.mark.parametrize("name", few(["calibrate", "save"]))
def test_a_call_that_fails_is_one_line_and_no_half_file(name, tmp_path):
    check(COMMANDS[name], name, tmp_path, all_=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_call_that_fails_in_every_way_is_one_line(name, tmp_path):
    check(COMMANDS[name], name, tmp_path, all_=name not in SLOW)


@pytest.mark.parametrize(
    ("name", "names_stay"),
    few_rows([("play", False), ("play", True), ("campaign day", True), ("campaign day", False)]),
)
def test_a_power_cut_leaves_the_old_file_or_the_new_one(name, names_stay, tmp_path):
    command = COMMANDS[name]
    start = command.begin(tmp_path / "start")
    before = tree(start)
    expected, asked = calls(command, copied(start, tmp_path / "whole"))
    for at in range(1, len(asked) + 2):
        folder, found = copied(start, tmp_path / "faulty"), tmp_path / f"found{at}"
        with FaultyDisk(folder, power_fails(at)).mounted() as disk:
            try:
                command.run(folder)
            except PowerCut:
                assert at <= len(asked)
            else:
                assert at > len(asked)
        disk.lose_power(found, names_stay=names_stay)
        after = {file: content for file, content in tree(found).items() if ".part" not in file}
        assert after in (before, expected), asked[at - 1 :]
        assert at <= len(asked) or after == expected, "what was told to be written is lost"
