"""Aims: how a battle is won."""

from brickphys.pirate_wars.state.setting import Setting
from brickphys.rules.report.circle_aims import CircleAims


def circle_aims(setting: Setting) -> CircleAims:
    """Return the aims of a battle as reports show them."""
    return CircleAims(
        setting.aims,
        setting.players,
        setting.teams,
        tuple(ship.name for ship in setting.ships),
        size=(setting.sea.width_studs, setting.sea.height_studs),
        unit="studs",
        noun="ship",
        points="the largest share of its hulls, sails and crews left",
        last="The last side with ships that do not flee wins.",
    )
