"""Forecasts: the odds of shots, of attacks, and of the hand-to-hand that a move or the end of a turn leads to."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from brickphys.minifig.actions.melee import MeleeRoll, attacks
from brickphys.minifig.actions.missile_rolls import ShotRoll
from brickphys.minifig.state.setting import FigureNumber
from brickphys.minifig.state.state import State
from brickphys.odds.law import RollLaw
from brickphys.rules.forecast import OWN, Forecast
from brickphys.rules.pending import PendingRoll
from brickphys.rules.walk import Way, rolled
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

KILL, OTHERS = "kill", "other enemies"
_LEAST_TOLD = Fraction(1, 200)
"""Of others than the target only a larger chance is told."""


def forecasts(state: State, action: Action[State], brick_law: RollLaw) -> Sequence[Forecast] | None:
    """Return the odds of what an action is rolled for; None if nothing is.

    A move, or the end of a turn, has those of the attacks that it leads to when the side is done, as all stand now.
    """
    after = action.apply(state)
    clear, text = after.replaced({"pending": ()}), action.text()
    if after.pending:
        return [
            _forecast(clear, text, roll, brick_law)
            for roll in after.pending
            if isinstance(roll, PendingRoll)
        ]
    return [
        _forecast(clear, f"{text}, then {_attack(state, roll)}", roll, brick_law)
        for roll in _attacks_after(state, after)
    ] or None


def left_of(state: State) -> dict[str, int]:
    """Return how many figures of each player live, and how many bricks of each wall stand, by name."""
    setting = state.setting
    left = {
        f"figures of {name}": count
        for name, count in zip(setting.players, state.strength, strict=True)
    }
    for wall, out in zip(setting.walls, state.walls, strict=True):
        left[f"bricks of {wall.name}"] = len(wall.spans) - len(out)
    return left


def _attacks_after(state: State, after: State) -> Iterator[MeleeRoll]:
    """Yield the attacks of those who are done by an action."""
    for attacker, enemies in attacks(after).items():
        if state.figures[attacker].deed is not after.figures[attacker].deed:
            yield from (MeleeRoll(attacker, enemy) for enemy in enemies)


def _attack(state: State, roll: MeleeRoll) -> str:
    names = (state.setting.figures[number].name for number in (roll.attacker, roll.defender))
    return " ".join(["attack", *names])


def _forecast(state: State, text: str, roll: PendingRoll[State], brick_law: RollLaw) -> Forecast:
    """Return what comes of a roll and those that follow it, in a state in which nothing else is pending."""
    question, _, _ = roll.event(state).question.partition(":")
    start: list[Way[State]] = [Way(state, 0, Fraction(1))]
    ways = rolled(start, roll, lambda end: (end.alive, end.walls), brick_law=brick_law)
    outcomes: dict[str, Fraction] = {}
    losses: dict[str, Fraction] = {}
    strikes = dict[str, Fraction]()
    for end, _, chance in ways:
        for name in _killed(state, end, roll):
            strikes[name] = strikes.get(name, Fraction(0)) + chance
        words = _loss(state, end)
        outcomes[words] = outcomes.get(words, Fraction(0)) + chance
        left = left_of(end)
        for name, count in left_of(state).items():
            if left[name] < count:
                losses[name] = losses.get(name, Fraction(0)) + chance
    likely = dict(sorted(outcomes.items(), key=lambda entry: -entry[1]))
    is_at_wall = isinstance(roll, ShotRoll) and roll.wall is not None
    first = {} if is_at_wall else {KILL: strikes.pop(KILL, Fraction(0))}
    others = {name: strikes[name] for name in sorted(strikes) if strikes[name] >= _LEAST_TOLD}
    return Forecast(text, question, likely, losses, {**first, **others})


def _killed(before: State, after: State, roll: PendingRoll[State]) -> set[str]:
    """Return who was eliminated, as a list tells it: the target of a shot, other enemies, own men."""
    teams, mine = before.setting.figure_teams, before.setting.teams[before.player]

    def told(number: FigureNumber) -> str:
        if teams[number] == mine:
            return OWN
        return KILL if not isinstance(roll, ShotRoll) or number == roll.target else OTHERS

    return set(map(told, {*before.alive} - {*after.alive}))


def _loss(before: State, after: State) -> str:
    """Return who is eliminated, and what is out of walls, in words."""
    setting, gone = before.setting, sorted({*before.alive} - {*after.alive})
    words = [f"{spoken(setting.figures[number].name)} is eliminated" for number in gone]
    for wall, then, now in zip(setting.walls, before.walls, after.walls, strict=True):
        if then != now:
            words.append(f"{counted(len(now) - len(then), 'brick')} out of {spoken(wall.name)}")
    return " and ".join(words) or "nothing"
