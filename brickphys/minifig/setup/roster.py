"""Roster: who survived a battle, with more experience, as a file with which another battle can begin (MF Experience).

It has a table for each survivor, with what it wears, holds and rides; horses without a rider and what lies on the
ground are left behind.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from json import dumps
from typing import TYPE_CHECKING, Any

from brickphys.errors import InvalidValueError, refuse, unknown
from brickphys.minifig.setup.ranks import single
from brickphys.minifig.setup.setup_reader import first_state
from brickphys.minifig.sheets.charts import charts
from brickphys.minifig.state.state import State
from brickphys.rules.record import Setup
from brickphys.text import counted

if TYPE_CHECKING:
    from brickphys.minifig.setup.setup_schema import FighterDocument

_TABLE_IN, _APART_IN = 240.0, 3.0
"""The table on which survivors are tried, and how far apart they stand on it."""


def roster_text(final: State) -> str:
    """Return the roster of a battle that is over: its living figures, with a level of experience more, up to the last.

    Raises
    ------
    InvalidValueError
        If the battle is not over, or nobody lives.
    """
    if final.winners is None:
        raise InvalidValueError(
            "the battle is not over, and only who survives a whole battle is in a roster (MF Experience)"
        )
    if not final.alive:
        raise InvalidValueError("nobody has survived the battle")
    return "\n".join(_survivor(final, number) for number in final.alive)


def _survivor(state: State, number: int) -> str:
    """Return the table of a figure; names are words, so their JSON is TOML."""
    spec, horse = state.setting.figures[number], state.figures[number].horse
    riding = {} if horse is None else {"horse": state.setting.things[horse].name}
    values = {
        "name": spec.name,
        "player": state.setting.players[spec.player],
        "kind": spec.kind.name,
        "arms": [arm.name for arm in state.arms(number)],
        **riding,
        "experience": min(spec.experience + 1, charts().most_experience),
    }
    lines = (f"{key} = {dumps(value)}\n" for key, value in values.items())
    return f"[[survivor]]\n{''.join(lines)}"


def read_roster(text: str, name: str) -> "Sequence[FighterDocument]":
    """Return the survivors in the text of a roster; InvalidValueError begins with the name and tells every fault."""
    from brickphys.minifig.setup.setup_schema import RosterDocument
    from brickphys.reading import parse_toml
    from brickphys.schema import validated

    survivors = validated(RosterDocument, parse_toml(text, name), name).survivor
    try:
        first_state(_muster(survivors), name)
    except InvalidValueError as error:
        raise InvalidValueError(str(error).replace("figure[", "survivor[")) from None
    return survivors


def _muster(survivors: "Sequence[FighterDocument]") -> Setup:
    """Return a setup of survivors on a large table; if all have one player, with somebody of another one."""
    players = dict.fromkeys(one.player for one in survivors)
    names = {one.name for one in survivors} | {one.horse for one in survivors}
    foe = next(name for n in count(1) if (name := f"foe_{n}") not in names and name not in players)
    far = _TABLE_IN - _APART_IN
    row = int(_TABLE_IN / _APART_IN) - 1
    places = [
        (_APART_IN * (n % row + 1), _APART_IN * (n // row + 1)) for n in range(len(survivors))
    ]
    foes = [] if len(players) > 1 else [{"name": foe, "player": foe, "x": far, "y": far}]
    return {
        "players": [{"name": name} for name in (*players, *(one["player"] for one in foes))],
        "table": {"width": _TABLE_IN, "length": _TABLE_IN},
        "figure": [*map(_placed, survivors, places), *foes],
        "thing": _horses(survivors),
    }


def with_roster(setup: Setup, survivors: "Sequence[FighterDocument]") -> Setup:
    """Return a setup in which survivors stand in the places of their players' figures.

    The first survivor of a player takes the place of the player's first figure, and so on; places that are left over
    are empty. A player without a survivor keeps the figures of the setup.

    Raises
    ------
    InvalidValueError
        If the setup is none, lacks a player, or has too few places.
    """
    from brickphys.minifig.setup.setup_schema import SetupDocument
    from brickphys.schema import validated

    document = validated(SetupDocument, dict(setup), "setup")
    entries = [entry for _, entry in single("figure", document.figure)]
    places = Counter(entry.player for entry in entries)
    refuse("roster", [*_no_places(survivors, places)])
    left = {player: iter([one for one in survivors if one.player == player]) for player in places}
    new = {one.player for one in survivors}
    figures, gone = list[dict[str, Any]](), set[str | None]()
    for entry in entries:
        if entry.player not in new:
            figures.append(_plain(entry))
            continue
        gone.add(entry.horse)
        if (one := next(left[entry.player], None)) is not None:
            figures.append({**_placed(one, (entry.x, entry.y)), "facing_deg": entry.facing_deg})
    things = [_plain(one) for _, one in single("thing", document.thing) if one.name not in gone]
    return {**setup, "figure": figures, "thing": [*things, *_horses(survivors)]}


def _no_places(survivors: "Sequence[FighterDocument]", places: Mapping[str, int]) -> Iterator[str]:
    """Yield the players of survivors who are not in a battle, or have too few figures in it."""
    for player, number in Counter(one.player for one in survivors).items():
        if player not in places:
            yield str(unknown("player of the battle", player, places))
        elif number > places[player]:
            yield f"{player} has {counted(number, 'survivor')}, but the battle has {counted(places[player], 'place')}"


def _plain(entry: Any) -> dict[str, Any]:
    """Return an entry of a setup for one figure or thing as plain values."""
    return dict(entry.model_dump(exclude_none=True, exclude={"count", "apart"}))


def _placed(one: "FighterDocument", place_in: tuple[float, float]) -> dict[str, Any]:
    return {**one.model_dump(exclude_none=True), "x": place_in[0], "y": place_in[1]}


def _horses(survivors: "Sequence[FighterDocument]") -> list[dict[str, Any]]:
    horses = dict.fromkeys(one.horse for one in survivors if one.horse is not None)
    return [{"name": horse, "kind": "horse"} for horse in horses]
