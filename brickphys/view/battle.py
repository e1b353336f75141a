"""Battle: a game that was played, as a recording: its pieces go their ways, attack and are lost."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from brickphys.arrays import Triple
from brickphys.rules.game import AnyGame
from brickphys.rules.registry import builder
from brickphys.rules.report.scenario import NamedArea
from brickphys.rules.report.trajectories import Trajectories
from brickphys.text import spoken
from brickphys.view.builder import Builder
from brickphys.view.footage import ABOVE_MM, Footage
from brickphys.view.recording import Mark, SceneRecording, Sign, View, box_around

_END_MS = 800
_HIGH_MM = 40.0
_AROUND = 4.0
"""Margin of the field around moving things, in its unit."""
_SIDES = (
    ("from the south", -90.0, 34.0),
    ("from above", -90.0, 89.0),
    ("from the west", 180.0, 30.0),
    ("from the east", 0.0, 30.0),
    ("from the north", 90.0, 30.0),
)


def battle_page(
    game: AnyGame, trajectories: Trajectories[Any], scenario: str = ""
) -> SceneRecording:
    """Return a game that was played in space and time; InvalidValueError if it is not shown in three dimensions.

    The title of its scenario is in the heading, if one is given.
    """
    title = battle_title(game, trajectories.names, scenario)
    return battle_recording(trajectories, builder(game), title)


def battle_title(game: AnyGame, names: Sequence[str], scenario: str = "") -> str:
    """Return the title of a game between some players, with that of its scenario if there is one."""
    what = ", ".join(filter(None, [spoken(game.name), scenario]))
    return f"{what}: {' against '.join(map(spoken, names))}"


def battle_recording(
    trajectories: Trajectories[Any], builder: Builder[Any], title: str
) -> SceneRecording:
    """Return a game that was played as a recording.

    It shows no more than the trajectories hold; those of a viewer (see `brickphys.rules.report.parts.Parts`) hold
    nothing that is hidden from that viewer.
    """
    footage = Footage(builder, trajectories.colours)
    footage.add(trajectories.frames)
    first, end_ms = trajectories.frames[0].state, footage.end_ms
    areas = area_marks(trajectories.areas, builder, first, end_ms + 2 * _END_MS)
    return SceneRecording(
        title=title,
        about=f"{_players(trajectories)}. {trajectories.ending}",
        duration_ms=end_ms + _END_MS,
        speed=1.0,
        is_physical=False,
        things=tuple(footage.cast.things(end_ms + 2 * _END_MS)),
        events=tuple(footage.events),
        views=tuple(battle_views(builder, first, footage.places)),
        marks=(*areas, *footage.marks),
        ruler=builder.ruler(first),
    )


def _players(trajectories: Trajectories[Any]) -> str:
    pairs = zip(trajectories.names, trajectories.played_by, strict=False)
    return " against ".join(f"{spoken(name)} ({by})" for name, by in pairs)


def area_marks(
    areas: Iterable[NamedArea], builder: Builder[Any], state: Any, end_ms: int
) -> Iterator[Mark]:
    """Yield the areas of the field that have a name, or that an aim is about."""
    for area in areas:
        right, far = area.x + area.width, area.y + area.length
        outline = area.outline or ((area.x, area.y), (right, area.y), (right, far), (area.x, far))
        unit, height = builder.unit_mm, builder.height_mm(state, (area.x, area.y))
        places = tuple((x * unit, y * unit, height + ABOVE_MM) for x, y in outline)
        yield Mark(Sign.AREA, 0, end_ms, places, "white", builder.mark_mm, area.name)


def battle_views(
    builder: Builder[Any], state: Any, places: Sequence[Triple], room_share: float = 0.0
) -> Iterator[View]:
    """Yield views of where pieces come, and of the whole field.

    Parameters
    ----------
    builder, state, places
        What is seen, and where pieces are, in mm.
    room_share
        How much of the field is seen around them, as a share of it, at least.
    """
    width, length = (side * builder.unit_mm for side in builder.size(state))
    field = (0.0, 0.0, 0.0), (width, length, _HIGH_MM)
    low, high = field
    if places:
        room_mm = max(_AROUND * builder.unit_mm, room_share * max(width, length))
        low, high = box_around(places, room_mm)
        low = (max(low[0], 0.0), max(low[1], 0.0), 0.0)
        high = (min(high[0], width), min(high[1], length), _HIGH_MM)
    for name, azimuth_deg, elevation_deg in _SIDES:
        yield View(name, azimuth_deg, elevation_deg, low, high)
    yield View("the whole field", -90.0, 45.0, *field)
