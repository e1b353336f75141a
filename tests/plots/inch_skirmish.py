"""A game that is none of the package's: units on a field in inches, and a painter for it."""

from dataclasses import dataclass

import numpy as np

from brickphys.plots.painter import Figure, Painter, draw_cells, pieces_of
from brickphys.rules.record import player_colours
from brickphys.rules.report.trajectories import Frame, Kill, Track, Trajectories
from brickphys.rules.scenario import NamedArea

NAMES = ("north", "blue")
HILL = NamedArea("hill", 30.0, 10.0, 20.0, 12.0)
INCHES_A_STUD = 0.315


@dataclass(frozen=True)
class Skirmish:
    """One unit a player, by its place."""

    places: tuple[tuple[float, float], ...]
    is_dark: bool = False


class SkirmishPainter(Painter[Skirmish]):
    """Counts how often it draws the ground."""

    unit = "inches"

    def __init__(self):
        self.grounds = 0

    def size(self, state):
        return 72.0, 48.0

    def players(self, state):
        return NAMES

    def ground(self, state):
        return state.is_dark

    def draw_ground(self, state, ax):
        self.grounds += 1
        draw_cells(np.full((48, 72, 3), 0.2 if state.is_dark else 0.8), ax)

    def pieces(self, state):
        colors = player_colours(NAMES)
        figures = [
            Figure(*place, 0.0, color, name, stud=4 * INCHES_A_STUD)
            for place, color, name in zip(state.places, colors, NAMES, strict=False)
        ]
        return pieces_of(figures)


def skirmish(turns=3, dark_from=99):
    """North goes east, step by step, and shoots the other in the last turn."""
    frames = []
    for turn in range(turns):
        here, there = (10.0 + turn, 20.0), (60.0, 24.0)
        is_last = turn == turns - 1
        frames.append(
            Frame(
                Skirmish((here,) if is_last else (here, there), is_dark=turn >= dark_from),
                f"Round {turn + 1}",
                "north: goes east.",
                player=0,
                path=((here[0] - 1, 20.0), here),
                attacks=((here, there),) * is_last,
                kills=(Kill("blue", 1, there),) * is_last,
                round=turn + 1,
            )
        )
    way = tuple((number, (9.0 + number, 20.0)) for number in range(turns + 1))
    tracks = (
        Track("north", 0, is_vehicle=False, places=way),
        Track(
            "blue", 1, is_vehicle=False, places=((0, (60.0, 24.0)),), end="dies", end_round=turns
        ),
    )
    final = frames[-1].state
    return Trajectories(
        NAMES, ("random", "person"), "North wins.", final, tracks, tuple(frames), (HILL,)
    )
