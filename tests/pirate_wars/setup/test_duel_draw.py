"""Duels that are drawn for studies."""

import pytest

from brickphys.errors import InvalidValueError
from brickphys.pirate_wars.sheets import ships
from brickphys.seeds import generator
from tests.pirate_wars.battle import GAME


def drawn(number, **options):
    return GAME.draw_setup(options, generator(1, number))


def test_any_two_different_ships_meet_and_begin():
    labels = set()
    for number in range(60):
        label, duel = drawn(number)
        pair = label.split(" | ")
        state = GAME.initial(duel)
        assert [spec.sheet.name for spec in state.setting.ships] == pair
        assert len({*pair}) == 2
        labels.update(pair)
    assert labels == set(ships())


@pytest.mark.parametrize(("windward", "upwind"), [("first", 0), ("second", 1)])
def test_who_has_the_weather_gauge_is_upwind_and_both_sail_across_the_wind(windward, upwind):
    for number in range(8):
        _, duel = drawn(number, ships=["black_pearl", "black_pearl"], windward=windward, apart=60)
        one, other = duel["ship"][upwind], duel["ship"][1 - upwind]
        assert duel["wind_deg"] == 90.0
        assert other["y"] - one["y"] == 60
        assert one["x"] == other["x"]
        assert one["heading_deg"] == other["heading_deg"]
        assert one["heading_deg"] in (0.0, 180.0)


def test_the_same_draw_is_the_same_duel():
    assert drawn(3) == drawn(3)
    assert len({drawn(number)[0] for number in range(20)}) > 10


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"ships": ["raft", "black_pearl"]}, "ships[0]: unknown ship 'raft'"),
        ({"ships": ["black_pearl"]}, "ships"),
        ({"windward": "north"}, "windward"),
        ({"apart": 5}, "apart"),
        ({"sea": 3}, "sea"),
    ],
)
def test_faults_are_named_with_their_key(options, says):
    with pytest.raises(InvalidValueError) as error:
        drawn(0, **options)
    assert str(error.value).startswith("draw: ")
    assert says in str(error.value)
