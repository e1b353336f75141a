"""Film: a game that was played on its field, a picture for each turn or action in which something happens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from brickphys.engines.view import Image
from brickphys.geometry.polygon import Point
from brickphys.plots.animation import Animation
from brickphys.plots.colors import Color, player_rgb, rgb
from brickphys.plots.labels import Label, label_marks
from brickphys.plots.marks import Mark
from brickphys.plots.painter import Painter
from brickphys.plots.pieces import Pieces, draw_way
from brickphys.plots.stage import CAPTION_POINTS, Stage
from brickphys.plots.stamps import Stamp, paragraph
from brickphys.plots.trajectories import cross_box, draw_cross, shown_labels
from brickphys.rules.report.trajectories import Frame, Trajectories

MOST_FRAMES = 160
FRAME_MS = 900
"""How long a frame is shown."""
_DPI = 72
_CAPTION_LINES = 4
_IMPACT_POINTS = 14.0
_HIT: dict[str, Any] = {"marker": "*", "mfc": rgb("orange")}
_SPLASH: dict[str, Any] = {"marker": "o", "mfc": "white"}


@dataclass(frozen=True, eq=False)
class Shot:
    """A frame that is shown, what stands on the field in it, and the frames since the last one that are left out."""

    frame: Frame[Any]
    pieces: Pieces
    left_out: tuple[Frame[Any], ...] = ()


class Film:
    """The pictures of a game that was played; each is drawn when it is asked for, the next one fastest.

    Turns in which nothing happens are left out: nobody moves, attacks, shoots or is lost, nothing is rolled, and the
    field looks as before.
    If one player alone is shown, the turns of others are left out in which that player loses nothing.
    Of a game with more than `MOST_FRAMES` others some are left out too, but none with a loss, and for one player none
    with an attack or a roll. The next caption names the turns that are left out, or at least who acted in them.

    Attributes
    ----------
    shots
        What is shown.
    """

    def __init__(self, trajectories: Trajectories[Any], painter: Painter[Any]) -> None:
        self._painter, self._trajectories = painter, trajectories
        self.shots = tuple(_shots(trajectories, painter))
        self._stage = Stage(painter, trajectories.frames[0].state, trajectories.areas)
        self._stage.make_room(_CAPTION_LINES + 1)  # and one for what is left out
        self._animation = Animation(self._stage.canvas, self._stage.ax, _DPI)
        self._ground: object = object()

    def __len__(self) -> int:
        return len(self.shots)

    def __getitem__(self, number: int, /) -> Image:
        """Return a picture, shape (height, width, 3): red, green and blue, 0 to 255."""
        shot = self.shots[number]
        state = shot.frame.state
        ground = self._painter.ground(state)
        if ground != self._ground:
            self._animation.set_background(lambda: self._stage.draw_field(state))
            self._ground = ground
        return self._animation.picture(self.marks(shot))

    @property
    def left_out(self) -> int:
        """How many turns are not shown."""
        return sum(len(shot.left_out) for shot in self.shots)

    def marks(self, shot: Shot) -> list[Mark]:
        """Return everything that is drawn over the field, once the field of this shot is drawn."""
        stage, frame, pieces = self._stage, shot.frame, shot.pieces
        lost = [
            Label(
                self._painter.called(frame.state, one.name),
                cross_box(one.at, stage.ax),
                self._trajectories.colours[one.player],
            )
            for one in frame.kills
        ]
        labels = [*stage.labels, *lost, *shown_labels(self._trajectories, pieces.labels)]
        return [
            *pieces.marks,
            *label_marks(labels, [*pieces.taken, *stage.written], stage.ax),
            *_events(frame, self._trajectories.colours),
            Mark(_draw_caption, tuple(self.caption(shot))),
        ]

    def caption(self, shot: Shot) -> list[str]:
        """Return the lines over a frame: of a text that is too long the last events, and what was left out before.

        Over the first one they also say what signs mean.
        """
        lines, events = list[str](), shot.frame.text.split("; ")
        signs = self._painter.signs(shot.frame.state) if shot is self.shots[0] else ""
        for first in range(len(events)):
            text = "... " * (first > 0) + "; ".join(events[first:])
            lines = self._stage.wrapped(shot.frame.heading, text, signs)
            if len(lines) <= _CAPTION_LINES:
                break
        else:
            lines = [*lines[: _CAPTION_LINES - 1], f"{lines[_CAPTION_LINES - 1]} ..."]
        if not shot.left_out:
            return lines
        return [*lines, _left_out_text(shot.left_out, self._stage.letters)]


def _shots(trajectories: Trajectories[Any], painter: Painter[Any]) -> Iterator[Shot]:
    """Yield what is shown of a game: never nothing, and the last frame always."""
    frames, own = trajectories.frames, trajectories.shown_player
    looks = [(painter.ground(frame.state), painter.pieces(frame.state)) for frame in frames]
    last, happens = len(frames) - 1, list[int]()
    for number, frame in enumerate(frames):
        happened = not frame.is_still or looks[number] != looks[number - 1]
        if number in (0, last) or (happened and _is_of(frame, own)):
            happens.append(number)
    step, before = max(1, -(-len(happens) // MOST_FRAMES)), -1
    for count, number in enumerate(happens):
        frame = frames[number]
        fights = own is not None and (frame.attacks or frame.impacts or frame.rolled)
        if count % step == 0 or number == last or frame.kills or fights:
            yield Shot(frame, looks[number][1], tuple(frames[before + 1 : number]))
            before = number


def _left_out_text(frames: Sequence[Frame[Any]], letters: int) -> str:
    """Return one line about turns that are not shown: as they are told, or else who acted, as many as fit."""
    head = f"Left out before this ({len(frames)})"
    told = [frame.text.rstrip(".") for frame in frames if frame.text]
    names = list(dict.fromkeys(text.partition(":")[0] for text in told))
    lines = [f"{head}: {'; '.join(told)}"] if told else []
    for count in range(len(names), 0, -1):
        more = f" and {len(names) - count} more" * (count < len(names))
        lines.append(f"{head}: {', '.join(names[:count])}{more}")
    return next((line for line in lines if len(line) <= letters), head)


def _is_of(frame: Frame[Any], player: int | None) -> bool:
    """Whether a player acts in a frame or loses a unit; always true without a player."""
    return (
        player is None or frame.player == player or any(one.player == player for one in frame.kills)
    )


def _events(frame: Frame[Any], colours: Sequence[str]) -> Iterator[Mark]:
    """Yield the way of the unit that acted, its attacks, where shots fell, and crosses for those who were lost."""
    if frame.path and frame.player is not None:
        yield Mark(_draw_path, (frame.path, player_rgb(colours[frame.player])))
    yield from (Mark(_draw_attack, ends) for ends in frame.attacks)
    yield from (Mark(_draw_impact, impact) for impact in frame.impacts)
    yield from (Mark(draw_cross, (tuple(one.at),)) for one in frame.kills)


def _draw_path(path: Sequence[Point], color: Color, ax: Axes) -> None:
    """Draw the way of the unit that acted."""
    draw_way(path, ax, color="white", lw=3.5, zorder=5.2, solid_capstyle="round")
    draw_way(path, ax, color=color, lw=2, zorder=5.3, solid_capstyle="round")


def _draw_attack(start: Point, end: Point, ax: Axes) -> None:
    """Draw from where to where a unit attacked."""
    draw_way([start, end], ax, color="black", lw=1.6, ls=(0, (3, 2)), zorder=7)


def _draw_impact(at: Point, hits: bool, ax: Axes) -> None:
    """Draw where a shot fell: a star for a hit, a round splash for a miss."""
    marker = _HIT if hits else _SPLASH
    draw_way([at], ax, ms=_IMPACT_POINTS, mec="black", mew=0.8, zorder=7.1, **marker)


def _draw_caption(*given: Any) -> None:
    """Write lines over the field; the axes come last."""
    *lines, ax = given
    pixels = round(CAPTION_POINTS * _DPI / 72)
    at = 0.02, 1 - 0.08 / ax.figure.get_figheight()
    stamp = Stamp(paragraph(tuple(lines), pixels), at, (0.0, 1.0), 3.0)
    stamp.set_transform(ax.figure.transFigure)
    ax.figure.add_artist(stamp)
