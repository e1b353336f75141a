"""Aims: how a battle is won, as sentences and as areas of pictures."""

from collections.abc import Iterator
from math import cos, radians, sin

from brickphys.pirate_wars.state.setting import Setting
from brickphys.rules.aims.aims import Aim, Hold, Reach, RoundLimit
from brickphys.rules.aims.circle import Circle
from brickphys.rules.report.scenario import NamedArea
from brickphys.text import counted, spoken

_STEP_DEG = 5


def aim_texts(setting: Setting) -> list[str]:
    """Return the aims of a battle, one sentence each."""
    aims = [_aim_text(setting, aim) for aim in setting.aims]
    return [*aims, "The last side with ships that do not flee wins."]


def aim_areas(setting: Setting) -> tuple[NamedArea, ...]:
    """Return the circles of aims, as far as they are on the sea, with the players whose aims they are."""
    owners: dict[Circle, list[str]] = {}
    for aim in setting.aims:
        if not isinstance(aim, RoundLimit):
            owners.setdefault(aim.area, []).append(_team(setting, aim.team))
    return tuple(
        _area(f"aim of {' and '.join(dict.fromkeys(names))}", list(_outline(setting, circle)))
        for circle, names in owners.items()
    )


def _aim_text(setting: Setting, aim: Aim[Circle]) -> str:
    if isinstance(aim, RoundLimit):
        left = "the largest share of its hulls, sails and crews left"
        return f"After {counted(aim.rounds, 'round')}, the side with {left} wins."
    (x, y), radius = aim.area.centre, aim.area.radius
    where, team = f"within {radius:g} studs of {x:g},{y:g}", _team(setting, aim.team)
    if isinstance(aim, Hold):
        return f"{team}: be alone {where} at the end of {counted(aim.rounds, 'round')} in a row."
    assert isinstance(aim, Reach)
    named = " and ".join(spoken(setting.ships[number].name) for number in aim.units)
    return f"{team}: bring {named or counted(aim.count, 'ship')} {where}."


def _outline(setting: Setting, circle: Circle) -> Iterator[tuple[float, float]]:
    x, y = circle.centre
    for degrees in range(0, 360, _STEP_DEG):
        east, north = cos(radians(degrees)), sin(radians(degrees))
        yield (
            min(max(x + circle.radius * east, 0.0), setting.sea.width_studs),
            min(max(y + circle.radius * north, 0.0), setting.sea.height_studs),
        )


def _area(name: str, outline: list[tuple[float, float]]) -> NamedArea:
    across, up = zip(*outline, strict=True)
    left, low = min(across), min(up)
    return NamedArea(name, left, low, max(across) - left, max(up) - low, outline=tuple(outline))


def _team(setting: Setting, team: int) -> str:
    pairs = zip(setting.players, setting.teams, strict=True)
    return " and ".join(spoken(name) for name, its in pairs if its == team)
