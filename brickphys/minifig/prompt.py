"""Prompt: what helps a player to choose.

It tells what is asked for, hints on typing actions, what a listed place is for, and the odds of shots, of attacks, and
of the hand-to-hand that a move or the end of a turn leads to.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction

from brickphys.geometry.polygon import gap_studs
from brickphys.minifig.actions import DONE
from brickphys.minifig.ground import items_touched, opponents, pieces, things_touched
from brickphys.minifig.melee import MeleeRoll, attack_bricks, attacks
from brickphys.minifig.movement import Go
from brickphys.minifig.setting import FigureNumber, Setting
from brickphys.minifig.sheets import BASE_RADIUS_IN, REAR, TOUCH_IN
from brickphys.minifig.shooting import ShotRoll
from brickphys.minifig.state import FigureStep, Phase, State
from brickphys.minifig.status import figure_name
from brickphys.odds.law import RollLaw
from brickphys.rules.action_odds import Branch, rolled_branches
from brickphys.rules.record import OWN_MEN, Forecast
from brickphys.rules.turn_state import PendingRoll
from brickphys.rules.words import Action
from brickphys.text import counted, spoken

HINTS = (
    "take NAME chooses a figure, which acts until you type done; end skips all other figures of its side",
    "do KIND lists the actions of one kind; you may also type a complete action at once, such as shoot NAME",
    "go X Y DEG moves to a place in inches and turns to a facing in degrees, counter-clockwise from +x; the list shows "
    "only some places: you may type any other within reach, also for haul WAGON X Y and dismount X Y",
    "shooting, reloading and mounting are pairs of actions: a figure that does one of them cannot attack (MF Rules)",
    "after its side has moved, a figure that moved or stayed attacks an enemy that it touches (MF Resolving Combat)",
)


def turn_prompt(state: State) -> str:
    """Return what the phase asks for, where no question is pending."""
    if state.phase is Phase.COMBAT:
        figures = counted(len(attacks(state)), "figure")
        return f"{figures} can choose a target: your next attack"
    if state.active is None:
        left = len(list(state.ready(state.player)))
        return f"{counted(left, 'figure')} left to act: your next one, or end"
    text = f"{figure_name(state, state.active)} {DONE[state.step]}"
    if state.step in (FigureStep.CHOSEN, FigureStep.MOUNTED):
        return f"{text}, and can move up to {state.move_in(state.active):g} in"
    return text


def purpose(state: State, action: Action[State]) -> str:
    """Return what a figure touches at the place to which it moves: ``rear of hal, at the sword of tom``."""
    if not isinstance(action, Go) or state.active is None:
        return ""
    place, now = (action.x_in, action.y_in), state.figures[state.active]
    there = state.with_figure(state.active, now.at(place, action.facing_deg))
    stays = "stay" if action.facing_deg == now.facing_deg else "turn on the spot"
    here = [stays] if place == now.place_in else []
    return ", ".join([*here, *_touched(there, state.active)])


def _touched(state: State, figure: int) -> Iterator[str]:
    """Yield the enemies, by their sides, and the items, things and walls that a figure touches."""
    setting, place = state.setting, state.figures[figure].place_in
    for enemy in opponents(state, figure):
        side = "rear" if REAR in attack_bricks(state, figure, enemy) else "front"
        yield f"{side} of {spoken(setting.figures[enemy].name)}"
    names = [_owned(setting, setting.items[item].name) for item in items_touched(state, figure)]
    names += [spoken(setting.things[thing].name) for thing in things_touched(state, figure)]
    names += [
        spoken(setting.walls[piece.wall].name)
        for piece in pieces(setting, state.walls)
        if gap_studs(piece.footprint, place) <= BASE_RADIUS_IN + TOUCH_IN
    ]
    yield from (f"at {name}" for name in dict.fromkeys(names))


def _owned(setting: Setting, item: str) -> str:
    """Return the name of an item as it is read: ``the sword of tom`` if its name begins with that of a figure."""
    owners = [one.name for one in setting.figures if item.startswith(f"{one.name}_")]
    owner = max(owners, key=len, default="")
    return f"the {spoken(item[len(owner) + 1 :])} of {spoken(owner)}" if owner else spoken(item)


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
    names = [figure.name for figure in state.setting.figures]
    return [
        _forecast(
            clear,
            f"{text}, then attack {names[one.attacker]} {names[one.defender]}",
            one,
            brick_law,
        )
        for one in _attacks_after(state, after)
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
    """Yield the attacks of those who are done by an action; where it ends the movement of the side, of all."""
    is_end = state.active is None and after.active is None
    for attacker, enemies in attacks(after).items():
        if is_end or state.figures[attacker].deed is not after.figures[attacker].deed:
            yield from (MeleeRoll(attacker, enemy) for enemy in enemies)


def _forecast(state: State, text: str, roll: PendingRoll[State], brick_law: RollLaw) -> Forecast:
    """Return what comes of a roll and those that follow it, in a state in which nothing else is pending."""
    question, _, _ = roll.event(state).question.partition(":")
    start: list[Branch[State]] = [Branch(state, 0, Fraction(1))]
    ways = rolled_branches(start, roll, lambda end: (end.alive, end.walls), brick_law=brick_law)
    outcomes, losses, strikes, own = (defaultdict[str, Fraction](Fraction) for _ in range(4))
    for end, _, chance in ways:
        for number in _own_dead(state, end) * isinstance(roll, ShotRoll):
            own[state.setting.figures[number].name] += chance
        for name in _killed(state, end, roll):
            strikes[name] += chance
        outcomes[_loss(state, end)] += chance
        left = left_of(end)
        for name, count in left_of(state).items():
            if left[name] < count:
                losses[name] += chance
    likely = dict(sorted(outcomes.items(), key=lambda entry: -entry[1]))
    is_at_wall = isinstance(roll, ShotRoll) and roll.wall is not None
    first = {} if is_at_wall else {KILL: strikes.pop(KILL, Fraction(0))}
    others = {name: strikes[name] for name in sorted(strikes) if strikes[name] >= _LEAST_TOLD}
    shot = {name: own[name] for name in sorted(own) if own[name] >= _LEAST_TOLD}
    return Forecast(text, question, likely, dict(losses), {**first, **others}, shot)


def _own_dead(before: State, after: State) -> list[FigureNumber]:
    """Return who of the player's side was eliminated."""
    teams, mine = before.setting.figure_teams, before.setting.teams[before.player]
    return [one for one in {*before.alive} - {*after.alive} if teams[one] == mine]


def _killed(before: State, after: State, roll: PendingRoll[State]) -> set[str]:
    """Return who was eliminated, as a list tells it: the target of a shot, other enemies, own men."""
    own = _own_dead(before, after)

    def told(number: FigureNumber) -> str:
        if number in own:
            return OWN_MEN
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
