"""Replay checks: checks of a replay or a saved game."""

from collections.abc import Iterator
from pathlib import Path

from brickphys.checks import TRUSTED, Check, stamp_check
from brickphys.errors import InvalidValueError
from brickphys.rules.registry import filed_game
from brickphys.rules.replay.playback import game_stamp, play_back
from brickphys.rules.replay.replay_file import read_replay
from brickphys.text import counted


def checks(path: Path) -> Iterator[Check]:
    """Yield what is found out about a replay: line by line, and by playing it."""
    lines = "replay: each line has known keys and the checksum of its text and of the line before"
    try:
        replay = read_replay(path)
    except InvalidValueError as error:
        yield Check(lines, str(error).removeprefix(f"{path}: "))
        return
    yield Check(lines)
    played = (
        f"{replay.game}: the game plays back: {counted(len(replay.moves), 'step')}, each legal and with its state, "
        "the end, the returns"
    )
    try:
        one = filed_game(replay.game)
        play_back(one, replay, str(path))
    except InvalidValueError as error:
        yield Check(played, str(error).removeprefix(f"{path}: "))
        return
    yield Check(played)
    yield stamp_check(replay.stamp, game_stamp(one), same="its game plays the same")
    yield Check(
        f"{TRUSTED}: outcomes of chance (possible, but not drawn again), names of players, law, seed, address, "
        "version, stamp"
    )
