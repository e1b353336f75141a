"""Palette: the colours of pieces by name, as red, green and blue from 0 to 255."""

PALETTE: dict[str, tuple[int, int, int]] = {
    "black": (33, 33, 33),
    "blue": (0, 87, 166),
    "brown": (92, 58, 36),
    "dark_grey": (108, 110, 104),
    "dark_red": (123, 32, 29),
    "dark_tan": (160, 140, 98),
    "glass": (170, 205, 225),
    "green": (20, 122, 58),
    "grey": (163, 167, 166),
    "olive": (112, 115, 62),
    "orange": (254, 128, 28),
    "pale_brown": (172, 120, 76),
    "pale_grey": (198, 202, 201),
    "red": (201, 26, 9),
    "sand_green": (98, 125, 100),
    "tan": (222, 198, 150),
    "white": (242, 243, 242),
    "yellow": (250, 200, 10),
}
