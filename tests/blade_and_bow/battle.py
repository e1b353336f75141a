"""Small battles in a test: a map in rows of text, and units, leaders and camps in lines of words.

>>> state = battle(
...     '''
...     ....
...     .^^.
...     ''',
...     "greeks hoplite B2 e +1",
...     "greeks leader leonidas B2 1-6-3/red",
...     "persians archers D2 w disrupted",
...     "persians camp D1",
... )
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from brickphys.blade_and_bow.deck import DECK_CARDS, card_numbers
from brickphys.blade_and_bow.pieces import Box, LeaderState, UnitState
from brickphys.blade_and_bow.setting import LeaderSpec, Options, Setting, Special, UnitSpec
from brickphys.blade_and_bow.sheets import charts, counters
from brickphys.blade_and_bow.state import Phase, State
from brickphys.files import digest
from brickphys.grid.grid import FACING_NAMES, Grid, Square, Squares, squares_of

PLAYERS = ("greeks", "persians")
SIGNS = {ground.sign: ground for ground in charts().terrain.values()}
"""The ground that each sign of a map means."""
_MARKS = ("disrupted", "wall", "marker", "seen")


def battle(
    ground: str,
    *pieces: str,
    hands: tuple[Sequence[int], ...] = ((), ()),
    walls: Sequence[str] = (),
    special: Special | None = None,
    options: Options | None = None,
    tie_breaker: int = 0,
    **changes: Any,
) -> State:
    """Return a battle in an impulse of the first player, who has three actions; all cards in no hand are in the deck.

    Parameters
    ----------
    ground
        Rows of `SIGNS` of equal length, the north (row 1) first; spaces around them do not count.
    pieces
        A line for each unit, leader and camp; see the example above. After ``PLAYER KIND SQUARE FACING`` of a unit may
        follow its ranks (``+2``), the most that it may be given (``max=3``), its name (``as=ann``; else its kind, with
        ``_1``, ``_2`` where there are several), and any of disrupted, wall, marker, seen. The values of a leader are
        RANK-RANGE-VALUE/COLOUR. A unit or leader in the square ``-`` waits.
    hands
        The numbers of the cards in each hand.
    walls
        Pairs of squares with a wall between them: ``"B2 B3"``.
    changes
        Other fields of the state.
    """
    rows = ground.split()
    grid = Grid(len(rows[0]), len(rows))
    words = [line.split() for line in pieces]
    units = [_unit(grid, line) for line in words if line[1] not in ("leader", "camp")]
    leaders = [_leader(grid, line[0], line[2:]) for line in words if line[1] == "leader"]
    camps = {line[0]: square(grid, line[2]) for line in words if line[1] == "camp"}
    names = _numbered([spec.name for spec, _ in units])
    setting = Setting(
        digest=digest(repr((ground, pieces, walls, special, options, tie_breaker))),
        players=PLAYERS,
        grid=grid,
        terrain=tuple(SIGNS[sign] for row in reversed(rows) for sign in row),
        walls=frozenset((min(pair), max(pair)) for pair in (_pair(grid, one) for one in walls)),
        units=tuple(replace(spec, name=name) for name, (spec, _) in zip(names, units, strict=True)),
        leaders=tuple(leaders),
        camp_places=tuple((camps[name],) if name in camps else () for name in PLAYERS),
        impulses=(3, 3),
        rout_levels=(7, 7),
        tie_breaker=tie_breaker,
        special=special or Special(),
        options=options or Options(),
    )
    held = {card for hand in hands for card in hand}
    state = State(
        setting=setting,
        units=tuple(unit for _, unit in units),
        leaders=tuple(
            LeaderState(Box.WAITING if one.square is None else Box.MAP, one.square)
            for one in leaders
        ),
        camps=tuple(camps.get(name) for name in PLAYERS),
        sacked=(False, False),
        deck=tuple(card for card in range(DECK_CARDS) if card not in held),
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        losses=(0, 0),
        turn=1,
        phase=Phase.IMPULSES,
        impulses=(3, 3),
        actions=3,
    )
    return state.replaced({"hand_sizes": state.next_hand_sizes, **changes})


def square(on: Grid | State, name: str) -> Square:
    """Return the number of a square by its name, such as ``S12``."""
    grid = on.setting.grid if isinstance(on, State) else on
    return grid.square(ord(name[0]) - ord("A"), grid.length - int(name[1:]))


def squares(state: State, names: str) -> Squares:
    """Return the set of squares of some names, with spaces between them."""
    return squares_of(square(state, name) for name in names.split())


def names_of(state: State, found: Squares) -> str:
    """Return the names of a set of squares in alphabetic order, with spaces between them."""
    all_names = state.setting.squares
    return " ".join(sorted(name for n, name in enumerate(all_names) if found >> n & 1))


def hand(*names: str) -> tuple[int, ...]:
    """Return the numbers of cards by their names."""
    return tuple(card_numbers()[name] for name in names)


def unit(state: State, name: str) -> int:
    """Return the number of a unit by its name."""
    return state.setting.unit_numbers[name]


def place(state: State, name: str) -> str:
    """Return the square and the facing of a unit, else its box."""
    now = state.units[unit(state, name)]
    if now.square is None:
        return now.box.value
    return f"{state.setting.squares[now.square]} {FACING_NAMES[now.facing]}"


def leader(state: State, name: str) -> int:
    """Return the number of a leader by its name."""
    return state.setting.leader_numbers[name]


def _unit(grid: Grid, words: list[str]) -> tuple[UnitSpec, UnitState]:
    """Read the words of a unit."""
    player, kind, place, facing, *rest = words
    marks = {word: True for word in rest if word in _MARKS}
    ranks = next((int(word) for word in rest if word.startswith("+")), 0)
    values = dict(word.split("=") for word in rest if "=" in word)
    assert len(rest) == len(marks) + len(values) + any(word.startswith("+") for word in rest), words
    where = None if place == "-" else square(grid, place)
    spec = UnitSpec(
        values.get("as", kind),
        PLAYERS.index(player),
        counters()[kind],
        where,
        FACING_NAMES.index(facing),
        ranks,
        int(values.get("max", ranks)),
    )
    box = Box.WAITING if where is None else Box.MAP
    return spec, UnitState(box, where, spec.facing, ranks, **marks)


def _leader(grid: Grid, player: str, words: list[str]) -> LeaderSpec:
    """Read the words of a leader after ``leader``."""
    name, place, values = words
    found = re.fullmatch(r"(\d+)-(\d+)-(\d+)/(\w+)", values)
    assert found, values
    rank, reach, value = map(int, found.groups()[:3])
    where = None if place == "-" else square(grid, place)
    return LeaderSpec(name, PLAYERS.index(player), rank, reach, value, found[4], where)


def _pair(grid: Grid, names: str) -> tuple[Square, Square]:
    one, other = names.split()
    return square(grid, one), square(grid, other)


def _numbered(names: list[str]) -> list[str]:
    """Return names that differ: those that several have get a number."""
    count, used = Counter(names), Counter[str]()
    found = []
    for name in names:
        used[name] += 1
        found.append(name if count[name] == 1 else f"{name}_{used[name]}")
    return found
