"""Areas: the rectangles of a field that have a name, or that an aim is about."""

from collections.abc import Mapping, Sequence
from typing import Any

from brickphys.rules.report.scenario import NamedArea
from brickphys.text import spoken


def aim_areas(
    setup: Mapping[str, Any], named: Mapping[str, Sequence[int]] | None = None
) -> tuple[NamedArea, ...]:
    """Return all areas that have a name, and those of a setup's aims with the players whose aims they are.

    Parameters
    ----------
    setup
        Of a battle.
    named
        ``[x, y, width, length]`` in studs by name.
    """
    words = {tuple(studs): [spoken(name)] for name, studs in (named or {}).items()}
    owners: dict[tuple[int, ...], list[str]] = {}
    for aim in setup.get("aims", ()):
        if aim.get("area"):
            owners.setdefault(tuple(aim["area"]), []).append(spoken(str(aim["player"])))
    for studs, players in owners.items():
        words.setdefault(studs, []).append(f"aim of {' and '.join(dict.fromkeys(players))}")
    return tuple(NamedArea(", ".join(lines), *studs) for studs, lines in words.items())
