"""Sentences: what changed in a step and what dice and bricks decided, as clauses with the sections of the book."""

from collections.abc import Iterator, Mapping
from math import dist

from brickphys.geometry.disc_way import Way
from brickphys.minifig.melee import MeleeRoll, ahead, attack_bricks, defence_bricks
from brickphys.minifig.missiles import BOUNCED, KNOCKED_OVER
from brickphys.minifig.movement import Go
from brickphys.minifig.reach import MoveReach
from brickphys.minifig.shooting import BreachRoll, HitRoll, MeleeHitRoll, ShotRoll, hits
from brickphys.minifig.state import State
from brickphys.minifig.status import figure_name, place_text
from brickphys.minifig.turns import TurnOrderRoll
from brickphys.rules.events import Outcome
from brickphys.rules.names import facing_text
from brickphys.rules.record import Step
from brickphys.rules.turn_state import scores
from brickphys.rules.words import Action
from brickphys.text import agreed, counted, spoken

MinifigStep = Step[State, Action[State]]


def way_of(before: State, step: MinifigStep) -> Way | None:
    """Return the way of a figure that moves on foot or on horseback, without a wagon; None in all other steps."""
    if not isinstance(step.move, Go) or before.active is None:
        return None
    reach = MoveReach.of(before, before.active, before.move_in(before.active))
    return reach.way(step.after.figures[before.active].place_in)


def results(before: State, step: MinifigStep) -> Iterator[str]:
    """Yield what came of a step: the order, what the active figure did, what became of figures and of walls."""
    after = step.after
    if after.order and not before.order:
        first = spoken(after.setting.players[after.player])
        yield f"the highest roll goes first: {agreed(first, 'begin')} (MF Rules)"
    if before.active is not None:
        yield from _ways(before, step, before.active)
    yield from _items(before, after)
    yield from _reloads(before, after)
    yield from fates(before, after)


def fates(before: State, after: State) -> Iterator[str]:
    """Yield what became of figures and walls."""
    for number in before.alive:
        if not after.figures[number].is_alive:
            yield f"{figure_name(before, number)} is eliminated"
    for spec, was, now in zip(before.setting.walls, before.walls, after.walls, strict=True):
        for _ in range(len(now) - len(was)):
            left = f"{len(spec.spans) - len(now)} of {counted(len(spec.spans), 'brick')}"
            yield f"a brick of {spoken(spec.name)} falls out: {left} left (MF Projectiles)"


def _ways(before: State, step: MinifigStep, actor: int) -> Iterator[str]:
    """Yield how the active figure mounted, moved or dismounted."""
    after = step.after
    was, now, things = before.figures[actor], after.figures[actor], before.setting.things
    where = f"{place_text(now.place_in)}, facing {facing_text(now.facing_deg)}"
    if now.horse is not None and was.horse is None:
        yield f"mounts {spoken(things[now.horse].name)} (MF Rules)"
    elif was.horse is not None and now.horse is None and now.is_alive:
        yield f"dismounts at {where} (MF Rules)"
    elif was.place_in != now.place_in:
        hauled = [
            spoken(things[number].name)
            for number in before.standing_things()
            if before.things[number].place_in != after.things[number].place_in
        ]
        way = way_of(before, step)
        inches = dist(was.place_in, now.place_in) if way is None else way.length
        deed = f"hauls {hauled[0]}" if hauled else "moves"
        yield f"{deed} {inches:.1f} in to {where} (MF Movement)"
    elif was.facing_deg != now.facing_deg:
        yield f"turns to face {facing_text(now.facing_deg)} (MF Movement)"


def _items(before: State, after: State) -> Iterator[str]:
    """Yield what was picked up, put down and thrown; what the dead held lies where they fell."""
    if before.items is after.items:
        return
    for spec, was, now in zip(before.setting.items, before.items, after.items, strict=True):
        name = spoken(spec.name)
        if was.holder is None and now.holder is not None:
            yield f"picks up {name} (MF Picking Up Weapons)"
        elif was.holder is not None and now.at_in is not None:
            holder = after.figures[was.holder]
            if now.at_in == holder.place_in and holder.is_alive:
                yield f"puts down {name} (MF Picking Up Weapons)"
            elif now.at_in != holder.place_in:
                yield f"{name} lies at {place_text(now.at_in)} (MF Projectiles)"


def _reloads(before: State, after: State) -> Iterator[str]:
    for field in ("items", "things"):
        rows = zip(*(getattr(one, field) for one in (before.setting, before, after)), strict=True)
        for spec, was, now in rows:
            if now.is_loaded and not was.is_loaded:
                yield f"reloads {spoken(spec.name)} (MF Reloading)"


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
    figures = before.setting.figures
    found = (_HOW.get(how, "hits {}").format(spoken(name)) for name, how in hits(outcome))
    result = ", ".join(found) or "hits nothing"
    weapon = spoken(roll.weapon(before).name.removeprefix(f"{figures[roll.shooter].name}_"))
    is_thrown = roll.item is not None and before.setting.items[roll.item].arm.leaves_hand
    deed = "throws" if is_thrown else "shoots"
    hidden = ", whom a wall hides" if roll.goal(before).is_hidden else ""
    return f"{deed} {weapon} at {spoken(roll.aimed_at(before))}{hidden}: {result} (MF Projectiles)"


def _melee(before: State, roll: MeleeRoll, outcome: Outcome) -> str:
    """Return both sides of an attack: their bricks by row, how many of them count, and experience."""
    pair = roll.attacker, roll.defender
    attack, defence = scores(outcome)
    lead = ahead(before, *pair)
    sides = (
        f"attack {_bricks(attack_bricks(before, *pair), attack)}",
        f"defence {_bricks(defence_bricks(before, *pair), defence)}",
    )
    more = (
        f", experience {abs(lead):+d} for the {'attack' if lead > 0 else 'defence'}" if lead else ""
    )
    result = "wins" if attack + lead > defence else "fails"
    name = figure_name(before, roll.defender)
    return f"attacks {name} and {result}: {', '.join(sides)}{more} (MF Resolving Combat)"


def _bricks(rows: Mapping[str, int], score: int) -> str:
    """Return a score with its bricks by row: ``2 of 3 bricks (attack 1, weapon 1, soldier 1)``."""
    reasons = ", ".join(f"{spoken(row)} {bricks}" for row, bricks in rows.items())
    total = counted(sum(rows.values()), "brick")
    return f"{score} of {total} ({reasons})" if rows else f"{score} of {total}"
