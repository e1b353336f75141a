"""Plan: a ship from above: where its parts are drawn, and all of it in characters."""

from collections.abc import Iterator

from brickphys.pirate_wars.sheets.ship_sheet import Place, ShipSheet

Box = tuple[float, float, float, float]

PARTS: dict[Place, tuple[Box, ...]] = {
    Place.CABIN: ((-0.46, -0.22, -0.32, 0.32),),
    Place.GUN_DECK: ((-0.16, 0.13, -0.24, 0.24),),
    Place.CASTLE: ((-0.08, 0.0, -0.14, 0.14), (0.15, 0.23, -0.14, 0.14)),
    Place.HELM: ((-0.21, -0.17, -0.08, 0.08),),
}
"""Where parts are drawn: from and to ahead of the middle and to the left, as shares of length and width.

They are ours, and no rule depends on them: the book has no plans.
"""
_SIGNS = {Place.CABIN: "c", Place.GUN_DECK: "g", Place.CASTLE: "^", Place.HELM: "h"}
_HULL, _SEA, _RUDDER = ".", " ", "r"
LEGEND = "r rudder, h helm, c cabin, ^ castle, g gun deck, numbers guns; bow to the right"
_LINE_STUDS = 2
"""A character is about twice as high as wide."""


def parts(sheet: ShipSheet) -> Iterator[tuple[Place, Box]]:
    """Yield the parts that a ship has, with where they are drawn in studs: from and to ahead, from and to the left."""
    for place, boxes in PARTS.items():
        if sheet.room(place):
            for rear, front, right, left in boxes:
                length, width = sheet.length_studs, sheet.width_studs
                yield place, (rear * length, front * length, right * width, left * width)


def plan_lines(sheet: ShipSheet) -> Iterator[str]:
    """Yield a ship in characters, one a stud of its length and a line for two of its width."""
    length, width = int(sheet.length_studs), int(sheet.width_studs)
    rows = range(width // _LINE_STUDS)
    lefts = [width / 2 - _LINE_STUDS * (row + 0.5) for row in rows]
    signs = [
        [_sign(sheet, -length / 2 + column + 0.5, left) for column in range(length)]
        for left in lefts
    ]
    for number, gun in enumerate(sheet.guns):
        row = min(rows, key=lambda row: abs(lefts[row] - gun.left_studs))
        signs[row][min(int(gun.ahead_studs + length / 2), length - 1)] = str(number)
    for row, line in enumerate(signs):
        rudder = _RUDDER if row == width // _LINE_STUDS // 2 else _SEA
        yield f"{rudder}{''.join(line)}".rstrip()


def _sign(sheet: ShipSheet, ahead: float, left: float) -> str:
    if not sheet.covers(ahead, left):
        return _SEA
    found = [
        _SIGNS[place]
        for place, (rear, front, right, to_left) in parts(sheet)
        if rear <= ahead <= front and right <= left <= to_left
    ]
    return found[-1] if found else _HULL
