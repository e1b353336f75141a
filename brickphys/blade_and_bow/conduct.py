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


def conduct(record: Record[State, Action[State]]) -> Mapping[str, int]:
    """Return the counts of `NAMES` in a battle that was played, of all players together."""
    found = Counter(dict.fromkeys(NAMES, 0))
    acted = set[int]()
    for before, step in zip(record.states, record.steps, strict=False):
        _count_step(found, before, step.move, step.after)
        acted |= _actors(before, step.move, step.after)
    final = record.final
    for number, unit in enumerate(final.units):
        asleep = unit.box is Box.MAP and number not in acted
        found["units_asleep"] += asleep and final.result is not None
    found["leaders_lost"] = sum(one.box is Box.ELIMINATED for one in final.leaders)
    found["camps_lost"] = sum(final.sacked)
    found["ranks_lost"] = sum(unit.lost for unit in final.units)
    found["units_lost"] = sum(unit.box is Box.ELIMINATED for unit in final.units)
    return {name: found[name] for name in NAMES}


def _count_step(found: Counter[str], before: State, move: object, after: State) -> None:
    """Count what one step adds."""
    if isinstance(move, Station):
        square = before.setting.square_numbers[move.square]
        counter = before.setting.units[before.at[square]].counter
        found["leaders_with_archers"] += counter.name == "archers"
    if isinstance(move, GoToSquare):
        found["moves"] += 1
        unit = mover(before)
        assert unit is not None
        found["turns_for_nothing"] += _turns_for_nothing(before, unit, move)
        found["own_units_disrupted_by_own"] += _harmed(before, after)
    found["stays"] += isinstance(move, Stay)
    word = move.word if isinstance(move, Action) else ""
    found["formations"] += word == "form"
    found["passes"] += word == "pass"
    ended = before.combat is not None and before.combat.stage is not Stage.HITS
    if ended and after.combat is not None and after.combat.stage is Stage.HITS:
        found["volleys" if after.combat.ranged else "charges"] += 1
    rallying = before.activation is not None and before.activation.order is FormationOrder.RALLY
    for one, other in zip(before.units, after.units, strict=True):
        found["routs"] += one.box is Box.MAP and other.box is Box.ROUTED
        found["rallies"] += rallying and one.disrupted and not other.disrupted


def _harmed(before: State, after: State) -> int:
    """Return how many units a move has disrupted besides the one that hurries."""
    pairs = zip(before.units, after.units, strict=True)
    return sum(other.disrupted and not one.disrupted for one, other in pairs)


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
