"""Odds fields: what the rolls of all games ask for, as the command line and the browser do."""

import inspect
from typing import Annotated, Literal

import pytest

from brickphys.odds.law import RollLaw
from brickphys.rules.registry import game
from brickphys.rules.report.parts import OddsField, odds_fields, takes_law


def roll(
    who: Annotated[str, "Who."],
    law: RollLaw,
    far: Annotated[float | None, "How far."] = None,
    side: Annotated[Literal["left", "right"], "Which."] = "left",
    causes: Annotated[tuple[Literal["a", "b"], ...], "Why."] = ("a",),
    cover: Annotated[bool, "Whether."] = False,
    count: Annotated[int, "How many."] = 2,
) -> None:
    """A roll of all kinds of parameters."""


def test_every_kind_of_parameter_is_known():
    assert takes_law(roll)
    assert odds_fields(roll) == (
        OddsField("who", "Who.", str, is_needed=True),
        OddsField("far", "How far.", float),
        OddsField("side", "Which.", str, ("left", "right"), default="left"),
        OddsField("causes", "Why.", str, ("a", "b"), is_many=True, default=("a",)),
        OddsField("cover", "Whether.", bool, default=False),
        OddsField("count", "How many.", int, default=2),
    )


@pytest.mark.parametrize("name", ["blade_and_bow", "bow", "minifig", "pirate_wars"])
def test_the_rolls_of_games_have_a_field_for_each_parameter(name):
    for tell in game(name).odds_tables().values():
        names = [field.name for field in odds_fields(tell)] + ["law"] * takes_law(tell)
        assert sorted(names) == sorted(inspect.signature(tell).parameters)
        assert all(
            field.about and field.kind in (str, int, float, bool) for field in odds_fields(tell)
        )
