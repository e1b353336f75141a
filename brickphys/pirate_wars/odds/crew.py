"""Crew: a crew in a boarding, as the command line names it."""

import re
from collections import Counter

from brickphys.errors import InvalidValueError
from brickphys.pirate_wars.odds.chain import Crew
from brickphys.pirate_wars.sheets.catalogue import ships
from brickphys.pirate_wars.sheets.minifigs import Role, minifigs
from brickphys.rules.catalogue import lookup

MOST = 100
_SUM = re.compile(r"(\d{1,4})/(\d{1,3})")
_PART = re.compile(r"([a-z_]+)=(\d{1,3})")
_ROLES = {role.value: role for role in Role}


def crew(text: str, *, by_attack: bool) -> Crew:
    """Return a whole crew, its values Melee or Attack.

    Parameters
    ----------
    text
        A ship, for its full crew; roles such as ``captain=1,pirate=8``; or a sum and a number such as ``24/10``, which
        shares the sum out as evenly as whole numbers can, and has a captain's Attack for its morale.
    by_attack
        Whether values are Attack, and not Melee.

    Raises
    ------
    InvalidValueError
        If the text is none of these, or names nobody or too many.
    """
    sheets = minifigs().roles
    if match := _SUM.fullmatch(text):
        values = _shared(int(match[1]), _checked(text, int(match[2])))
        return Crew(tuple(values), sheets[Role.CAPTAIN].attack, len(values))
    if "=" not in text and text not in ships():
        raise InvalidValueError(
            f"crew {text!r}: should be a ship such as {next(iter(ships()))}, roles such as captain=1,pirate=8, "
            "or a sum and a number such as 24/10"
        )
    roles = _roles(text) if "=" in text else ships()[text].full_crew
    _checked(text, sum(roles.values()))
    hands = [sheets[role] for role, count in roles.items() for _ in range(count)]
    values = sorted(hand.attack if by_attack else hand.melee for hand in hands)
    return Crew(tuple(values), max(hand.attack for hand in hands), len(hands))


def values_at_work(text: str, whole: Crew, *, by_attack: bool) -> int:
    """Return the sum of the values of those of a crew who do not fight; an empty text names nobody.

    Raises
    ------
    InvalidValueError
        If the text is not a crew, or names some who are not in the whole one.
    """
    values = crew(text, by_attack=by_attack).values if text else ()
    if not Counter(values) <= Counter(whole.values):
        raise InvalidValueError(f"at work {text!r}: so many are not in the crew of the defender")
    return sum(values)


def _roles(text: str) -> dict[Role, int]:
    found: dict[Role, int] = {}
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise InvalidValueError(f"crew {text!r}: {part!r} is not of the form pirate=8")
        role = lookup("role", match[1], _ROLES)
        found[role] = found.get(role, 0) + int(match[2])
    return found


def _checked(text: str, count: int) -> int:
    if not 1 <= count <= MOST:
        raise InvalidValueError(f"crew {text!r}: {count} minifigs, a crew has 1 to {MOST}")
    return count


def _shared(total: int, count: int) -> list[int]:
    least, more = divmod(total, count)
    return [least] * (count - more) + [least + 1] * more
