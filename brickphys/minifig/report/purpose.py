"""Purpose: what a listed place is for: whom and what a figure touches there."""

from collections.abc import Iterator

from brickphys.geometry.polygon import gap_studs
from brickphys.minifig.actions.melee import attack_bricks
from brickphys.minifig.actions.moving import Go
from brickphys.minifig.field.contact import items_touched, opponents, things_touched
from brickphys.minifig.field.ground import pieces
from brickphys.minifig.sheets.charts import BASE_RADIUS_IN, TOUCH_IN
from brickphys.minifig.sheets.fighter import REAR
from brickphys.minifig.state.setting import Setting
from brickphys.minifig.state.state import State
from brickphys.rules.words import Action
from brickphys.text import spoken


def purpose(state: State, action: Action[State]) -> str:
    """Return what a figure touches at the place to which it moves: ``rear of hal, at the sword of tom``."""
    if not isinstance(action, Go) or state.active is None:
        return ""
    place, now = (action.x_in, action.y_in), state.figures[state.active]
    there = state.with_figure(state.active, now.at(place, action.facing_deg))
    stays = "stay" if action.facing_deg == now.facing_deg else "turn on the spot"
    here = [stays] if place == now.place_in else []
    return ", ".join([*here, *_touched(there, state.active)])


def _touched(state: State, figure: int) -> Iterator[str]:
    """Yield the enemies, by their sides, and the items, things and walls that a figure touches."""
    setting, place = state.setting, state.figures[figure].place_in
    for enemy in opponents(state, figure):
        side = "rear" if REAR in attack_bricks(state, figure, enemy) else "front"
        yield f"{side} of {spoken(setting.figures[enemy].name)}"
    names = [_owned(setting, setting.items[item].name) for item in items_touched(state, figure)]
    names += [spoken(setting.things[thing].name) for thing in things_touched(state, figure)]
    names += [
        spoken(setting.walls[piece.wall].name)
        for piece in pieces(setting, state.walls)
        if gap_studs(piece.footprint, place) <= BASE_RADIUS_IN + TOUCH_IN
    ]
    yield from (f"at {name}" for name in dict.fromkeys(names))


def _owned(setting: Setting, item: str) -> str:
    """Return the name of an item as it is read: ``the sword of tom`` if its name begins with that of a figure."""
    owners = [one.name for one in setting.figures if item.startswith(f"{one.name}_")]
    owner = max(owners, key=len, default="")
    return f"the {spoken(item[len(owner) + 1 :])} of {spoken(owner)}" if owner else spoken(item)
