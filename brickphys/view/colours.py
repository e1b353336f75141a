"""Colours: of players and poses. They differ in lightness, too, for who sees few colours or a grey print."""

from collections.abc import Sequence

_SHOWN = {
    "red": "#d8382a",
    "blue": "#0a3f86",
    "yellow": "#fac80a",
    "orange": "#fb8b2b",
    "white": "#f2f3f2",
    "black": "#1b1b1b",
}
"""The palette's red and blue are equally dark; these are not."""
POSES = ("#f5a623", "#0a4f8f", "#efebe2", "#4d7a52", "#1b1b1b", "#b08a5a")
"""Of bodies in their poses, in the order of the poses, those that score first."""


def shown_players(colours: Sequence[str]) -> tuple[str, ...]:
    """Return the colour of each player as it is shown, ``#rrggbb``; see `brickphys.rules.colours.player_colours`."""
    return tuple(map(_SHOWN.__getitem__, colours))


def lightness(colour: str) -> float:
    """Return the lightness L* (CIE 1976) of a colour ``#rrggbb``, 0 to 100."""
    levels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [
        level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels
    ]
    luminance = sum(
        share * level for share, level in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance
