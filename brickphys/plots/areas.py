"""Areas: the rectangles of a field that have a name or that somebody aims at."""

from collections.abc import Mapping, Sequence
from typing import Any

from brickphys.plots.field import Area


def aim_areas(
    setup: Mapping[str, Any], named: Mapping[str, Sequence[int]] | None = None
) -> list[Area]:
    """Return the areas of a setup's aims by whose they are, and of all that have a name by that too.

    Parameters
    ----------
    setup
        Of a battle.
    named
        ``[x, y, width, length]`` in studs by name.
    """
    words = {tuple(studs): [name] for name, studs in (named or {}).items()}
    owners: dict[tuple[int, ...], list[str]] = {}
    for aim in setup.get("aims", ()):
        if aim.get("area"):
            owners.setdefault(tuple(aim["area"]), []).append(str(aim["player"]))
    for studs, players in owners.items():
        words.setdefault(studs, []).append(f"aim of {' and '.join(dict.fromkeys(players))}")
    return [Area(", ".join(told), studs) for studs, told in words.items()]
