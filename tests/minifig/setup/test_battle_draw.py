"""Battles that are drawn for studies."""

import pytest

from brickphys.errors import InvalidValueError
from brickphys.minifig.game import Minifig
from brickphys.minifig.state import State
from brickphys.seeds import generator

GAME = Minifig()


def drawn(number: int, **options: object) -> tuple[str, State]:
    label, setup = GAME.draw_setup(options, generator(1, number))
    return label, GAME.initial(setup)


def test_drawn_battles_begin_with_any_of_the_units():
    labels = set()
    for number in range(20):
        label, state = drawn(number, figures=7)
        assert state.strength == (7, 7)
        labels.update(part.partition("*")[0] for part in label.replace(" | ", "+").split("+"))
    assert len(labels) == 6


def test_a_mirror_gives_both_sides_the_same_at_places_turned_by_half():
    _, state = drawn(4, figures=13, mirror=True, apart=10)
    setting = state.setting
    for one, other in zip(range(13), range(13, 26), strict=True):
        first, second = setting.figures[one], setting.figures[other]
        assert (first.kind, first.worn) == (second.kind, second.worn)
        (x, y), (far_x, far_y) = state.figures[one].place_in, state.figures[other].place_in
        assert (x + far_x, y + far_y) == pytest.approx((setting.width_in, setting.length_in))
    rows = [sorted({state.figures[n].y_in for n in side}) for side in (range(13), range(13, 26))]
    assert rows[1][0] - rows[0][-1] == pytest.approx(10)


def test_a_row_of_ten_stands_in_the_middle_of_the_table():
    _, state = drawn(4, figures=20)
    row = [state.figures[number].place_in for number in range(10)]
    assert [x for x, _ in row] == pytest.approx([1.5 * place for place in range(1, 11)])
    assert state.setting.width_in == pytest.approx(16.5)
    assert {y for _, y in row} == {5.5}  # the second row is 4 in from the end


def test_sides_that_are_named_are_not_drawn():
    sides = [["soldier,sword*3"], ["soldier,sword*2", "soldier,bow"]]
    label, state = drawn(4, sides=sides)
    assert label == "soldier,sword*3 | soldier,bow+soldier,sword*2"
    assert (label, state.strength) == (drawn(5, sides=sides)[0], (3, 3))


def test_who_is_mounted_rides_a_horse():
    _, state = drawn(1, units=["soldier,sword,mounted"], figures=3)
    assert len(state.riders) == 6


def test_the_same_draw_is_the_same_battle():
    options = {"figures": 5}
    assert GAME.draw_setup(options, generator(1, 3)) == GAME.draw_setup(options, generator(1, 3))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"units": ["soldier,sward"]}, "units[0]: unknown arm 'sward': did you mean 'sword'?"),
        ({"units": ["knight"]}, "units[0]: unknown kind of figure 'knight'"),
        ({"figures": 0}, "figures"),
        ({"sides": [["soldier*6"], ["archer*6"]]}, "sides[1][0]: unknown kind of figure 'archer'"),
        ({"sides": [["soldier*0"], ["soldier"]]}, "sides"),
        ({"sides": [["soldier"]]}, "sides"),
        ({"apart": 1.0}, "apart"),
    ],
)
def test_impossible_options_are_refused(options, says):
    with pytest.raises(InvalidValueError) as told:
        drawn(0, **options)
    assert str(told.value).startswith("draw: ")
    assert says in str(told.value)
