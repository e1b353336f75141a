"""Chances: the chance to win over a game that was judged, below the picture of the game."""

from dataclasses import replace
from typing import Any

from brickphys.battles.players import AnyRecord
from brickphys.rules.report.analysis import Analysis, remarks
from brickphys.rules.report.trajectories import Trajectories, steps_of
from brickphys.view.recording import ChanceLine, Chances, ChanceSign, SceneRecording
from brickphys.view.solids import shown_players


def with_chances(
    recording: SceneRecording,
    record: AnyRecord,
    trajectories: Trajectories[Any],
    analysis: Analysis,
) -> SceneRecording:
    """Return the recording of a game, or of some of its rounds, with the chance to win after each of its events.

    `trajectories` are what the recording shows.
    """
    steps = [*steps_of(record, trajectories.frames)]
    times_ms = tuple(event.at_ms for event in recording.events)
    colours = shown_players(trajectories.colours)
    lines = tuple(
        ChanceLine(
            name, colours[player], tuple((1 + analysis.worths[n][player]) / 2 for n in steps)
        )
        for player, name in enumerate(trajectories.names)
    )
    begun = trajectories.frames[0].round
    signs = (
        ChanceSign(times_ms[number], one.sign, one.text)
        for one in remarks(analysis, trajectories.names)
        if (one.round or 0) >= begun
        and (number := next((n for n, done in enumerate(steps) if done >= one.step), None))
        is not None
    )
    return replace(recording, chances=Chances(times_ms, lines, tuple(signs)))
