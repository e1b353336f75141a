"""Scenario: a game before it begins, as the command `scenario` and its picture show it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Self

from brickphys.rules.record import Setup, State
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.rules.scenario.scenario import Scenario

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point


@dataclass(frozen=True)
class NamedArea:
    """A part of the field: the rectangle around it, in its unit, and the text in it.

    Attributes
    ----------
    name
        The text.
    x, y, width, length
        The lower left corner and the size of the rectangle.
    outline
        Its corners, if it is no rectangle.
    """

    name: str
    x: float
    y: float
    width: float
    length: float
    outline: "tuple[Point, ...]" = field(default=(), kw_only=True)


@dataclass(frozen=True)
class ScenarioReport(Generic[State]):
    """A game before it begins.

    Attributes
    ----------
    title, text
        Its name, and its description.
    map
        The field in characters, with its legend.
    armies
        The totals of each player's army.
    aims
        How the game is won, a sentence each.
    areas
        Rectangles that have a name, or that an aim is about.
    setup, state
        The setup, and the first state.
    limit_points
        The most cost points of each army; None if there is no limit.
    """

    title: str
    text: str
    map: str
    armies: tuple[ArmyTotal, ...]
    aims: tuple[str, ...]
    areas: tuple[NamedArea, ...]
    setup: Setup
    state: State
    limit_points: int | None = None

    @classmethod
    def of(
        cls,
        scenario: Scenario,
        state: State,
        *,
        map_text: str,
        armies: Iterable[ArmyTotal],
        aims: Iterable[str],
        areas: Iterable[NamedArea],
    ) -> Self:
        """Return the report of a scenario, with its first state and what the game says of that."""
        return cls(
            title=scenario.title,
            text=scenario.text.strip(),
            map=map_text,
            armies=tuple(armies),
            aims=tuple(aims),
            areas=tuple(areas),
            setup=scenario.setup,
            state=state,
            limit_points=scenario.setup.get("limit_points"),
        )
