"""Wall: courses of bricks in running bond, clutched into one rigid body."""

from functools import lru_cache

from brickphys.errors import InvalidValueError
from brickphys.projectiles.bodies.target import Target, TargetPart
from brickphys.shapes.brick import brick
from brickphys.units import BRICK_MM, STUD_MM

_LONG, _THICK = 4, 2


def brick_wall(courses: int, length_studs: int) -> Target:
    """Return a wall of 2x4 bricks along y, with 2x2 bricks at the ends of every second course.

    Parameters
    ----------
    courses
        Number of courses, from 1; as one body of an engine a wall has at most `brickphys.engines.compound.MAX_PARTS`
        bricks.
    length_studs
        Length, a multiple of 4.

    Raises
    ------
    InvalidValueError
        If the length is no such multiple, or the wall has no courses.
    """
    if length_studs < _LONG or length_studs % _LONG:
        raise InvalidValueError(f"a wall of {length_studs} studs is not of whole 2x4 bricks")
    if courses < 1:
        raise InvalidValueError(f"a wall of {courses} courses has no bricks")
    rows = [_row(length_studs, course % 2 == 1) for course in range(courses)]
    parts = tuple(
        _brick(course, first - length_studs / 2, studs)
        for course, row in enumerate(rows)
        for first, studs in row
    )
    return Target(
        f"wall of {courses}", "a wall of 2x4 bricks", "Bricks of `brickphys.shapes`.", parts
    )


def _row(length: int, is_shifted: bool) -> list[tuple[int, int]]:
    """Return first stud and studs of the bricks of a course."""
    if not is_shifted:
        return [(first, _LONG) for first in range(0, length, _LONG)]
    half = _LONG // 2
    inner = [(first, _LONG) for first in range(half, length - half, _LONG)]
    return [(0, half), *inner, (length - half, half)]


def _brick(course: int, first_studs: float, studs: int) -> TargetPart:
    middle = (0.0, (first_studs + studs / 2) * STUD_MM, (course + 0.5) * BRICK_MM)
    size = (_THICK * STUD_MM, studs * STUD_MM, BRICK_MM)
    return TargetPart("box", f"brick of course {course + 1}", middle, size, _mass_g(studs))


@lru_cache
def _mass_g(studs: int) -> float:
    """Return the mass of a brick of a length."""
    return brick(_THICK, studs).mass_g
