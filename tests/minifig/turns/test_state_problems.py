"""States that play never leads to are refused, each fault with its place."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.game import Minifig
from brickphys.minifig.state import FigureStep, Phase, State
from brickphys.minifig.turns import state_problems

GAME = Minifig()
SETUP: dict[str, Any] = {
    "players": [{"name": "red"}, {"name": "blue"}],
    "table": {"width": 24, "length": 24},
    "figure": [
        {"name": "tom", "player": "red", "x": 4, "y": 12, "arms": ["sword", "bow"]},
        {"name": "ann", "player": "red", "x": 8, "y": 12, "horse": "bay"},
        {"name": "bob", "player": "blue", "x": 20, "y": 12, "arms": ["shield"]},
    ],
    "thing": [
        {"name": "bay", "kind": "horse"},
        {"name": "cart", "kind": "wagon", "x": 12, "y": 20},
    ],
    "wall": [{"name": "gate", "x": 12, "y": 4, "length": 4, "courses": 2}],
    "zone": [{"kind": "water", "corners": [[20, 1], [24, 1], [24, 4], [20, 4]]}],
}
X, Y, FACING, HORSE, ALIVE = range(5)
Row = dict[str, Any]


def start() -> Row:
    """The movement of red in the first round, as JSON."""
    state = GAME.initial(SETUP)
    for face in (6, 1):
        state = GAME.apply(state, (face,))
    return json.loads(GAME.format_state(state))


def put(*path: Any) -> Callable[[Row], None]:
    """Return a change: the last of the path goes where the others lead."""
    *keys, last, value = path

    def change(row: Any) -> None:
        for key in keys:
            row = row[key]
        row[last] = value

    return change


def at(figure: int, x: float, y: float) -> Callable[[Row], None]:
    return put("figures", figure, [x, y, 0.0, None, True, "nothing"])


FAULTS = {
    "round: 0, but the battle has begun": put("round", 0),
    "order: a player is named twice": put("order", [0, 0]),
    "order: [0] lacks a player who has a living figure": put("order", [0]),
    "turn: 3 of 2 players": put("turn", 3),
    "turn: all of 2 players are done": put("turn", 2),
    "active: 2 is not a figure that acts now": put("active", 2),
    "step: moved, but no figure acts": put("step", "moved"),
    "winners: [7] are not teams": put("winners", [7]),
    "tom: 30,12 is off the table": put("figures", 0, X, 30.0),
    "tom: facing 400 is not from 0 to 360": put("figures", 0, FACING, 400.0),
    "tom: it rides cart": put("figures", 0, HORSE, 1),
    "tom: its horse has another rider": put("figures", 0, HORSE, 0),
    "ann: it is dead, but rides": put("figures", 1, ALIVE, False),
    "tom: it is dead, but holds something": put("figures", 0, ALIVE, False),
    "tom: it holds 3 things": put("items", 2, 0, 0),
    "cart: worked in round 2 of 1": put("things", 1, 4, 2),
    "tom_sword: it must be either held or on the table": put("items", 0, 1, [3.0, 3.0]),
    "tom_sword: 3,30 is off the table": put("items", 0, [None, [3.0, 30.0], True]),
    "walls[0]: [9] are not numbers of its bricks in increasing order": put("walls", 0, [9]),
    "tom: at 12 4 the base overlaps gate": at(0, 12.0, 4.0),
    "tom: at 19.9 2 the base reaches into water": at(0, 19.9, 2.0),
    "cart: at 30 20 the base goes beyond the edge": put("things", 1, X, 30.0),
    "ann: at 8 12 the base overlaps tom": put("figures", 0, X, 7.8),
    "cart: at 12 20 the base overlaps bob": at(2, 12.5, 20.0),
    "the game cannot wait here": put("phase", "combat"),
    "menu: 'shoot', but there is nothing to choose": put("menu", "shoot"),
}


def test_a_state_is_read_as_it_was_written():
    text = json.dumps(start(), separators=(",", ":"))
    assert GAME.format_state(GAME.parse_state(text)) == text


@pytest.mark.parametrize("fault", FAULTS)
def test_an_impossible_state_is_refused(fault):
    row = start()
    FAULTS[fault](row)
    with pytest.raises(InvalidValueError, match=r"^state: ") as told:
        GAME.parse_state(json.dumps(row, separators=(",", ":")))
    assert fault in str(told.value)


@pytest.mark.parametrize(
    ("menu", "fault"),
    [("dance", "unknown kind of action 'dance'"), ("reload", "there is nothing to reload")],
)
def test_an_impossible_menu_of_a_figure_is_refused(menu, fault):
    row = start()
    row.update(active=0, menu=menu)
    with pytest.raises(InvalidValueError, match=f"^state: menu: {fault}"):
        GAME.parse_state(json.dumps(row, separators=(",", ":")))


def test_a_state_of_an_unknown_setup_is_refused():
    row = start()
    row["setup"] = "0123456789abcdef"
    with pytest.raises(InvalidValueError, match="no game with it has been started"):
        GAME.parse_state(json.dumps(row, separators=(",", ":")))


def at_start(**changes: Any) -> State:
    """The movement of red in the first round, with changes."""
    return GAME.parse_state(json.dumps(start(), separators=(",", ":"))).replaced(changes)


@pytest.mark.parametrize("step", FigureStep)
@pytest.mark.parametrize(("figure", "how"), [(0, "on foot"), (1, "on horseback")])
def test_who_has_mounted_rides_and_who_has_dismounted_does_not(step, figure, how):
    on_foot = {FigureStep.DISMOUNTED, FigureStep.ON_FOOT, FigureStep.PICKED_UP}
    is_wrong = step in ({FigureStep.MOUNTED} if how == "on foot" else on_foot)
    fault = f"step: {step.value}, but figure {figure} is {how}"
    assert list(state_problems(at_start(active=figure, step=step))) == [fault] * is_wrong


@pytest.mark.parametrize("changes", [{"turn": 2, "winners": (0,)}, {"phase": Phase.COMBAT}, {}])
def test_a_figure_acts_in_the_movement_of_its_player_only(changes):
    assert list(state_problems(at_start(**changes))) == []
    fault = ["active: 0 is not a figure that acts now"] * bool(changes)
    assert list(state_problems(at_start(**changes, active=0))) == fault


def test_what_lies_in_a_corner_of_the_table_is_on_it_and_a_thing_works_in_this_round():
    state = at_start()
    for corner in ((0.0, 0.0), (24.0, 24.0)):
        lying = state.change_item(0, holder=None, at_in=corner)
        assert list(state_problems(lying)) == []
    assert list(state_problems(state.change_thing(1, worked_round=1))) == []
    for facing, faults in ((0.0, 0), (359.9, 0), (360.0, 1), (-0.1, 1)):
        turned = state.change_figure(0, facing_deg=facing)
        assert len(list(state_problems(turned))) == faults
