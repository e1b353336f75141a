"""Where a thrown object may land (BOW 2.3.2)."""

from hypothesis import given
from hypothesis import strategies as st

from brickphys.bow.actions.objects import landing
from brickphys.bow.field import Decor, DecorType, block
from brickphys.bow.terrain import terrain
from tests.bow.fields import boards, flat_board, openable, studs

MOVE = 5


def test_open_ground_takes_a_throw_within_a_circle_of_twice_the_move():
    board = flat_board(30, 30)
    stud = board.field.stud(15, 15)
    found = landing(board.terrain, stud, 2.0 * MOVE)
    assert found == board.field.circle(stud, 10.0)
    assert found >> board.field.stud(25, 15) & 1
    assert not found >> board.field.stud(23, 22) & 1


def test_nothing_passes_through_a_wall_or_a_closed_window():
    decor = [
        Decor("low", DecorType.WALL, block(0, 4, 3, 1), 0, 9),
        Decor("wall", DecorType.WALL, block(3, 4, 3, 1), 0, 20),
        Decor("sill", DecorType.WALL, block(6, 4, 1, 1), 0, 6),
        Decor("window", DecorType.WINDOW, block(6, 4, 1, 1), 6, 20),
        Decor("end", DecorType.WALL, block(7, 4, 2, 1), 0, 20),
    ]
    field = flat_board(9, 9, decor).field

    def lands(x, y, x_there, y_there, *open_ids):
        on = terrain(field, frozenset(open_ids))
        return bool(landing(on, field.stud(x, y), 10.0) >> field.stud(x_there, y_there) & 1)

    assert lands(1, 2, 1, 6)
    assert lands(1, 2, 1, 4)  # on the low wall
    assert not lands(4, 2, 4, 6)
    assert not lands(6, 2, 6, 6)
    assert lands(6, 2, 6, 6, "window")


@given(boards(), st.data(), st.sampled_from([0.0, 2.0, 4.0, 10.0]))
def test_throws_stay_in_the_circle_and_open_doors_add_to_them(board, data, radius):
    stud = data.draw(studs(board))
    found = landing(board.terrain, stud, radius)
    assert found & ~(board.field.circle(stud, radius) & board.terrain.standable) == 0
    everything = terrain(board.field, frozenset(openable(board.field)))
    assert found & ~landing(everything, stud, radius) == 0
    assert found & ~landing(board.terrain, stud, radius + 2) == 0
