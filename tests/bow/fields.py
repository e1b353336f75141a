"""Small random battlefields, their mirror images, and solids found by looking at single points."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from brickphys.bow.field import FIGURE_PLATES, Decor, DecorType, Field, Stance, block
from brickphys.bow.terrain import Board, terrain
from brickphys.grid.grid import each, squares_of
from brickphys.vehicles.scene import Vehicle

quarters = st.integers(0, 36).map(lambda quarter: quarter / 4)


@st.composite
def decors(draw, width, length, number):
    """Blocks of studs on and around the ground, now and then a triangle or a diamond."""
    x, y = draw(st.integers(0, width - 1)), draw(st.integers(0, length - 1))
    if draw(st.integers(0, 3)):
        corners = block(x, y, draw(st.integers(1, 3)), draw(st.integers(1, 3)))
    else:
        corners = draw(
            st.sampled_from(
                [
                    ((x, y), (x + 2, y), (x, y + 1.5)),
                    ((x, y + 1), (x + 0.5, y), (x + 1, y + 1), (x + 0.5, y + 2)),
                ]
            )
        )
    kind = draw(
        st.sampled_from(
            [DecorType.WALL, DecorType.WALL, DecorType.DOOR, DecorType.WINDOW, DecorType.FURNITURE]
        )
    )
    bottom = draw(st.sampled_from([0.0, 0.0, 0.0, 3.0, 14.0]))
    top = bottom + draw(st.sampled_from([2.0, 3.0, 9.0, 15.0]))
    return Decor(f"decor {number}", kind, corners, bottom, top)


@st.composite
def fields(draw, flat=False):
    width, length = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    decor = tuple(draw(decors(width, length, n)) for n in range(draw(st.integers(0, 6))))
    heights = st.sampled_from([0.0, 0.0, 2.0, 3.0, 6.0])
    count = width * length
    ground = () if flat else tuple(draw(st.lists(heights, min_size=count, max_size=count)))
    return Field(width, length, decor, ground)


@st.composite
def vehicles(draw, field, number):
    bottom = draw(st.sampled_from([0.0, 0.0, 3.0, 20.0]))
    return Vehicle(
        f"vehicle {number}",
        draw(st.integers(0, 2 * field.width)) / 2,
        draw(st.integers(0, 2 * field.length)) / 2,
        draw(st.sampled_from([0.0, 90.0, 30.0, 200.0])),
        draw(st.sampled_from([1.0, 2.5, 4.0])),
        draw(st.sampled_from([1.0, 2.0])),
        bottom,
        bottom + draw(st.sampled_from([4.0, 9.0])),
    )


def openable(field):
    return [decor.id for decor in field.decor if decor.kind.opens]


@st.composite
def boards(draw, flat=False):
    field = draw(fields(flat))
    open_ids = frozenset(name for name in openable(field) if draw(st.booleans()))
    on = terrain(field, open_ids)
    units = squares_of(stud for stud in each(on.standable) if not draw(st.integers(0, 7)))
    driving = tuple(draw(vehicles(field, n)) for n in range(draw(st.integers(0, 2))))
    return Board(on, units, driving)


def studs(board):
    return st.integers(0, board.field.width * board.field.length - 1)


def mirrored(board):
    """Return a board as in a mirror along y, and where its studs went."""
    return _moved(
        board,
        (board.field.width, board.field.length),
        lambda x, y: (board.field.width - x, y),
        lambda heading: 180.0 - heading,
    )


def turned(board):
    """Return a board turned by a quarter, counter-clockwise, and where its studs went."""
    return _moved(
        board,
        (board.field.length, board.field.width),
        lambda x, y: (board.field.length - y, x),
        lambda heading: heading + 90.0,
    )


IMAGES = [mirrored, turned]


def _moved(board, size, place, heading_deg):
    old, (width, length) = board.field, size
    middles = [place(*stance[:2]) for stance in old.stances]
    there = [int(y) * width + int(x) for x, y in middles]
    ground = [0.0] * len(there)
    for stud, height in zip(there, old.grounds_plates, strict=True):
        ground[stud] = height
    decor = tuple(
        replace(thing, corners_studs=tuple(place(*corner) for corner in thing.corners_studs))
        for thing in old.decor
    )
    field = Field(width, length, decor, tuple(ground), old.step_plates)
    moved = []
    for vehicle in board.vehicles:
        x, y = place(*vehicle.centre_studs)
        heading = heading_deg(vehicle.heading_deg)
        moved.append(replace(vehicle, x_studs=x, y_studs=y, heading_deg=heading))
    units = squares_of(there[stud] for stud in each(board.units))
    return Board(terrain(field, board.terrain.open_ids), units, tuple(moved)), there


def are_solid(board, points, grown, without=0):
    """Tell which of n points, shape (n, 3), are in ground, decor, a vehicle or a figure, all grown on every side."""
    field = board.field
    boxes = []
    for stud, ground in enumerate(field.grounds_plates):
        x, y = field.xy(stud)
        if board.units >> stud & 1 and not without >> stud & 1:
            level = field.levels_plates[stud]
            boxes.append((x, y, level, level + FIGURE_PLATES))
        boxes.append((x, y, -np.inf, ground))
    low = np.array([(x, y, bottom) for x, y, bottom, _ in boxes]) - grown
    high = np.array([(x + 1, y + 1, top) for x, y, _, top in boxes]) + grown
    inside = ((low < points[:, None]) & (points[:, None] < high)).all(axis=2).any(axis=1)
    shut = [decor for decor in field.decor if decor.id not in board.terrain.open_ids]
    prisms = [(decor.footprint, *decor.span_plates) for decor in shut]
    prisms += [
        (vehicle.prism.footprint, vehicle.bottom_plates, vehicle.top_plates)
        for vehicle in board.vehicles
    ]
    for footprint, bottom, top in prisms:
        within = (points[:, :2] @ footprint.normals.T < footprint.offsets_studs + grown).all(axis=1)
        inside |= within & (bottom - grown < points[:, 2]) & (points[:, 2] < top + grown)
    return inside


def flat_board(width=20, length=20, decor=(), units=(), vehicles=(), open_ids=()):
    """Return a board on flat ground; units are given as columns and rows."""
    field = Field(width, length, tuple(decor))
    taken = squares_of(field.stud(x, y) for x, y in units)
    return Board(terrain(field, frozenset(open_ids)), taken, tuple(vehicles))


def at(x, y, ground=0.0):
    """Return the stance on the stud in a column and a row."""
    return Stance(x + 0.5, y + 0.5, ground)
