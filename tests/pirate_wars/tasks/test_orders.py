"""Orders as they are typed: what is told of one with a word missing, in a wrong place, or too many."""

import re

import pytest

from brickphys.errors import InvalidValueError
from tests.pirate_wars.battle import GAME
from tests.pirate_wars.fleet import boat, fleet
from tests.pirate_wars.told_tasks import at, read, tasks, why_not


def test_a_shot_that_would_be_wasted_is_legal_and_told_to_be():
    """PW Firing: the first hull on the bore within range is hit."""
    near = boat(x=100, y=120, player=1)
    state = fleet(boat(x=100, y=100), near, boat(x=100, y=140, player=1))
    state = at(tasks(state), "a_pirate1", gun=0)
    state = at(state, "a_pirate2", gun=2)
    for text, why in (
        ("fire a gun0 ball b", ""),
        ("fire a gun0 shot b", "b is 9 studs from gun0, but shot reaches only 8 (PW Firing)"),
        ("fire a gun0 ball c", "gun0 points at b first (PW Firing)"),
        ("fire a gun2 ball b", "gun2 points at no hull (PW Firing)"),
        ("shoot a_captain b", "b is 8 studs away, but the weapon reaches only 4 (PW Firing)"),
        ("done", ""),
    ):
        action = read(state, text)
        assert why_not(state, text) == []
        assert GAME.waste(state, action) == why, text


FIRE = "'fire' takes ship, gun such as gun0, ammunition (ball or shot), target; got"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fire gun0 ball scorpion", f"ship missing: {FIRE} 'gun0 ball scorpion'"),
        ("fire swift ball scorpion", f"gun missing: {FIRE} 'swift ball scorpion'"),
        ("fire swift gun0 scorpion", f"ammunition missing: {FIRE} 'swift gun0 scorpion'"),
        ("fire swift gun0 ball", f"target missing: {FIRE} 'swift gun0 ball'"),
        ("fire ball scorpion", f"ship, gun missing: {FIRE} 'ball scorpion'"),
        ("fire", "'fire' needs ship, gun such as gun0, ammunition (ball or shot), target"),
        ("fire swift gun 0 ball scorpion", f"{FIRE} 'swift gun 0 ball scorpion'"),
        (
            "fire swift ball gun0 scorpion",
            "expected gun such as gun0, not 'ball': write fire SHIP GUN AMMUNITION TARGET",
        ),
        ("haul gun1", "ship missing: 'haul' takes ship, gun such as gun0; got 'gun1'"),
        ("haul gun1 swift", "expected gun such as gun0, not 'swift': write haul SHIP GUN"),
        (
            "move helm",
            "minifig missing: 'move' takes minifig, "
            "place (deck, castle, cabin, gun_deck, helm, or a gun such as gun0); got 'helm'",
        ),
        ("board swift", "target missing: 'board' takes ship, target; got 'swift'"),
        ("turn port", "expected angle in degrees, not 'port'"),
        ("done now", "'done' takes nothing; got 'now'"),
    ],
)
def test_a_wrong_order_tells_its_form_and_what_is_missing(text, told):
    with pytest.raises(InvalidValueError, match=f"^{re.escape(f'action {text!r}: {told}')}$"):
        GAME.parse_action(text)
