"""Stage: puts units named on the command line on a small map, to count the dice between them."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from brickphys.blade_and_bow.combat.lead import leads
from brickphys.blade_and_bow.sheets.charts import charts
from brickphys.blade_and_bow.sheets.counters import Counter, counters
from brickphys.blade_and_bow.state.pieces import Combat, Stage
from brickphys.blade_and_bow.state.setting import LeaderSpec, Setting, UnitSpec
from brickphys.blade_and_bow.state.state import Phase, State
from brickphys.errors import InvalidValueError, unknown
from brickphys.grid.bitset import Square
from brickphys.grid.directions import DIRECTIONS, FACINGS
from brickphys.grid.grid import Grid
from brickphys.rules.catalogue import lookup
from brickphys.text import spoken

TARGET = 0
"""The number of the unit that is attacked; those that attack follow."""
MOST_RANKS, _MOST_MORALE = 6, 5
_SIZE, _FACING = 9, 2
_GRID = Grid(_SIZE, _SIZE)
_MIDDLE = _GRID.square(_SIZE // 2, _SIZE // 2)
_FRONT = "front"
_SIDES = {_FRONT: (0, 1, -1), "left": (2,), "right": (-2,), "rear": (4, 3, -3)}
"""Directions of the attackers from the target, relative to its facing, in the order in which they are filled."""
_LEADERS = {"leader": 0, "beside": 1, "near": 2}
"""Distance of a leader in squares."""
_MARKS = ("disrupted", "wall")
_RANKS = re.compile(r"ranks=(\d+)")


class Fighter(NamedTuple):
    """A unit as the command line names it; `side` is that of the target, if it is named."""

    counter: Counter
    side: str = ""
    ranks: int = 0
    disrupted: bool = False
    wall: bool = False
    leader: int | None = None
    terrain: str = "clear"

    @property
    def marks(self) -> list[str]:
        """The words of what its counter is marked with."""
        return [mark for mark in _MARKS if getattr(self, mark)]

    @property
    def words(self) -> str:
        """The unit in words."""
        led = [word for word, squares in _LEADERS.items() if squares == self.leader]
        ranks = [f"+{self.ranks}"] if self.counter.has_ranks else []
        ground = [] if self.terrain == "clear" else [f"in {spoken(self.terrain)}"]
        named = [*self.marks, spoken(self.counter.name)]
        return " ".join([*named, *ranks, *(f"({word})" for word in led), *ground])


def party(text: str) -> list[Fighter]:
    """Return the units of a text such as ``2*archers+psiloi``; InvalidValueError as of `fighter`."""
    found: list[Fighter] = []
    for part in text.split("+"):
        count = re.match(r"\s*(\d+)\s*\*", part)
        bounded(f"units in {part}", many := int(count[1]) if count else 1, 1, FACINGS)
        found += [fighter(part[count.end() :] if count else part)] * many
    return found


def fighter(text: str) -> Fighter:
    """Return the unit of a text such as ``hoplite,ranks=2,leader``.

    Raises
    ------
    InvalidValueError
        If it names no kind, a word says nothing of a unit or the same as another, or what it says cannot be.
    """
    kind, *words = (word.strip() for word in text.split(","))
    found, said = Fighter(lookup("kind of unit", kind, counters())), dict[str, str]()
    for word in words:
        key, value = _meaning(text, word)
        if key in said:
            raise InvalidValueError(f"{text}: {word!r} after {said[key]!r}: both give its {key}")
        said[key] = word
        found = found._replace(**{key: value})  # type: ignore[arg-type]
    if not found.ranks <= (MOST_RANKS if found.counter.has_ranks else 0):
        most = f"0 to {MOST_RANKS}" if found.counter.has_ranks else "open: it has none"
        raise InvalidValueError(f"{text}: ranks={found.ranks}, and {kind} is {most} (BB 3.6)")
    if found.wall and (found.disrupted or found.counter.is_horse):
        why = "cavalry" if found.counter.is_horse else "a disrupted unit"
        raise InvalidValueError(f"{text}: {why} cannot have a shield wall (BB 13)")
    return found


def _meaning(text: str, word: str) -> tuple[str, object]:
    """Return what a word says of a unit: the field of `Fighter`, and its value."""
    if ranks := _RANKS.fullmatch(word):
        return "ranks", int(ranks[1])
    if word in _MARKS:
        return word, True
    if word in _LEADERS:
        return "leader", _LEADERS[word]
    if word in _SIDES:
        return "side", word
    grounds = [name for name, ground in charts().terrain.items() if not ground.closed]
    if word in grounds:
        return "terrain", word
    if word in charts().terrain:
        raise InvalidValueError(f"{text}: no unit can stand in {word}")
    known = ("ranks=1", *_MARKS, *_LEADERS, *_SIDES, *grounds)
    raise unknown(f"word of {text}", word, known)


def bounded(what: str, number: int, least: int, most: int) -> None:
    """Refuse a number that is out of its bounds by an InvalidValueError."""
    if not least <= number <= most:
        raise InvalidValueError(f"{what}: {number} is outside {least}..{most}")


def stage(
    target: Fighter,
    attackers: Sequence[Fighter],
    morale: tuple[int, int] = (3, 3),
    *,
    ranged: bool = False,
    turned: int = 0,
) -> State:
    """Return the combat of some units, all others far away, before any card is played or die rolled.

    Parameters
    ----------
    target, attackers
        Who is attacked, in the middle; and who attacks, from its sides, or with missiles.
    morale
        Of the attacker's army and of the target's.
    ranged, turned
        Whether missiles are shot, and by how many directions the shooters have turned.

    Raises
    ------
    InvalidValueError
        If a side has no room for so many attackers, a unit has a side that attacks from none, the target a leader
        who is not with it, or a morale is none.
    """
    for value in morale:
        bounded("morale", value, 1, _MOST_MORALE)
    for one in (target, *(attackers if ranged else ())):
        if one.side:
            raise InvalidValueError(
                f"{one.words}, {one.side}: only the attackers of a melee have a side (BB 3.1.1)"
            )
    if target.leader:
        raise InvalidValueError(
            f"{target.words}: a leader who is not with a unit helps only attackers (BB 9.4.3.1)"
        )
    fighters = tuple(_placed(target, attackers, ranged=ranged))
    state = State.printed(_setting(fighters, morale))
    for number, (one, _, _) in enumerate(fighters):
        state = state.change_unit(number, **dict.fromkeys(one.marks, True))
    party = tuple(range(1, len(fighters)))
    combat = Combat(TARGET, _MIDDLE, party, ranged, turned=turned)
    phase = {"turn": 1, "phase": Phase.IMPULSES, "actions": 1}
    state = state.replaced({**phase, "combat": combat})
    return state if ranged else state.change_combat(lead=leads(state)[0], stage=Stage.CARDS)


_Placed = tuple[Fighter, Square, int]
"""A unit with its square and its facing."""


def _placed(target: Fighter, attackers: Sequence[Fighter], *, ranged: bool) -> Iterator[_Placed]:
    """Yield the target in the middle, and each attacker on its side."""
    yield target, _MIDDLE, _FACING
    used = set[int]()
    for one in attackers:
        around = range(FACINGS) if ranged else _SIDES[one.side or _FRONT]
        free = [off for off in around if off not in used]
        if not free:
            raise InvalidValueError(
                f"{one.words}: no room is left on the {one.side or _FRONT} (BB 3.1.1)"
            )
        used.add(free[0])
        way = (_FACING + free[0]) % FACINGS
        yield one, _beyond(_MIDDLE, way, 1), (way + FACINGS // 2) % FACINGS


def _setting(fighters: Sequence[_Placed], morale: tuple[int, int]) -> Setting:
    """Return the map with these units, their leaders and a commander far away for each side."""
    terrain = [charts().terrain["clear"]] * (_SIZE * _SIZE)
    commanders = enumerate((_SIZE * _SIZE - 1, 0))
    leaders = [
        LeaderSpec(f"commander_{player}", player, 1, 0, morale[player], "red", square)
        for player, square in commanders
    ]
    units = []
    for n, (one, square, facing) in enumerate(fighters):
        player = int(n == TARGET)
        units.append(UnitSpec(f"unit_{n}", player, one.counter, square, facing, one.ranks))
        terrain[square] = charts().terrain[one.terrain]
        if one.leader is not None:
            behind = _beyond(square, (facing + FACINGS // 2) % FACINGS, one.leader)
            leaders.append(LeaderSpec(f"leader_{n}", player, 2, 0, 1, "red", behind))
    return Setting(
        digest=repr((fighters, morale)),
        players=("attacker", "target"),
        grid=_GRID,
        terrain=tuple(terrain),
        walls=frozenset(),
        units=tuple(units),
        leaders=tuple(leaders),
        camp_places=((), ()),
        impulses=(1, 1),
        rout_levels=(1, 1),
        tie_breaker=0,
    )


def _beyond(square: Square, way: int, far: int) -> Square:
    """Return the square so many steps away."""
    (x, y), (dx, dy) = _GRID.xy(square), DIRECTIONS[way]
    return _GRID.square(x + far * dx, y + far * dy)
