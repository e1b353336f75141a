"""Orders for many: they do only what is legal, by what their player sees, and what was shown."""

from itertools import takewhile

import pytest

from brickphys.errors import InvalidValueError
from brickphys.rules.play import play
from brickphys.rules.players.bots import bot
from brickphys.rules.players.keyboard import Keyboard
from brickphys.rules.players.orders import Look, Orders, groups_of, is_order
from brickphys.rules.players.person import Person
from brickphys.rules.registry import game
from brickphys.rules.sources import LawSource
from tests.rules.players.test_preview import LAW, asked_in, chosen

GOALS = ("hold", "forward", "shoot nearest", "attack", "go")


def orders_of(asked, goal):
    try:
        return Orders(asked, f"all: {goal}")
    except InvalidValueError:
        return None


def followed(one, state, orders):
    """Return how many actions orders lead to before the first roll; each is legal, and was foreseen."""
    player, steps, first = one.actor(state), 0, orders.left[0]
    assert first in orders.lines[0]
    while one.actor(state) == player and steps < 12:
        action = one.only_action(state) or orders.next(asked_in(one, state))
        if action is None:
            break
        assert not one.problems(state, action)
        assert action == orders.previews[0][steps]
        state, steps = one.apply(state, action), steps + 1
    assert steps in (12, len(orders.previews[0]))
    return steps


@pytest.mark.parametrize(
    ("name", "setup"),
    [("bow", "duel"), ("pirate_wars", "duel"), ("minifig", "duel"), ("blade_and_bow", "mycale")],
)
def test_orders_are_legal_and_as_shown_and_the_same_for_the_same_view(name, setup):
    one, choices = chosen(name, setup)
    done = 0
    for state, _ in choices[:: -max(1, len(choices) // 4)][:3]:
        asked = asked_in(one, state)
        for goal in GOALS:
            orders = orders_of(asked, goal)
            again = orders_of(asked_in(one, state, seed=7), goal)
            assert (orders and orders.lines) == (again and again.lines)
            done += followed(one, state, orders) if orders else 0
    assert done


@pytest.mark.parametrize("setup", ["marathon", "mycale"])
def test_orders_name_no_more_units_than_actions_are_left(setup):
    one, choices = chosen("blade_and_bow", setup, "greedy")
    states = [state for state, _ in choices if "left in this impulse" in one.prompt(state)]
    for state in states[:: max(1, len(states) // 3)][:3]:
        orders = orders_of(asked_in(one, state), "forward")
        if orders is not None:
            sure = [*takewhile(lambda line: "after the roll" not in line, orders.lines)]
            assert sum(line[2:].partition(":")[0] in orders.left for line in sure) <= state.actions
            assert followed(one, state, orders)


def skirmish(lines):
    """Let the first player of a skirmish type lines; return the record, what was typed and what was shown."""
    minifig, typed, shown = game("minifig"), [], []

    def read():
        if len(typed) == len(lines):
            raise EOFError
        typed.append(lines[len(typed)])
        return typed[-1]

    keyboard = Keyboard(read, lambda line: shown.append(str(line)))
    seats = [Person(minifig, 0, LAW, keyboard), bot("random", minifig, LAW)]
    record = play(
        minifig,
        minifig.setups["skirmish"],
        seats,
        LawSource(LAW, 3),
        root=3,
        max_steps=120,
        watchers=[keyboard.watch],
    )
    return record, typed, shown


def test_a_turn_of_a_skirmish_takes_six_lines():
    lines = ["all: shoot nearest!", "all: charge!", "all: forward", "yes", "all: hold!"]
    record, typed, _ = skirmish(lines)
    own = [step for step in record.steps if step.actor == 0]
    assert len(own) >= 34  # 17 figures at least are taken, and do something
    assert len(typed) <= 6


def test_archers_shoot_in_a_row_each_after_the_rolls_of_the_one_before():
    record, typed, _ = skirmish(["archers: shoot nearest!"])
    assert len(typed) == 1
    own = [(n, step.text) for n, step in enumerate(record.steps) if step.actor == 0]
    assert [text.partition(" ")[0] for _, text in own] == ["take", "shoot"] * (len(own) // 2)
    shooters = [text for _, text in own[::2]]
    assert len({*shooters}) == len(shooters) >= 3
    for (taken, _), (shot, _) in zip(own[2::2], own[1::2], strict=False):
        assert shot + 1 < taken  # the shot is rolled before the next archer is taken


@pytest.mark.parametrize(("lines", "tips"), [([], 0), (["1"] * 6, 1)])
def test_the_tip_comes_once_and_not_before_a_turn_goes_on(lines, tips):
    _, _, shown = skirmish(lines)
    assert sum("all: hold" in line for line in shown) == tips


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nobody: hold", "nobody who can act now is 'nobody': all, "),
        (", : hold", "nobody who can act now is ''"),
        ("all:", "goals now"),
        ("all: dance", "has a plan for 'dance'; goals now: "),
        ("all: nearest dance", "goals now: "),
        ("all: shoot atlantis", "goals now: "),
    ],
)
def test_an_order_that_means_nothing_names_what_exists(line, told):
    one, choices = chosen("minifig", "duel")
    state = next(state for state, move in choices if one.chooses(move))
    if line == "all:":
        assert not is_order("12:7")
        assert not is_order("S12:7")
        assert is_order(line)
        return
    with pytest.raises(InvalidValueError, match=told):
        Orders(asked_in(one, state), line)


def test_units_of_a_formation_are_told_more_than_to_move():
    one, choices = chosen("blade_and_bow", "marathon")
    prompt = "2 units of the formation left to move"
    state = next(state for state, _ in choices[::-1] if one.prompt(state).startswith(prompt))
    look = Look(asked_in(one, state))
    assert {"forward", "hold", "back", "reverses"} <= {*look.goals("centre 1")}
    assert groups_of(look.units) == ["all", "all centres"]
    for said in ("all centres", "the centre", "ALL THE CENTRES"):
        assert look.group(said) == look.group("all")
    for goal, does in (("forward", "presses (to "), ("hold", "holds"), ("reverse", "reverses")):
        orders = Orders(look.asked, f"all centres: {goal}", look)
        assert orders.lines[0].startswith(f"  {orders.left[0]}: {does}")
        assert followed(one, state, orders) > 0


def test_what_was_shown_of_a_march_is_done_to_its_end():
    one, choices = chosen("blade_and_bow", "marathon")
    marches = [
        state for state, _ in choices if "of the formation left to move" in one.prompt(state)
    ]
    for state in marches:
        orders = orders_of(asked_in(one, state), "forward")
        if orders is not None and len(orders.left) > 1:
            count = len(orders.left)
            assert followed(one, state, orders) >= 2 * count  # each unit is taken, and goes
            assert not orders.left
