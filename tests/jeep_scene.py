"""Scenes in tests: a jeep goes ahead on a field of 48 x 32 studs, on which others may stand."""

SIZE = "length = 10.0\nwidth = 6.0\n"


def jeep_scene(keys: str = SIZE, pieces: str = "") -> str:
    """Return a scene whose jeep has further keys, and moves by pieces; others can be appended."""
    return f"""
[field]
width = 48
height = 32
[move]
vehicle = "jeep"
{pieces}[[vehicle]]
id = "jeep"
x = 10.0
y = 16.0
heading_deg = 0.0
{keys}"""


JEEP = jeep_scene(f"{SIZE}speed = 2\n")
