"""brickphys: a physics laboratory for brick wargames."""

__version__ = "0.1.0"
