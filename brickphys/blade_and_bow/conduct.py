"""Conduct: what players did in a battle that tells of their play, counted for tables of bots.

``units_asleep`` are units alive at the end that never acted. ``turns_for_nothing`` are moves of a unit that only turned
on its square, with no enemy within three squares before or after.
"""

from collections import Counter
from collections.abc import Mapping

from brickphys.blade_and_bow.command.movement import GoToSquare, Hurry, Stay, mover
from brickphys.blade_and_bow.deployment import Station
from brickphys.blade_and_bow.pieces import Box, FormationOrder, Stage
from brickphys.blade_and_bow.state import Phase, State
from brickphys.rules.record import Record
from brickphys.rules.words import Action

NAMES = (
    "own_units_disrupted_by_own",
    "turns_for_nothing",
    "moves",
    "stays",
    "units_asleep",
    "leaders_with_archers",
    "formations",
    "charges",
    "volleys",
    "rallies",
    "passes",
    "routs",
    "ranks_lost",
    "units_lost",
    "leaders_lost",
    "camps_lost",
)
"""What is counted, in this order."""
_NEAR = 3


def conduct(record: Record[State, Action[State]], player: int) -> Mapping[str, int]:
    """Return the counts of `NAMES` in a battle that was played: what a player did, and what it lost."""
    found = Counter(dict.fromkeys(NAMES, 0))
    acted = set[int]()
    for before, step in zip(record.states, record.steps, strict=False):
        if step.actor == player:
            _count_move(found, before, step.move, step.after)
        _count_change(found, before, step.after, player)
        acted |= _actors(before, step.move, step.after)
    final = record.final
    own = [number for number in range(len(final.units)) if final.player_of(number) == player]
    for number, unit in ((number, final.units[number]) for number in own):
        asleep = unit.box is Box.MAP and number not in acted
        found["units_asleep"] += asleep and final.result is not None
        found["ranks_lost"] += unit.lost
        found["units_lost"] += unit.box is Box.ELIMINATED
    pairs = zip(final.setting.leaders, final.leaders, strict=True)
    found["leaders_lost"] = sum(
        leader.player == player and one.box is Box.ELIMINATED for leader, one in pairs
    )
    found["camps_lost"] = int(final.sacked[player])
    return {name: found[name] for name in NAMES}


def _count_move(found: Counter[str], before: State, move: object, after: State) -> None:
    if isinstance(move, Station):
        square = before.setting.square_numbers[move.square]
        counter = before.setting.units[before.at[square]].counter
        found["leaders_with_archers"] += counter.name == "archers"
    if isinstance(move, GoToSquare):
        found["moves"] += 1
        unit = mover(before)
        assert unit is not None
        found["turns_for_nothing"] += _turns_for_nothing(before, unit, move)
        pairs = zip(before.units, after.units, strict=True)
        harmed = sum(other.disrupted and not one.disrupted for one, other in pairs)
        found["own_units_disrupted_by_own"] += harmed
    found["stays"] += isinstance(move, Stay)
    word = move.word if isinstance(move, Action) else ""
    found["formations"] += word == "form"
    found["passes"] += word == "pass"


def _count_change(found: Counter[str], before: State, after: State, player: int) -> None:
    """Count what a player's attack that ends, its routs and its rallies add."""
    ended = before.combat is not None and before.combat.stage is not Stage.HITS
    fight = after.combat
    if ended and fight is not None and fight.stage is Stage.HITS:
        own = before.player_of(fight.units[0]) == player
        found["volleys" if fight.ranged else "charges"] += own
    rallying = before.activation is not None and before.activation.order is FormationOrder.RALLY
    for number, (one, other) in enumerate(zip(before.units, after.units, strict=True)):
        if before.player_of(number) != player:
            continue
        found["routs"] += one.box is Box.MAP and other.box is Box.ROUTED
        found["rallies"] += rallying and one.disrupted and not other.disrupted


def _turns_for_nothing(before: State, unit: int, move: GoToSquare) -> bool:
    square = before.square_of(unit)
    if before.setting.square_numbers[move.square] != square:
        return False
    near = 1 << square
    for _ in range(_NEAR):
        near = before.setting.grid.around(near)
    return not near & before.occupied[1 - before.player_of(unit)]


def _actors(before: State, move: object, after: State) -> set[int]:
    """Return the units that act in a step: that move, attack or rally."""
    if before.phase is not Phase.IMPULSES:
        return set()
    found = set[int]()
    if isinstance(move, GoToSquare | Hurry):
        unit = mover(before)
        found |= set() if unit is None else {unit}
    if after.combat is not None:
        found |= {*after.combat.units, *after.combat.defenders}
    pairs = enumerate(zip(before.units, after.units, strict=True))
    return found | {n for n, (one, other) in pairs if one.disrupted and not other.disrupted}
