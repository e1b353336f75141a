"""Thinker: the plans of a side in a Minifig battle, as the players of all games choose from them."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from brickphys.minifig.actions import EndFigure, EndMovement, TakeFigure
from brickphys.minifig.melee import MeleeAttack, ahead, attack_bricks, defence_bricks
from brickphys.minifig.movement import Go
from brickphys.minifig.plans.chances import Chances
from brickphys.minifig.plans.ideas import Move
from brickphys.minifig.plans.outlook import Outlook
from brickphys.minifig.plans.prospects import Known
from brickphys.minifig.plans.turn import Choice, Turn
from brickphys.minifig.state import Deed, Phase, State
from brickphys.odds.law import RollLaw
from brickphys.rules.plans import HOLDS, Effort, Level, Plan
from brickphys.text import spoken


class MinifigThinker:
    """Finds the plans of a side in a Minifig battle."""

    def __init__(self, brick_law: RollLaw) -> None:
        self._chances = Chances(brick_law)
        self._known = Known()
        self._last: tuple[tuple[State, Level], Turn] | None = None

    def is_open(self, state: State) -> bool:
        """Whether plans may begin here: a figure is to be or was just taken, or whom it attacks is to be chosen."""
        if state.pending or state.winners is not None or state.turn >= len(state.order):
            return False
        if state.phase is Phase.COMBAT:
            return True
        is_fresh = state.active is None or state.figures[state.active].deed is Deed.NOTHING
        return is_fresh and not state.menu

    def plans(self, state: State, effort: Effort) -> Sequence[Plan[Move]]:
        """Return the plans of the side whose turn it is, the best first.

        What is better done later in the turn, such as a charge before archers have shot, comes after what is to be done
        first, and its worth is at most as high.
        """
        if state.active is not None and state.phase is not Phase.COMBAT:
            return self._plans_of_taken(state, state.active, effort)
        look = Outlook(state, state.player, self._chances)
        if state.phase is Phase.COMBAT:
            return _attacks(look)
        holding: Plan[Move] = Plan("", HOLDS, (EndMovement(),), 0.0)
        if not look.foes:
            return [holding]
        turn = self._turn(state, effort)
        found: list[Plan[Move]] = []
        most = inf
        for choice in turn.choices():
            plan = _plan(turn, choice, most)
            most = plan.worth * (1.0 - 1e-9)
            found.append(plan)
        return [*found, holding]

    def _plans_of_taken(self, state: State, figure: int, effort: Effort) -> Sequence[Plan[Move]]:
        """Return the plans of the turn that are those of a figure that was just taken, and to leave it as it is."""
        name = state.setting.figures[figure].name
        turn = self.plans(state.replaced({"active": None}), effort)
        own = [plan for plan in turn if plan.actions[0] == TakeFigure(name)]
        holding: Plan[Move] = Plan(spoken(name), HOLDS, (EndFigure(),), 0.0)
        first = [*(replace(plan, actions=plan.actions[1:]) for plan in own), holding]
        if not effort.level.is_wide:
            return first
        known = {plan.purpose for plan in first}
        others = _others(self._turn(state.replaced({"active": None}), effort), figure, first[0])
        return [*first, *(plan for plan in others if plan.purpose not in known)]

    def _turn(self, state: State, effort: Effort) -> Turn:
        """Return the turn of a side; the last one is remembered, since each of its figures has the same."""
        key = state, effort.level
        if self._last is None or self._last[0] != key:
            self._last = key, Turn(Outlook(state, state.player, self._chances), self._known, effort)
        return self._last[1]


def _plan(turn: Turn, choice: Choice, most: float) -> Plan[Move]:
    look, figure = turn.look, choice.figure
    name = look.setting.figures[figure].name
    take = TakeFigure(name)
    if choice.idea is not None:
        actions, purpose = choice.idea.actions, choice.idea.purpose
    else:
        assert choice.prospects is not None
        end = choice.prospects.ends[choice.row]
        actions = (*choice.before, Go(*end.place_in, end.facing_deg))
        purpose = _purpose(turn, choice)
    state = turn.taken[figure]
    for action in actions:
        state = action.apply(state)
    if state.active == figure:
        actions = (*actions, EndFigure())
    worth = min(choice.worth * look.scale, most)
    return Plan(spoken(name), purpose, (take, *actions), worth)


def _others(turn: Turn, figure: int, best: Plan[Move]) -> list[Plan[Move]]:
    """Return what a figure may do besides its best plan: the best move for each purpose, and each idea."""
    found, most = turn.prospects[figure], best.worth - 1e-9
    values, *_ = turn.values(found, turn.look.alive_chance, turn.style)
    kinds = dict[str, Choice]()
    for row in (-values).argsort().tolist():
        choice = Choice(figure, "move", float(values[row] - values[0]), None, found, row)
        if row:
            kinds.setdefault(_purpose(turn, choice).partition(" (")[0], choice)
    ideas = (Choice(figure, one.kind, one.gain, one, found) for one in turn.ideas[figure])
    plans = (_plan(turn, one, most) for one in (*ideas, *kinds.values()))
    others = [replace(plan, actions=plan.actions[1:]) for plan in plans]
    return sorted(others, key=lambda plan: -plan.worth)


def _purpose(turn: Turn, choice: Choice) -> str:
    found, row, look = choice.prospects, choice.row, turn.look
    assert found is not None
    rides = "mounts and " * bool(choice.before)
    if choice.opening is not None:
        shooter = spoken(look.setting.figures[choice.opening.shooter].name)
        return f"clears the lane of {shooter}"
    if found.touching[row]:
        foe = int((look.foe_worth * look.alive_chance * found.hits[row]).argmax())
        name = spoken(look.setting.figures[look.foes[foe]].name)
        return f"{rides}charges {name} ({found.hits[row, foe]:.0%})"
    if found.ways_in[row] < found.ways_in[0] - 0.5:
        return f"{rides}goes for its aim" if found.has_goal else f"{rides}closes in"
    before, after = (float(found.dangers[each].sum()) for each in (0, row))
    return f"{rides}withdraws" if after < before else f"{rides}takes a better place"


def _attacks(look: Outlook) -> list[Plan[Move]]:
    """Return the attacks that may be chosen, by what they gain more than the least of them."""
    state, numbers = look.state, look.setting.figure_numbers
    found = []
    for attack in MeleeAttack.listed(state):
        pair = numbers[attack.figure], numbers[attack.target]
        attack_sum = sum(attack_bricks(state, *pair).values())
        defence_sum = sum(defence_bricks(state, *pair).values())
        chance = look.chances.fight(attack_sum, defence_sum, ahead(state, *pair))
        found.append((chance * look.worth(pair[1]), chance, attack))
    least = min(gain for gain, *_ in found)
    plans: list[Plan[Move]] = [
        Plan(
            spoken(attack.figure),
            f"attacks {spoken(attack.target)} ({chance:.0%})",
            (attack,),
            (gain - least) * look.scale,
        )
        for gain, chance, attack in found
    ]
    return sorted(plans, key=lambda plan: -plan.worth)
