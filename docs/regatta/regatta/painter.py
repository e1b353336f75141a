"""Painter: the water and the boats."""

from brickphys.plots.painter import Figure, Painter, pieces_of
from regatta.report import at


class RegattaPainter(Painter):
    unit = "squares"

    def size(self, state):
        return state.setting.size

    def players(self, state):
        return state.setting.players

    def draw_ground(self, state, ax):
        ax.set_facecolor("lightblue")

    def pieces(self, state):
        boats = enumerate(zip(state.setting.players, state.setting.colours, strict=True))
        return pieces_of(
            [Figure(*at(state, boat), 0.0, color, name) for boat, (name, color) in boats]
        )
