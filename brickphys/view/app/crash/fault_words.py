"""Fault words: a fault of a scene as the page calls its values, not as a scene file does."""

import re

from brickphys.vehicles.scene_rules import LIMITS

LABELS = {
    "x_studs": "x, studs",
    "y_studs": "y, studs",
    "heading_deg": "Heading, degrees",
    "length_studs": "Length, studs",
    "width_studs": "Width, studs",
    "bottom_plates": "Underside, plates",
    "top_plates": "Top, plates",
    "speed": "Speed, points",
}
"""Value of a thing -> its name for people, with the unit."""
FIELD_LABELS = {"width_studs": "Field along x, studs", "height_studs": "Field along y, studs"}
_THING = re.compile(r"\b(?:vehicle|unit|decor)\[\d+\](?:\.(\w+))?: ([^;]*?) \(id '([^']*)'\)")
_FIELD = re.compile(r"\bfield\.(\w+):")
_PIECE = re.compile(r"\bmove\.piece\[(\d+)\]\.(\w+):")
_KEYS = {key: name for name, (key, _, _) in LIMITS.items()}
_PIECE_WORDS = {"ahead": "ahead", "direction_deg": "drift", "turn_deg": "turn", "pivot": "pivot"}


def fault_words(text: str) -> str:
    """Return a fault of `Scene` as it is told on the page: ``speed of jeep: 13 is not from 0 to 12``."""
    text = _THING.sub(lambda found: f"{_of(found[1])}{found[3]}: {found[2]}", text)
    text = _FIELD.sub(lambda found: f"{FIELD_LABELS[_KEYS[found[1]]].partition(',')[0]}:", text)
    text = _PIECE.sub(
        lambda found: f"{_PIECE_WORDS.get(found[2], found[2])} of piece {int(found[1]) + 1}:", text
    )
    return text.replace("move.lashed: ", "")


def _of(key: str | None) -> str:
    """Return the name of a key of a thing in a scene file, and that it is one of something; empty for none."""
    if not key:
        return ""
    label = LABELS.get(_KEYS.get(key, key), key).partition(",")[0]
    return f"{label.lower()} of "
