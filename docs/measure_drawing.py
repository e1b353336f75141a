"""Draw img/measure.png: the three tests of measure.md.

python docs/measure_drawing.py
"""

from itertools import pairwise
from math import cos, radians, sin, sqrt
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Circle, FancyBboxPatch, Polygon, Rectangle

from brickphys.units import GRAVITY_M_S2

BRICK, MARKED, BALL, INK, WOOD = "#0072b2", "#e69f00", "#d55e00", "0.25", "#d9c3a0"
TILT_DEG = 22.0
DROP_MM, RESTITUTION, BOUNCES = 300.0, 0.5, 3
FRAME_S, RELEASE_MM, SPEED_MM_S, TURN_DEG = 1 / 40, (0.0, 190.0), 1150.0, 50.0


def main() -> None:
    """Draw the tests side by side."""
    figure = Figure(figsize=(13, 4.6), dpi=130, layout="constrained")
    tilt, drop, film = figure.subplots(1, 3, width_ratios=(1, 1, 1.12))
    draw_tilt(tilt)
    draw_drop(drop)
    draw_film(film)
    for ax in (tilt, drop, film):
        ax.set_aspect("equal", anchor="N")
        ax.set_axis_off()
    figure.savefig(Path(__file__).parent / "img" / "measure.png")


def draw_brick(ax: Axes, centre: tuple[float, float], angle_deg: float, size: float) -> None:
    """Draw a 2x2 brick from the side, with one marked face; its width is `size`."""
    turn = np.array(
        [
            [cos(radians(angle_deg)), sin(radians(angle_deg))],
            [-sin(radians(angle_deg)), cos(radians(angle_deg))],
        ]
    )
    scale = size / 15.8
    parts = [
        (BRICK, (-7.9, -5.65, 15.8, 9.6)),
        (BRICK, (-6.45, 3.95, 4.9, 1.7)),
        (BRICK, (1.55, 3.95, 4.9, 1.7)),
        (MARKED, (-7.9, -5.65, 3.0, 9.6)),
    ]
    for colour, (x, y, width, height) in parts:
        corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
        ax.add_patch(
            Polygon(
                corners * scale @ turn + centre, facecolor=colour, edgecolor=colour, linewidth=0.5
            )
        )


def draw_table(ax: Axes, low: float, high: float) -> None:
    """Draw the table, whose top is at height 0."""
    ax.add_patch(Rectangle((low, -12), high - low, 12, facecolor=WOOD, edgecolor="none"))


def measure_line(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], text: str, **place: object
) -> None:
    """Draw a double arrow with a text beside its middle."""
    ax.annotate(
        "", end, start, arrowprops={"arrowstyle": "<->", "color": INK, "shrinkA": 0, "shrinkB": 0}
    )
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    ax.annotate(text, middle, textcoords="offset points", color=INK, fontsize=10, **place)  # type: ignore[arg-type]


def draw_tilt(ax: Axes) -> None:
    """Draw a brick on a board at the angle at which it slides."""
    ax.set_title("tilt: friction = tan θ", fontsize=12)
    draw_table(ax, -20, 300)
    along = np.array([cos(radians(TILT_DEG)), sin(radians(TILT_DEG))])
    normal = np.array([-along[1], along[0]])
    foot = np.array([10.0, 0.0])
    board = [foot, foot + 280 * along, foot + 280 * along + 9 * normal, foot + 9 * normal]
    ax.add_patch(Polygon(board, facecolor=WOOD, edgecolor=INK))
    brick = foot + 165 * along + (9 + 15.5) * normal
    draw_brick(ax, (brick[0], brick[1]), TILT_DEG, 43)
    begin = brick + 34 * normal + 10 * along
    ax.annotate(
        "", begin - 62 * along, begin, arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.6}
    )
    ax.annotate(
        "slides", begin - 26 * along, (-4, 7), textcoords="offset points", ha="right", color=INK
    )
    ax.add_patch(Arc(foot, 170, 170, theta1=0, theta2=TILT_DEG, edgecolor=INK, linewidth=1.4))
    ax.text(foot[0] + 92, 13, "θ", fontsize=14, color=INK)
    end = foot + 280 * along
    ax.annotate(
        "",
        (end[0], end[1] + 52),
        (end[0], end[1] + 14),
        arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.6},
    )
    ax.text(end[0] - 4, end[1] + 56, "lift slowly", ha="right", color=INK)
    ax.text(
        140,
        -34,
        "a strip of your table, its cloth, or the table itself\n10 times, on other spots; read θ where it slides",
        ha="center",
        va="top",
        fontsize=9.5,
        color=INK,
    )
    ax.set_xlim(-25, 305)
    ax.set_ylim(-95, 235)


def draw_drop(ax: Axes) -> None:
    """Draw the way of a ball over time, its heights, and its clicks in a sound."""
    ax.set_title("drop: restitution = √(h₁ / h) = T₂ / T₁", fontsize=12)
    wide = 330.0  # mm of the picture for a second
    draw_table(ax, -30, 300)
    fall_s = sqrt(2e-3 * DROP_MM / GRAVITY_M_S2)
    time = np.linspace(0, fall_s, 60)
    ax.plot(wide * time, DROP_MM - 500 * GRAVITY_M_S2 * time**2, color=BALL, linewidth=1.8)
    impacts, speed = [fall_s], GRAVITY_M_S2 * fall_s
    for number in range(1, BOUNCES + 1):
        speed *= RESTITUTION
        flight_s = 2 * speed / GRAVITY_M_S2
        time = np.linspace(0, flight_s, 60)
        way = 1000 * (speed - GRAVITY_M_S2 * time / 2) * time
        ax.plot(wide * (impacts[-1] + time), way, color=BALL, linewidth=1.8)
        if number < BOUNCES:
            top = wide * (impacts[-1] + flight_s / 2)
            measure_line(
                ax,
                (top, 0),
                (top, way.max()),
                f"h{'₀₁₂'[number]}",
                xytext=(4, 5 if number == 1 else 12),
            )
        impacts.append(impacts[-1] + flight_s)
    ax.add_patch(Circle((0, DROP_MM), 6, facecolor=BALL, edgecolor="none"))
    measure_line(ax, (-16, 0), (-16, DROP_MM - 6), "h", xytext=(-14, 0))
    ax.text(
        58,
        DROP_MM - 8,
        "a hard plastic ball,\nlet go without spin",
        fontsize=9.5,
        va="top",
        color=INK,
    )
    draw_clicks(ax, [wide * at for at in impacts], -62.0)
    ax.set_xlim(-40, 300)
    ax.set_ylim(-125, 325)


def draw_clicks(ax: Axes, places: list[float], height: float) -> None:
    """Draw a sound with clicks below the impacts, and the times between them."""
    across = np.linspace(-10, 290, 3000)
    heard = np.random.default_rng(1).normal(0, 0.5, len(across))
    for number, place in enumerate(places):
        after = np.maximum(across - place, 0)
        heard += (across >= place) * 26 * 0.62**number * np.exp(-after / 3) * np.sin(2.4 * after)
    ax.plot(across, height + heard, color=INK, linewidth=0.7)
    for place in places:
        ax.plot([place, place], [-14, height - 34], color="0.6", linewidth=0.8, linestyle=":")
    for number, ends in enumerate(pairwise(places[:3]), start=1):
        measure_line(
            ax,
            (ends[0], height - 32),
            (ends[1], height - 32),
            f"T{'₀₁₂'[number]}",
            xytext=(0, -13),
            ha="center",
        )
    ax.text(-10, height + 14, "sound", fontsize=9.5, color=INK)


def draw_film(ax: Axes) -> None:
    """Draw a throw frame by frame, with the scale behind it and the phone before it."""
    ax.set_title("film: height, speed and spin by frames", fontsize=12)
    draw_table(ax, -75, 300)
    ax.add_patch(Rectangle((-66, 0), 12, 250, facecolor="#f5f0d0", edgecolor=INK, linewidth=0.8))
    for mark in range(0, 251, 10):
        ax.plot([-66, -60 if mark % 50 else -54], [mark, mark], color=INK, linewidth=0.7)
    ax.text(-60, 256, "ruler", ha="center", fontsize=9.5, color=INK)
    frames = np.arange(8) * FRAME_S
    x = RELEASE_MM[0] + SPEED_MM_S * frames
    z = RELEASE_MM[1] - 500 * GRAVITY_M_S2 * frames**2
    ax.plot(x, z, color="0.6", linewidth=0.9, linestyle=":")
    for number, place in enumerate(zip(x, z, strict=True)):
        draw_brick(ax, place, 20 + TURN_DEG * number, 24)
    ax.plot(x, z, ".", color="white", markersize=4)
    measure_line(ax, (x[0], 0), (x[0], z[0] - 13), "height", xytext=(5, -6))
    ax.annotate("let go: frame 0", (x[0], z[0] + 14), (-20, 22), textcoords="offset points", color=INK,
                arrowprops={"arrowstyle": "-", "color": "0.6"})  # fmt: skip
    ax.annotate(
        "", (215, 215), (105, 215), arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.6}
    )
    ax.text(160, 222, "x: along the throw", ha="center", fontsize=9.5, color=INK)
    ax.text(
        292,
        80,
        "count the turns\nof the marked\nface",
        ha="right",
        fontsize=9.5,
        va="center",
        color=INK,
    )
    ax.add_patch(
        FancyBboxPatch(
            (70, -92),
            76,
            40,
            boxstyle="round,pad=2,rounding_size=6",
            facecolor="0.2",
            edgecolor="none",
        )
    )
    ax.add_patch(Rectangle((75, -88), 66, 32, facecolor="0.85", edgecolor="none"))
    ax.add_patch(Circle((80, -60.5), 2.2, facecolor="0.2", edgecolor="none"))
    draw_brick(ax, (108, -73), TURN_DEG, 13)
    ax.text(
        158,
        -72,
        "phone: 1 m away, level with\nthe brick, square to the\nthrow, 240 frames a second",
        va="center",
        fontsize=9.5,
        color=INK,
    )
    ax.set_xlim(-80, 325)
    ax.set_ylim(-105, 275)


if __name__ == "__main__":
    main()
