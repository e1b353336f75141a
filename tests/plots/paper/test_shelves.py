"""Rectangles on pages: all in the room, none over another."""

from hypothesis import given
from hypothesis import strategies as st

from brickphys.plots.paper import shelved

ROOM = 100.0, 150.0
GAP = 2.0
SIZES = st.lists(st.tuples(st.floats(1, ROOM[0]), st.floats(1, ROOM[1])), min_size=1, max_size=12)


@given(SIZES)
def test_all_lie_in_the_room_and_apart(sizes):
    boxes = [
        (place.page, place.x, place.y, place.x + wide, place.y + high)
        for place, (wide, high) in zip(shelved(sizes, ROOM, GAP), sizes, strict=True)
    ]
    for number, (page, left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert top >= 0
        assert right <= ROOM[0] + 1e-9
        assert bottom <= ROOM[1] + 1e-9
        for other in boxes[:number]:
            apart = right <= other[1] or other[3] <= left or bottom <= other[2] or other[4] <= top
            assert page != other[0] or apart
    pages = {box[0] for box in boxes}
    assert pages == set(range(len(pages)))


def test_rectangles_are_read_in_their_order_unless_that_needs_more_pages():
    sizes = [(30.0, 20.0), (60.0, 40.0), (40.0, 60.0), (50.0, 10.0)]
    places = shelved(sizes, ROOM, GAP)
    assert places == sorted(places, key=lambda place: (place.page, place.y, place.x))
    assert {place.page for place in places} == {0}
    loose = [(90.0, 60.0), (40.0, 100.0), (90.0, 25.0), (40.0, 48.0)] * 2
    packed = shelved(loose, ROOM, GAP)
    assert packed != sorted(packed, key=lambda place: (place.page, place.y, place.x))


def test_a_page_is_filled_before_the_next_begins():
    places = shelved([(48.0, 70.0)] * 5, ROOM, GAP)
    assert [place.page for place in places] == [0, 0, 0, 0, 1]
    assert len({(place.x, place.y) for place in places[:4]}) == 4
