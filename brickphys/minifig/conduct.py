"""Conduct: counts of what tells of the play in a finished battle: senseless kills, engines that shoot, idle figures."""

from collections.abc import Mapping

from brickphys.minifig.actions import Exchange
from brickphys.minifig.movement import Go, HaulWagon
from brickphys.minifig.shooting import Besiege, HitRoll, MeleeHitRoll, ShotRoll
from brickphys.minifig.state import State
from brickphys.rules.record import CHANCE, Record
from brickphys.rules.words import Action

COUNTS = (
    "missile_kills",
    "own_missile_kills",
    "shots",
    "engine_shots",
    "sieges",
    "gear_exchanges",
    "turns_on_the_spot",
    "moves_of_wagons",
    "units_asleep",
)
"""What is counted, by name."""


def conduct(record: Record[State, Action[State]], player: int) -> Mapping[str, int]:
    """Return how often a player did what `COUNTS` names."""
    found = dict.fromkeys(COUNTS, 0)
    acted: set[int] = set()
    owners, shooter = [figure.player for figure in record.initial.setting.figures], 0
    for before, step in zip(record.states, record.steps, strict=False):
        roll = before.first_pending
        if step.actor != CHANCE:
            if step.actor == player and before.active is not None and not before.pending:
                _count(found, before, step.move)
                acted.add(before.active)
        elif isinstance(roll, ShotRoll | HitRoll | MeleeHitRoll):
            if isinstance(roll, ShotRoll):
                shooter = roll.shooter
            if owners[shooter] != player:
                continue
            if isinstance(roll, ShotRoll):
                found["shots"] += 1
                found["engine_shots"] += roll.thing is not None
            for fallen in set(before.alive) - set(step.after.alive):
                found["missile_kills"] += 1
                found["own_missile_kills"] += not before.are_enemies(shooter, fallen)
    found["units_asleep"] = sum(
        owners[figure] == player for figure in {*record.final.alive} - acted
    )
    return found


def _count(found: dict[str, int], before: State, move: object) -> None:
    assert before.active is not None
    if isinstance(move, Besiege):
        found["sieges"] += 1
    elif isinstance(move, Exchange):
        found["gear_exchanges"] += 1
    elif isinstance(move, HaulWagon):
        found["moves_of_wagons"] += 1
    elif isinstance(move, Go):
        here = before.figures[before.active].place_in
        found["turns_on_the_spot"] += (move.x_in, move.y_in) == here
