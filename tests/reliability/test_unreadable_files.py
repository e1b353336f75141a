"""A command that is given a file that cannot be one says so in one line, at once."""

import os

import pytest

from tests.command_line import assert_refused, brickphys

COMMANDS = {
    "odds 3 3 --law": "fast",
    "collide": "fast",
    "infer": "fast",
    "replay": "fast",
    "ladder --bots random,greedy bow": "slow",
    "laws": "slow",
    "drop 2x2 --surface": "slow",
    "play bow": "slow",
    "scenario bow": "slow",
    "sheet bow": "slow",
    "campaign new quest.jsonl --party": "slow",
    "batch run --out rows": "slow",
    "measure count --width-mm 300 --camera-mm 600": "slow",
    "measure film --fps 240": "slow",
    "measure drop --sound": "slow",
    "measure law": "slow",
    "validate counts": "slow",
    "validate throws": "slow",
    "validate radius": "slow",
    "shoot --weapon bow --range-in 24 --law": "slow",
}
"""Commands whose next word is a file, and in which suite they are tested."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Paths by what is wrong with them."""
    folder = tmp_path_factory.mktemp("unreadable")
    large, pipe = folder / "large.toml", folder / "pipe.toml"
    with large.open("wb") as file:
        file.truncate(2 * 10**8)
    os.mkfifo(pipe)
    device, inner = folder / "device.toml", folder / "folder.toml"
    device.symlink_to("/dev/zero")
    inner.mkdir()
    (folder / "noise.toml").write_bytes(b"a = 1\n\xff\xfe\0")
    return {
        "larger than": large,
        "is a pipe that nothing writes to": pipe,
        "is a device": device,
        "folder.toml": inner,
        "noise.toml": folder / "noise.toml",
    }


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(words, marks=[pytest.mark.slow] if suite == "slow" else [])
        for words, suite in COMMANDS.items()
    ],
)
def test_a_file_that_cannot_be_one_is_refused_in_one_line(command, files, tmp_path):
    for path in files.values():
        assert_refused(brickphys(*command.split(), path, cwd=tmp_path), path.name)
    for says in ("larger than", "is a pipe that nothing writes to", "is a device"):
        assert_refused(brickphys(*command.split(), files[says], cwd=tmp_path), says)
