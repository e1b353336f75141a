"""Collision checkers as strangers write them, on plain scenes as JSON: one that is right, and four with a bug each.

They know complex numbers and nothing of the project. Two convex outlines are apart if the normal of an edge parts them
(the separating axis theorem). On a straight way each normal gives the part of the way on which it does not part them.
A turn is looked at every quarter of a degree.
"""

from cmath import exp
from math import inf, radians


def rectangle(x, y, heading_deg, length, width):
    turn = exp(1j * radians(heading_deg))
    corners = (1 + 1j, -1 + 1j, -1 - 1j, 1 - 1j)
    return [complex(x, y) + complex(c.real * length, c.imag * width) / 2 * turn for c in corners]


def outline(kind, thing):
    if kind == "decor":
        ring = [complex(*corner) for corner in thing["polygon"]]
        area = sum((a.conjugate() * b).imag for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
        return ring if area > 0 else ring[::-1]
    if kind == "unit":
        return rectangle(thing["x"], thing["y"], 0.0, 1.0, 1.0)
    return rectangle(*(thing[key] for key in ("x", "y", "heading_deg", "length", "width")))


def normals(ring):
    edges = [b - a for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
    return [-1j * edge / abs(edge) for edge in edges]


def gap(ours, theirs):
    """How far the lines of edges part two outlines at most; below 0 they overlap."""
    return max(
        min((point * normal.conjugate()).real for point in other)
        - max((point * normal.conjugate()).real for point in one)
        for one, other in ((ours, theirs), (theirs, ours))
        for normal in normals(one)
    )


def first_straight(ours, theirs, way, extent):
    """Where two outlines first overlap on a straight way; infinite if they do not."""
    enter, leave = 0.0, extent
    for normal in normals(ours) + normals(theirs):
        one, other = ([(p * normal.conjugate()).real for p in ring] for ring in (ours, theirs))
        speed = (way * normal.conjugate()).real
        apart, over = min(other) - max(one), max(other) - min(one)
        if abs(speed) < 1e-14:
            if apart >= 0 or over <= 0:
                return inf
            continue
        ends = sorted((apart / speed, over / speed))
        enter, leave = max(enter, ends[0]), min(leave, ends[1])
    return enter if enter < leave else inf


def first_sampled(gap_at, extent, step):
    """Where two outlines first overlap on a way that is looked at in steps; infinite if they do not there."""
    if gap_at(0.0) < 0:
        return 0.0
    for number in range(int(extent / step) + 1):
        low, high = number * step, min((number + 1) * step, extent)
        if gap_at(high) < 0:
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (low, middle) if gap_at(middle) < 0 else (middle, high)
            return high
    return inf


def piece_of(scene):
    """The mover and the only piece of its course."""
    mover = next(one for one in scene["vehicle"] if one["id"] == scene["move"]["vehicle"])
    (piece,) = scene["move"].get("piece", [{"ahead": 5.0 * mover["speed"]}])
    return mover, piece


def moved(mover, piece, points, at):
    """Where points of the mover are when its piece has come so far."""
    if "ahead" in piece:
        return [
            p + at * exp(1j * radians(piece.get("direction_deg", mover["heading_deg"])))
            for p in points
        ]
    pivot = complex(*piece.get("pivot", (0, 0))) * exp(1j * radians(mover["heading_deg"]))
    pivot += complex(mover["x"], mover["y"])
    turn = exp(1j * radians(at if piece["turn_deg"] > 0 else -at))
    return [pivot + (p - pivot) * turn for p in points]


def extent_of(piece):
    return abs(piece.get("turn_deg", piece.get("ahead")))


def others(scene):
    for kind in ("unit", "decor", "vehicle"):
        for thing in scene.get(kind, []):
            if thing["id"] != scene["move"]["vehicle"]:
                yield kind, thing


def touch(mover, piece, kind, thing):
    """Where the mover first touches a thing."""
    ours, theirs, extent = outline("vehicle", mover), outline(kind, thing), extent_of(piece)
    if "ahead" in piece:
        return first_straight(ours, theirs, moved(mover, piece, [0j], 1.0)[0], extent)
    return first_sampled(lambda at: gap(moved(mover, piece, ours, at), theirs), extent, 0.25)


def check(scene, touch=touch, things=others):
    """Answer a scene of one piece on a field whose border is far away."""
    mover, piece = piece_of(scene)
    if not extent_of(piece):
        return []
    met = []
    for kind, thing in things(scene):
        heights = [
            min(one["top"] for one in (mover, thing)),
            max(one["bottom"] for one in (mover, thing)),
        ]
        if heights[0] - heights[1] > 1e-9 and (at := touch(mover, piece, kind, thing)) < inf:
            met.append((round(at, 9), ("unit", "decor", "vehicle").index(kind), thing["id"], at))
    end = min((at for at, rank, *_ in met if rank), default=inf)
    if "ahead" in piece:
        return [{"id": name, "distance": at} for near, _, name, at in sorted(met) if near <= end]
    sign = 1 if piece["turn_deg"] > 0 else -1
    return [
        {"id": name, "turned_deg": sign * at} for near, _, name, at in sorted(met) if near <= end
    ]


def tunnelling(scene):
    """Looks every 6 studs or 15 degrees, and only then searches for the first touch."""

    def sampled(mover, piece, kind, thing):
        ours, theirs = outline("vehicle", mover), outline(kind, thing)
        step = 6.0 if "ahead" in piece else 15.0
        return first_sampled(
            lambda at: gap(moved(mover, piece, ours, at), theirs), extent_of(piece), step
        )

    return check(scene, sampled)


def wrong_pivot(scene):
    """Turns about the centre, wherever the pivot is."""

    def turned(mover, piece, kind, thing):
        return touch(mover, {key: piece[key] for key in piece if key != "pivot"}, kind, thing)

    return check(scene, turned)


def circles(scene):
    """Takes the circle around the vehicle that moves for its outline."""

    def rolled(mover, piece, kind, thing):
        ring, centre = outline(kind, thing), complex(mover["x"], mover["y"])
        edges = list(zip(ring, ring[1:] + ring[:1], strict=True))

        def apart(at):
            (spot,) = moved(mover, piece, [centre], at)
            if all(((spot - a) / (b - a)).imag > 0 for a, b in edges):
                return -1.0
            shares = [min(max(((spot - a) / (b - a)).real, 0.0), 1.0) for a, b in edges]
            feet = [a + share * (b - a) for (a, b), share in zip(edges, shares, strict=True)]
            radius = abs(complex(mover["length"], mover["width"])) / 2
            return min(abs(spot - foot) for foot in feet) - radius

        return first_sampled(apart, extent_of(piece), 0.25)

    return check(scene, rolled)


def early_exit(scene):
    """Sorts by x, and stops at the first thing behind the path, where it should go on to the next one."""

    def sorted_by_x(scene):
        mover, piece = piece_of(scene)
        ours = outline("vehicle", mover)
        low = min(p.real for at in (0.0, extent_of(piece)) for p in moved(mover, piece, ours, at))
        for kind, thing in sorted(
            others(scene), key=lambda one: min(p.real for p in outline(*one))
        ):
            if max(p.real for p in outline(kind, thing)) < low:
                return  # should be `continue`
            yield kind, thing

    return check(scene, things=sorted_by_x)


BUGGY = {one.__name__: one for one in (tunnelling, wrong_pivot, circles, early_exit)}
