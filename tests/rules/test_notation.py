"""States of every type of field read back as they were written; near misses are refused."""

import json
from dataclasses import dataclass
from enum import Enum
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brickphys.errors import InvalidValueError
from brickphys.rules.notation import FieldForm, StateCodec
from brickphys.rules.record import GameSetting
from brickphys.rules.turn_state import Count, PlayerNumber, TurnState


class Wind(Enum):
    CALM = "calm"
    GALE = "gale"


@dataclass(frozen=True)
class Ship:
    x_studs: float
    crew: tuple[Count, ...]
    captain: str | None
    sunk: bool = False


@dataclass(frozen=True, kw_only=True)
class Sea(TurnState):
    ships: tuple[Ship, ...]
    wind: Wind
    rocks: frozenset[tuple[int, int]]
    facing: Annotated[int, range(8)]
    flag: Ship | None
    mover: PlayerNumber
    scores: Annotated[tuple[Count, ...], "players"]
    secret: int


SETTING = GameSetting("0123", ("ann", "bob"))
FORM = FieldForm(
    lambda setting, value: f"{setting.digest} {value}", lambda _, raw: int(raw.split(" ")[1])
)
CODEC = StateCodec(Sea, keys={"rocks": "cliffs"}, forms={"secret": FORM})
SHIPS = st.builds(
    Ship,
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(st.integers(0, 9), max_size=3).map(tuple),
    st.none() | st.text(max_size=3),
    st.booleans(),
)
SEAS = st.builds(
    Sea,
    setting=st.just(SETTING),
    ships=st.lists(SHIPS, max_size=3).map(tuple),
    wind=st.sampled_from(Wind),
    rocks=st.frozensets(st.tuples(st.integers(), st.integers()), max_size=4),
    facing=st.integers(0, 7),
    flag=st.none() | SHIPS,
    mover=st.integers(0, 1),
    scores=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    secret=st.integers(),
)


def parse(text: str) -> Sea:
    return CODEC.parse(text, lambda _: SETTING)


@given(SEAS)
def test_states_read_back(sea):
    assert parse(CODEC.format(sea)) == sea


SEA = Sea(
    setting=SETTING,
    ships=(Ship(1.5, (3, 4), None), Ship(-2.0, (), "ann", sunk=True)),
    wind=Wind.GALE,
    rocks=frozenset([(2, 1), (0, 5)]),
    facing=7,
    flag=None,
    mover=1,
    scores=(3, 0),
    secret=42,
)
TEXT = (
    '{"setup":"0123","ships":[[1.5,[3,4],null,false],[-2.0,[],"ann",true]],"wind":"gale",'
    '"cliffs":[[0,5],[2,1]],"facing":7,"flag":null,"mover":1,"scores":[3,0],"secret":"0123 42","pending":[]}'
)


def test_a_state_is_written_by_its_types():
    assert CODEC.format(SEA) == TEXT


@pytest.mark.parametrize(
    ("part", "other", "why"),
    [
        ("1.5", "1", r"ships\[0\].x_studs: 1 is not of type float"),
        ("1.5", "Infinity", r"x_studs: inf is not of type float"),
        ("1.5", "1.50", "written differently"),
        ("false", "0", r"ships\[0\].sunk: 0 is not of type bool"),
        ("[3,4]", "[3,-4]", r"ships\[0\].crew\[1\]: -4 is not from 0 to 1000000"),
        ("[3,4]", "[3,true]", r"crew\[1\]: True is not of type int"),
        ("null,false", "false", r"ships\[0\]: .* is not the 4 values of Ship"),
        ('"gale"', '"storm"', "wind: 'storm' is not of type Wind"),
        ("[[0,5],[2,1]]", "[[2,1],[0,5]]", "written differently"),
        ("[[0,5],[2,1]]", "[[0,5,1],[2,1]]", r"cliffs\[0\]: .* is not an array of 2"),
        ('"facing":7', '"facing":8', "facing: 8 is not from 0 to 7"),
        ('"flag":null', '"flag":[]', "flag: .* is not the 4 values of Ship"),
        ('"mover":1', '"mover":2', "mover: 2 is not from 0 to 1"),
        ('"mover":1', '"mover":-1', "mover: -1 is not from 0 to 1"),
        ("[3,0]", "[3]", "scores: 1 values, not 2"),
        ('"cliffs"', '"rocks"', "not an object with the keys"),
    ],
)
def test_other_texts_are_refused(part, other, why):
    assert part in TEXT
    with pytest.raises(InvalidValueError, match=why):
        parse(TEXT.replace(part, other, 1))


def test_all_faults_are_named_with_their_places():
    row = json.loads(TEXT) | {"facing": -1, "wind": None, "flag": 3}
    with pytest.raises(InvalidValueError) as caught:
        parse(json.dumps(row))
    for place in ("facing: -1", "wind: None", "flag: 3"):
        assert place in str(caught.value)
