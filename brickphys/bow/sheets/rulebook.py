"""Rulebook: numbers of the rules; their sections are in ``data/rules.toml``."""

from brickphys.files import shipped_tables

_RULES = shipped_tables("brickphys.bow", "rules")
START_BRICKS: int = _RULES["start_bricks"]
THROW_MOVES: int = _RULES["throw_moves"]
"""The longest throw, in multiples of the Move."""
RULER_STUDS: int = _RULES["ruler_studs"]
"""Length of the ruler; a shot loses a brick for each ruler after the first."""
COVER_BRICKS: int = _RULES["cover_bricks"]
DISPUTE_BRICKS: int = _RULES["dispute_bricks"]
STUDS_PER_SPEED: int = _RULES["studs_per_speed"]
"""That a vehicle moves for each point of speed."""
MOST_DEG: float = _RULES["most_turn_deg"]
"""The largest angle of a change of direction."""
ARCS_DEG = tuple(_RULES["arcs_deg"])
HANDS: int = _RULES["hands"]
RANGE_STEP_STUDS: int = _RULES["range_step_studs"]
COLOURS: tuple[str, ...] = tuple(_RULES["free_colours"])
"""Colours that mark no ability of the basic rules."""
