"""Rolls: what dice and bricks decided, as parts of sentences with the sections of the book."""

from collections.abc import Mapping

from brickphys.minifig.actions.melee import MeleeRoll, ahead, attack_bricks, defence_bricks
from brickphys.minifig.actions.missile_rolls import (
    BreachRoll,
    HitRoll,
    MeleeHitRoll,
    ShotRoll,
    hits,
)
from brickphys.minifig.actions.shot_law import BOUNCED, KNOCKED_OVER
from brickphys.minifig.report.clauses import figure_name
from brickphys.minifig.state.state import State
from brickphys.minifig.turns.order import TurnOrderRoll
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import scores
from brickphys.text import agreed, counted, spoken


def roll_clause(before: State, outcome: Outcome) -> str:
    """Return what was rolled for, and what dice or bricks show."""
    roll = before.first_pending
    if isinstance(roll, TurnOrderRoll):
        (face,) = map(int, outcome)  # type: ignore[arg-type]
        player = before.setting.players[roll.tied[len(roll.scores)]]
        return f"{agreed(spoken(player), 'roll')} {face}"
    if isinstance(roll, MeleeRoll):
        return _melee(before, roll, outcome)
    if isinstance(roll, ShotRoll):
        return _shot(before, roll, outcome)
    if isinstance(roll, MeleeHitRoll):
        figures = counted(len(roll.figures), "figure")
        return f"of {figures} in the melee {spoken(str(outcome))} is struck (MF Projectiles)"
    assert isinstance(roll, HitRoll | BreachRoll)
    if isinstance(roll, HitRoll):
        name, results = figure_name(before, roll.figure), ("lives", "falls")
    else:
        name, results = spoken(before.setting.walls[roll.wall].name), ("holds", "loses a brick")
    bricks = counted(roll.event(before).bricks, "brick")
    return f"{outcome} of {bricks} on a side: {name} {results[bool(outcome)]} (MF Projectiles)"


_HOW = {BOUNCED: "bounces and hits {}", KNOCKED_OVER: "knocks {} over"}


def _shot(before: State, roll: ShotRoll, outcome: Outcome) -> str:
    """Return what was shot at what, and what it hit."""
    walls, figures = before.setting.walls, before.setting.figures
    target = walls[roll.wall or 0] if roll.target is None else figures[roll.target]
    found = (_HOW.get(how, "hits {}").format(spoken(name)) for name, how in hits(outcome))
    result = ", ".join(found) or "hits nothing"
    weapon = spoken(roll.weapon(before).removeprefix(f"{figures[roll.shooter].name}_"))
    is_thrown = roll.item is not None and before.setting.items[roll.item].arm.leaves_hand
    deed = "throws" if is_thrown else "shoots"
    hidden = ", whom a wall hides" if roll.goal(before).is_hidden else ""
    return f"{deed} {weapon} at {spoken(target.name)}{hidden}: {result} (MF Projectiles)"


def _melee(before: State, roll: MeleeRoll, outcome: Outcome) -> str:
    """Return both sides of an attack: their bricks by row, how many of them count, and experience."""
    pair = roll.attacker, roll.defender
    attack, defence = scores(outcome)
    lead = ahead(before, *pair)
    sides = (
        f"attack {_bricks(attack_bricks(before, *pair), attack)}",
        f"defence {_bricks(defence_bricks(before, *pair), defence)}",
    )
    more = f", experience {lead:+d} for the attack" if lead else ""
    result = "wins" if attack + lead > defence else "fails"
    name = figure_name(before, roll.defender)
    return f"attacks {name} and {result}: {', '.join(sides)}{more} (MF Resolving Combat)"


def _bricks(rows: Mapping[str, int], score: int) -> str:
    """Return a score with its bricks by row: ``2 of 3 bricks (attack 1, weapon 1, soldier 1)``."""
    reasons = ", ".join(f"{spoken(row)} {bricks}" for row, bricks in rows.items())
    total = counted(sum(rows.values()), "brick")
    return f"{score} of {total} ({reasons})" if rows else f"{score} of {total}"
