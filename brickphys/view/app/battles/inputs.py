"""Inputs: a click beside the marks becomes the words that a person would type, or the reason why it does nothing."""

import re
from typing import Any

from brickphys.battles.ongoing_game import OngoingGame
from brickphys.errors import InvalidValueError
from brickphys.rules.players.person import NobodyError
from brickphys.rules.players.prompt import Asked
from brickphys.rules.players.typed import AmbiguousError, NotAskedError
from brickphys.view.battle import LiveBattle

_ATTACKS = ("attack", "shoot")
"""What one wants if one clicks on a unit of another player."""
_KIND = re.compile(r"^(vehicle|ship|crew|door) ")
"""What some things in the picture have before the name."""
_PART = re.compile(r"( in place \d+)?( \(\d+\))?$")
"""What a thing in the picture has behind the name of the unit."""


def is_on_table(at_mm: tuple[float, float], live: LiveBattle) -> bool:
    """Whether a place is on the field."""
    sizes, unit = live.builder.size(live.scene), live.builder.unit_mm
    return all(0 <= at <= size * unit for at, size in zip(at_mm, sizes, strict=True))


def scenery(thing: str, live: LiveBattle) -> str:
    """Return what a thing of the field is, such as a tree; empty if it is none that has a name."""
    key = _PART.sub("", thing)
    fixed = live.builder.ground(live.scene)
    return next((one.label for one in fixed if one.key == key and one.label), "") if key else ""


def words(at_mm: tuple[float, float], thing: str, table: OngoingGame, live: LiveBattle) -> str:
    """Return what would be typed for a click: a unit, a door, the words of an attack on it, or a place.

    The id of the thing that is there is empty for none.
    """
    asked = table.asked
    name, names = unit_of(thing), asked.game.names(asked.state)
    if name not in names:
        unit = live.builder.unit_mm
        return live.game.place_name(live.scene, (at_mm[0] / unit, at_mm[1] / unit))
    if names[name].player in (None, table.session.actor):
        return name
    known = live.game.action_words()
    return f"{next((word for word in _ATTACKS if word in known), '')} {name}".strip()


def unit_of(thing: str) -> str:
    """Return the name in play of a thing in the picture, if it has one."""
    return _KIND.sub("", _PART.sub("", thing)).partition("/")[0]


def why_nothing(error: InvalidValueError, asked: Asked[Any, Any, Any]) -> str:
    """Return why a click does nothing: what is told of its words, without what one might type instead."""
    if isinstance(error, AmbiguousError):
        names = {one.rpartition(" by ")[2] for one in error.notations if " by " in one}
        if len(names) > 1:
            return "Several can do this here: choose first who acts."
        return "Several choices lead there: use the buttons."
    if isinstance(error, NotAskedError):
        return f"No place and no piece is asked for here now, but this: {asked.game.prompt(asked.state)}"
    return error.reason if isinstance(error, NobodyError) else str(error)
