"""Orders as they are typed: what is told of one with a word missing, in a wrong place, or too many."""

import re

import pytest
from pirate_battle import GAME

from brickphys.errors import InvalidValueError

FIRE = "'fire' is followed by ship, gun such as gun0, ball or shot, target, not by"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fire gun0 ball scorpion", f"ship missing: {FIRE} 'gun0 ball scorpion'"),
        ("fire swift ball scorpion", f"gun missing: {FIRE} 'swift ball scorpion'"),
        ("fire swift gun0 scorpion", f"ammunition missing: {FIRE} 'swift gun0 scorpion'"),
        ("fire swift gun0 ball", f"target missing: {FIRE} 'swift gun0 ball'"),
        ("fire ball scorpion", f"ship, gun missing: {FIRE} 'ball scorpion'"),
        ("fire", f"{FIRE} nothing"),
        ("fire swift gun 0 ball scorpion", f"{FIRE} 'swift gun 0 ball scorpion'"),
        (
            "fire swift ball gun0 scorpion",
            "'ball' is no gun such as gun0: 'fire' is followed by ship, gun, ammunition, target",
        ),
        ("haul gun1", "ship missing: 'haul' is followed by ship, gun such as gun0, not by 'gun1'"),
        (
            "haul gun1 swift",
            "'swift' is no gun such as gun0: 'haul' is followed by ship, gun",
        ),
        (
            "move helm",
            "minifig missing: 'move' is followed by minifig, "
            "place (deck, castle, cabin, gun_deck, helm, or a gun such as gun0), not by 'helm'",
        ),
        ("board swift", "target missing: 'board' is followed by ship, target, not by 'swift'"),
        ("turn port", "'port' is no angle in degrees: 'turn' is followed by angle"),
        ("done now", "'done' is followed by nothing, not by 'now'"),
    ],
)
def test_a_wrong_order_tells_its_form_and_what_is_missing(text, told):
    with pytest.raises(InvalidValueError, match=f"^{re.escape(f'action {text!r}: {told}')}$"):
        GAME.parse_action(text)
