"""Circle aims: how a battle on an open table is won, as sentences and as areas of pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from brickphys.geometry.polygon import Point
from brickphys.rules.aims.aims import Aim, Carry, Hold, RoundLimit
from brickphys.rules.aims.circle import Circle
from brickphys.rules.report.scenario import NamedArea
from brickphys.text import counted, spoken

_STEP_DEG = 5


@dataclass(frozen=True)
class CircleAims:
    """The aims of a battle whose areas are circles.

    Attributes
    ----------
    aims, players, teams
        Those of the setting: the team of each player by index.
    units
        The name of each unit by number.
    size, unit
        Width and length of the table, and the name of their unit.
    noun
        What a unit is called.
    points
        What wins at a limit of rounds: ``the most figures left``.
    last
        How the battle is won without an aim, as a sentence.
    """

    aims: Sequence[Aim[Circle]]
    players: Sequence[str]
    teams: Sequence[int]
    units: Sequence[str]
    size: Point
    unit: str
    noun: str
    points: str
    last: str

    def texts(self) -> list[str]:
        """Return the aims, one sentence each."""
        return [*map(self._text, self.aims), self.last]

    def areas(self) -> tuple[NamedArea, ...]:
        """Return the circles, as far as they are on the table, with the players whose aims they are."""
        owners: dict[Circle, list[str]] = {}
        for aim in self.aims:
            if not isinstance(aim, RoundLimit):
                owners.setdefault(aim.area, []).append(self._team(aim.team))
        return tuple(
            _area(f"aim of {' and '.join(dict.fromkeys(names))}", list(self._outline(circle)))
            for circle, names in owners.items()
        )

    def _text(self, aim: Aim[Circle]) -> str:
        if isinstance(aim, RoundLimit):
            return f"After {counted(aim.rounds, 'round')}, the side with {self.points} wins."
        (x, y), radius = aim.area.centre, aim.area.radius
        where, team = f"within {radius:g} {self.unit} of {x:g},{y:g}", self._team(aim.team)
        if isinstance(aim, Hold):
            return (
                f"{team}: be alone {where} at the end of {counted(aim.rounds, 'round')} in a row."
            )
        if isinstance(aim, Carry):
            return f"{team}: bring {spoken(aim.item)} {where}."
        named = " and ".join(spoken(self.units[number]) for number in aim.units)
        return f"{team}: bring {named or counted(aim.count, self.noun)} {where}."

    def _outline(self, circle: Circle) -> Iterator[Point]:
        (x, y), (width, length) = circle.centre, self.size
        for degrees in range(0, 360, _STEP_DEG):
            east, north = cos(radians(degrees)), sin(radians(degrees))
            yield (
                min(max(x + circle.radius * east, 0.0), width),
                min(max(y + circle.radius * north, 0.0), length),
            )

    def _team(self, team: int) -> str:
        pairs = zip(self.players, self.teams, strict=True)
        return " and ".join(spoken(name) for name, its in pairs if its == team)


def _area(name: str, outline: list[Point]) -> NamedArea:
    across, up = zip(*outline, strict=True)
    left, low = min(across), min(up)
    return NamedArea(name, left, low, max(across) - left, max(up) - low, outline=tuple(outline))
