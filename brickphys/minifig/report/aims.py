"""Aims: how a battle is won."""

from brickphys.minifig.state.setting import Setting
from brickphys.rules.report.circle_aims import CircleAims


def circle_aims(setting: Setting) -> CircleAims:
    """Return the aims of a battle as reports show them."""
    return CircleAims(
        setting.aims,
        setting.players,
        setting.teams,
        tuple(figure.name for figure in setting.figures),
        size=(setting.width_in, setting.length_in),
        unit="inches",
        noun="figure",
        points="the largest share of its figures left",
        last="The last side with figures left wins.",
    )
