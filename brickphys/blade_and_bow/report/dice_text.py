"""Dice text: what was rolled in a step, which die is rolled again, and what hits are left, as parts of sentences."""

from collections.abc import Iterator

from brickphys.blade_and_bow.combat.camp import sheltered
from brickphys.blade_and_bow.combat.party import target_name
from brickphys.blade_and_bow.combat.rolling import Again, Rerolls, SideRoll
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.events.dice import Tally
from brickphys.rules.events.draw import Draw
from brickphys.rules.record import Step
from brickphys.rules.words import Action
from brickphys.text import agreed, counted, spoken

BladeStep = Step[State, Action[State]]


def dice_clauses(before: State, step: BladeStep) -> Iterator[str]:
    """Yield what was rolled; where the dice of a combat lie at last, what hits are left after cancels."""
    event = before.event
    if isinstance(event, Tally):
        yield f"{event.reason}: {', '.join(_counts(event, step.move))}"
    elif event is not None and not isinstance(event, Draw):
        yield f"{event.reason}: {event.format(step.move)}"  # type: ignore[arg-type]
    elif isinstance(step.move, Again):
        who = agreed(_sides(before)[before.awaited(Rerolls).side], "take")
        yield f"{who} up a {step.move.die.value} (BB 9.4.6)"
    rolled = before.first_pending
    if isinstance(rolled, SideRoll | Rerolls):
        lie = step.after.combat is None or step.after.combat.stage is not Stage.DICE
        if lie:
            yield from _hits(_last_dice(before, step))


def _counts(event: Tally, outcome: object) -> Iterator[str]:
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
    units = ", ".join(map(state.unit_name, state.fight.units))
    return units, spoken(target_name(state, state.fight.target))


def _hits(state: State) -> Iterator[str]:
    """Yield what is left of the hits of each side that rolled for any (BB 9.4.7, 8.5.3)."""
    combat, (attackers, target) = state.fight, _sides(state)
    section = "8.5.3" if combat.ranged else "9.4.7"
    for whom, own, enemy in (
        (target, combat.attack, combat.defence),
        (attackers, combat.defence, combat.attack),
    ):
        left = max(own[0] - enemy[2], 0)
        if own[0]:
            cancelled = f"{counted(own[0], 'hit')} less {counted(enemy[2], 'cancel')}: " * bool(
                enemy[2]
            )
            rest = counted(left, "hit") if left else "no hit"
            yield f"{cancelled}{rest} on {whom} (BB {section})"
    if not combat.ranged and combat.target is not None:
        left = max(combat.attack[0] - combat.defence[2], 0)
        if sheltered(state, combat.target, left) < left:
            yield "the camp cancels 1 hit (BB 12)"
