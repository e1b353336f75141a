"""Sentences: what was rolled and what a step has changed, as clauses with the sections of the book.

A viewer is told what he may know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from brickphys.blade_and_bow.combat.dice import Again, Rerolls, SideRoll
from brickphys.blade_and_bow.combat.pursuit import sheltered
from brickphys.blade_and_bow.combat.targets import target_name
from brickphys.blade_and_bow.command.actions import EndAction
from brickphys.blade_and_bow.command.cards import Play
from brickphys.blade_and_bow.command.morale import RoutRoll
from brickphys.blade_and_bow.command.movement import Stay
from brickphys.blade_and_bow.deployment import LeaderPlace, RankChoice
from brickphys.blade_and_bow.ground import direction, neighbours
from brickphys.blade_and_bow.pieces import Activation, Box, FormationOrder, Stage
from brickphys.blade_and_bow.state import Phase, State
from brickphys.blade_and_bow.status import card_names, square_name
from brickphys.grid.grid import FACING_NAMES, FACINGS
from brickphys.rules.events import Draw
from brickphys.rules.record import Step
from brickphys.rules.rolls import DiceCount
from brickphys.rules.turn_state import scores
from brickphys.rules.words import Action
from brickphys.text import agreed, counted, spoken

BladeStep = Step[State, Action[State]]


def dice_clauses(before: State, step: BladeStep) -> Iterator[str]:
    """Yield what was rolled; where the dice of a combat lie at last, what hits are left after cancels."""
    event, rolled = before.event, before.first_pending
    if isinstance(event, DiceCount):
        what = _rolled(before, rolled) if isinstance(rolled, SideRoll) else event.reason
        yield f"{what}: {', '.join(_counts(event, step.move))}"
    elif event is not None and not isinstance(event, Draw):
        yield f"{event.reason}: {event.format(step.move)}"  # type: ignore[arg-type]
    elif isinstance(step.move, Again):
        who = _sides(before)[before.awaited(Rerolls).side]
        yield agreed(who, f"take up a {step.move.die.value} (BB 9.4.6)")
    if isinstance(rolled, SideRoll | Rerolls):
        lie = step.after.combat is None or step.after.combat.stage is not Stage.DICE
        if lie:
            yield from _hits(_last_dice(before, step))


def _rolled(before: State, roll: SideRoll) -> str:
    """Return what a side of a combat does to the other one."""
    sides = _sides(before)
    if roll.again:
        return agreed(sides[roll.side], "roll that die again")
    attack, answer = ("shoot at", "shelter from") if before.fight.ranged else ("attack", "resist")
    return agreed(sides[roll.side], f"{answer if roll.side else attack} {sides[1 - roll.side]}")


def _counts(event: DiceCount, outcome: object) -> Iterator[str]:
    """Yield what the dice of a tally show; of one die only its class."""
    assert isinstance(outcome, tuple)
    for (name, _), count in zip(event.classes, outcome, strict=True):
        if count:
            shown = name.removesuffix("s") if count == 1 and not name.endswith("ss") else name
            yield spoken(shown if event.dice == 1 else f"{count} {shown}")


def _last_dice(before: State, step: BladeStep) -> State:
    """Return the state of a combat whose last die a step has rolled, or let lie."""
    first = before.first_pending
    if isinstance(first, SideRoll):
        return first.settle(before.pop_pending(), step.move)  # type: ignore[arg-type]
    return before


def _sides(state: State) -> tuple[str, str]:
    """Return the names of the attackers and of the target."""
    return _names(state, state.fight.units), spoken(target_name(state, state.fight.target))


def _hits(state: State) -> Iterator[str]:
    """Yield what is left of the hits of each side that rolled for any (BB 9.4.7, 8.5.3)."""
    combat, (attackers, target) = state.fight, _sides(state)
    section = "8.5.3" if combat.ranged else "9.4.7"
    dice = (target, combat.attack, combat.defence), (attackers, combat.defence, combat.attack)
    for (whom, (hits, *_), (*_, cancels)), left in zip(dice, combat.hits_left, strict=True):
        if hits:
            less = f"{counted(hits, 'hit')} less {counted(cancels, 'cancel')}: " * bool(cancels)
            yield f"{less}{counted(left, 'hit') if left else 'no hit'} on {whom} (BB {section})"
    if not combat.ranged and combat.target is not None:
        left = combat.hits_left[0]
        if sheltered(state, combat.target, left) < left:
            yield "the camp cancels 1 hit (BB 12)"


def clauses(before: State, step: BladeStep, viewer: int | None) -> Iterator[str]:
    """Yield what was rolled in a step, and what came of it; a viewer is a player, None may know everything."""
    after = step.after
    yield from dice_clauses(before, step)
    yield from _idle(before, step.move)
    yield from _cards(before, step, viewer)
    yield from _command(before, after)
    yield from _ranks(before, after, viewer)
    yield from _leaders(before, after)
    yield from _units(before, step)
    yield from _special(before, after)


def _idle(before: State, move: object) -> Iterator[str]:
    """Yield which units of an activation do nothing."""
    activation = before.activation
    if activation is None:
        return
    idle = _names(before, activation.waiting)
    if isinstance(move, Stay) and activation.active is not None:
        yield f"{agreed(before.unit_name(activation.active), 'stay')} (BB 7.0)"
    elif isinstance(move, EndAction):
        moves = activation.order is FormationOrder.MOVE
        deed = "stay (BB 7.0)" if moves else "attack nobody (BB 3.5)"
        yield agreed(idle, deed) if len(activation.waiting) == 1 else f"{idle} {deed}"


def _names(state: State, units: Sequence[int]) -> str:
    names = [state.unit_name(unit) for unit in units]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _cards(before: State, step: BladeStep, viewer: int | None) -> Iterator[str]:
    """Yield who drew, played and discarded what; a card that goes to a hand is its owner's secret."""
    after = step.after
    if before.deck is after.deck and before.hands is after.hands:
        return
    if set(before.discards) - set(after.discards):
        yield "the deck is reshuffled (BB 5.1)"
    names = map(spoken, before.setting.players)
    for player, (name, was, now) in enumerate(zip(names, before.hands, after.hands, strict=True)):
        gone, come = sorted(set(was) - set(now)), sorted(set(now) - set(was))
        if gone:
            deed = "play" if isinstance(step.move, Play) else "discard"
            yield f"{agreed(name, deed)} {spoken(card_names(gone))} (BB 4.2)"
        if come:
            is_known = viewer is None or viewer == player
            what = spoken(card_names(come)) if is_known else counted(len(come), "card")
            yield f"{agreed(name, 'draw')} {what} (BB 5.1)"


def _command(before: State, after: State) -> Iterator[str]:
    """Yield who holds the initiative, how many actions an impulse has, and who is activated."""
    players = [spoken(name) for name in before.setting.players]
    if before.phase is Phase.INITIATIVE and after.phase is Phase.IMPULSES:
        holds = agreed(players[after.holder], "hold")
        yield f"{holds} the initiative, by the lower die, or as before in a tie (BB 5.3)"
    if after.actions > before.actions:
        drawn = sorted(set(before.deck) - set(after.deck) - {c for h in after.hands for c in h})
        card = f"{spoken(card_names(drawn))}: " if drawn else ""
        yield f"{players[after.mover]}: {card}{counted(after.actions, 'action')} (BB 5.4.1)"
    was, now = before.activation, after.activation
    if now is not None and now.closed and (was is None or not was.closed):
        yield f"{_activation(after, now)} (BB 3.5)"


def _activation(state: State, activation: Activation) -> str:
    """Return who is to do what: ``left 2 is to move``, ``datis commands archers 1 to shoot``."""
    deed = "attack" if activation.order is FormationOrder.MELEE else activation.order.value
    units = _names(state, activation.units)
    if activation.leader is not None:
        leader = state.setting.leaders[activation.leader].name
        return f"{spoken(leader)} commands {units} to {deed}"
    return f"{units} is to {deed}"


def _ranks(before: State, after: State, viewer: int | None) -> Iterator[str]:
    """Yield that the ranks of a unit are chosen; how many, to its own player."""
    if isinstance(asked := before.first_pending, RankChoice):
        name, ranks = before.unit_name(asked.unit), counted(after.units[asked.unit].ranks, "rank")
        is_known = viewer in (None, before.player_of(asked.unit))
        told = agreed(name, f"have {ranks} more") if is_known else f"the ranks of {name} are chosen"
        yield f"{told} (BB 14.2 Steps)"


def _leaders(before: State, after: State) -> Iterator[str]:
    """Yield what became of leaders, but not where they went with a unit."""
    if before.leaders is after.leaders:
        return
    for spec, was, now in zip(before.setting.leaders, before.leaders, after.leaders, strict=True):
        name = spoken(spec.name)
        place = square_name(before.setting, now.square)
        if was.box is not now.box:
            yield {
                Box.MAP: f"{name} is at {place} (BB 6.3)",
                Box.ROUTED: f"{name} is carried along (BB 6.3)",
                Box.CAPTURED: f"{name} is captured until turn {now.returns} (BB 6.4)",
                Box.ELIMINATED: f"{name} is killed (BB 6.3)",
            }[now.box]
        elif was.square != now.square and before.units is after.units:
            section = "14.1 Setup" if isinstance(before.first_pending, LeaderPlace) else "6.2"
            yield f"{name} goes to {place} (BB {section})"


def _units(before: State, step: BladeStep) -> Iterator[str]:
    after = step.after
    if before.units is after.units:
        return
    pairs = [*zip(before.units, after.units, strict=True)]
    in_walls = sum(now.wall > was.wall for was, now in pairs)
    if in_walls > 1:
        yield f"{in_walls} units form a shield wall (BB 13)"
    for number, (was, now) in enumerate(pairs):
        if was is not now and not (in_walls > 1 and now == replace(was, wall=True)):
            yield from _unit(before, step, number)


def _is_revealed(before: State, after: State, number: int) -> bool:
    is_seen = after.units[number].seen and not before.units[number].seen
    return is_seen and after.setting.units[number].counter.has_ranks


def reveals(before: State, after: State, player: int) -> Iterator[str]:
    """Yield in words of which of a player's units the ranks are revealed by then."""
    for number in range(len(before.units)):
        if before.player_of(number) == player and _is_revealed(before, after, number):
            yield f"ranks of {before.unit_name(number)} are revealed (BB 2.3.2.8)"


def _unit(before: State, step: BladeStep, number: int) -> Iterator[str]:
    after = step.after
    was, now, name = before.units[number], after.units[number], before.unit_name(number)
    if was.square != now.square and now.square is not None:
        yield _moved(before, after, number)
    elif was.facing != now.facing:
        yield agreed(name, f"face {FACING_NAMES[now.facing]} (BB 7.1.2)")
    if now.lost > was.lost:
        yield agreed(name, f"lose {counted(now.lost - was.lost, 'rank')} (BB 9.4.7)")
    if _is_revealed(before, after, number):
        yield f"ranks of {name} are revealed: +{now.ranks} (BB 2.3.2.8)"
    if now.disrupted != was.disrupted and None not in (was.square, now.square):
        yield agreed(
            name, "are disrupted (BB 10)" if now.disrupted else "are in good order (BB 11)"
        )
    if now.wall != was.wall and now.square is not None:
        yield agreed(name, f"{'form' if now.wall else 'give up'} a shield wall (BB 13)")
    if now.box is not was.box and now.box is not Box.MAP:
        yield agreed(name, _fate(before, step.move, number, now.box))


def _fate(before: State, move: object, number: int, box: Box) -> str:
    """Return how a unit has come into a box, as of several."""
    if box is Box.ROUTED:
        return _rout(before, move, number)
    if box is Box.LEFT:
        return "leave with the spoils of the camp (BB 12)"
    is_routed = before.units[number].square is None
    if box is Box.RALLIED:
        return "are rallied (BB 5.5.2)" if is_routed else "follow off the map (BB 9.4.11)"
    if is_routed:
        return "fail to rally: eliminated (BB 5.5.2)"
    why = "fall back off the map" if _is_at_border(before, number) else "have no way back"
    return f"{why}: eliminated (BB 9.4.8.1)"


def _rout(before: State, move: object, number: int) -> str:
    """Return why a unit routs: a rout check has failed, or missiles drive it back and it has no way."""
    first, combat = before.first_pending, before.combat
    if isinstance(first, RoutRoll) and first.unit == number and scores(move)[1]:  # type: ignore[arg-type]
        return "rout (BB 9.4.10)"
    is_shot = combat is not None and combat.ranged and combat.target == number
    return "have no way back from the missiles: rout (BB 8.5.3)" if is_shot else "rout (BB 9.4.10)"


def _is_at_border(before: State, number: int) -> bool:
    """Whether the first step back of a unit in a combat leads off the map."""
    unit, combat, grid = before.units[number], before.fight, before.setting.grid
    here, source = before.square_of(number), combat.square
    if combat.ranged:
        return neighbours(grid)[here][(unit.facing + FACINGS // 2) % FACINGS] is None
    if combat.target == number:
        source = before.square_of(before.lead)
    away = direction(grid, source, here)
    return away is not None and neighbours(grid)[here][away] is None


def _moved(before: State, after: State, number: int) -> str:
    """Return how a unit came to its square: by itself, in front of an enemy, back on the map, or out of the way."""
    now, combat, activation = after.units[number], before.combat, before.activation
    where = f"{square_name(after.setting, now.square)}, facing {FACING_NAMES[now.facing]}"
    name = before.unit_name(number)
    if before.units[number].box is Box.WAITING:
        return agreed(name, f"come to {where}, disrupted (BB 14.4)")
    if before.units[number].square is None:
        return agreed(name, f"come to {where} (BB 5.5.1)")
    if activation is not None and activation.active == number:
        return agreed(name, f"move to {where} (BB 7.1)")
    if combat is not None and before.player_of(number) == before.mover and not _fled(before, after):
        return agreed(name, f"advance to {where} (BB 9.4.9)")
    if combat is not None:
        return agreed(name, f"fall back to {where} (BB 9.4.8)")
    return agreed(name, f"are pushed to {where} (BB 7.3.4)")


def _fled(before: State, after: State) -> bool:
    """Whether the target still stands where it was attacked: then attackers who move have fallen back."""
    target = before.fight.target
    return target is not None and after.units[target].square == before.fight.square


def _special(before: State, after: State) -> Iterator[str]:
    """Yield what special rules and camps have come to, and the end."""
    players = [spoken(name) for name in before.setting.players]
    for name, was, now in zip(players, before.sacked, after.sacked, strict=True):
        if now and not was:
            yield f"the camp of {name} is sacked (BB 12)"
    if after.discovered and not before.discovered:
        yield "the path over the hills is discovered (BB 14.2)"
    if after.entry != before.entry:
        yield f"reinforcements come by the squares of number {after.entry} (BB 14.4)"
