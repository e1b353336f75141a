"""Judgements: what each choice in a game that was played has cost, by the plans of a bot.

Where plans may begin, what was done up to the next roll is compared with the best plan. Elsewhere, and in games whose
bots do not plan, single actions are compared; those that make up a choice that was split count as one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import TYPE_CHECKING, Any, Generic

from brickphys.rules.plans import Plan
from brickphys.rules.players.advice import Adviser, plan_text, remaining
from brickphys.rules.record import CHANCE, Action, Record, State, View
from brickphys.text import spoken

if TYPE_CHECKING:
    import numpy as np

Worths = tuple[float, ...]
"""A worth, or a change of one, for each player."""
_WORST = 5
"""Choices of which people are told."""
LEFT_UNDONE = "not to do it"
"""What was better where a unit should have been left where it was."""
LEAST = 0.001
"""Smaller changes of a worth are not told; it is a twentieth of a point of 100."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A choice that a player made, up to the next roll or the end of a unit's turn."""

    first: int
    """The number of its first step, from 0."""
    stop: int
    """The number of the step after its last one."""
    round: int | None
    player: int
    done: str
    better: str
    """What was done, and the best plan, in words."""
    cost: float
    """How much more the best plan was worth, 0 or more. Compared are plans of the same unit, to hold, and plans of all
    units that cannot be moved later in the round. What was no plan of the bot is judged by the worth of what it leads
    to."""


def worst(choices: Iterable[Judgement]) -> list[Judgement]:
    """Return the few choices that cost most, the worst first."""
    costly = (choice for choice in choices if choice.cost >= LEAST)
    return sorted(costly, key=lambda choice: -choice.cost)[:_WORST]


class Judge(Generic[State, Action, View]):
    """Judges the choices of one game by the worth of each of its states; `worth` returns that of any other state."""

    def __init__(
        self,
        adviser: Adviser[State, Action, View],
        record: Record[State, Action],
        worths: Sequence[Worths],
        worth: Callable[[State], Worths],
    ) -> None:
        self._adviser, self._game, self._worth = adviser, adviser.game, worth
        self._steps, self._states, self._worths = record.steps, record.states, worths
        self._plans: dict[int, Sequence[Plan[Action]]] = {}
        self._singles: dict[int, Sequence[Plan[Action]]] = {}
        self._followed: dict[int, Plan[Action]] = {}
        """The plan that the player followed action by action, by its first step."""
        self._forced = set[int]()
        self._costliest: dict[int, int] = {}
        """The first step of a choice that was split -> the step of it that cost most."""

    def judgements(self, progress: Callable[[int, int], None]) -> list[Judgement]:
        """Return all choices in order."""
        is_planned, stop = False, 0
        for number, step in enumerate(self._steps):
            progress(number, len(self._steps))
            if number < stop:
                continue
            is_planned &= step.actor >= 0 and step.actor == self._steps[number - 1].actor
            actions = self._game.actions(self._states[number]) if step.actor >= 0 else ()
            if len(actions) > 1 or (actions and step.move not in actions):
                is_planned = self._look(number, actions, is_planned)
                stop = number + self._length(number)
            else:
                self._forced.add(number)
        progress(len(self._steps), len(self._steps))
        found = {one.first: one for one in (*self._of_plans(), *self._of_singles())}
        for one in worst(found.values()):
            if one.first in self._costliest:
                found[one.first] = replace(one, better=self._better(one.first))
        return [found[first] for first in sorted(found)]

    def _look(self, number: int, actions: Sequence[Action], is_planned: bool) -> bool:
        """Look for plans at a step, or for single actions if it is in no plan's course; tell whether it is in one."""
        step, state = self._steps[number], self._states[number]
        view, rng = self._game.observe(state, step.actor), _rng(number)
        if plans := self._adviser.whole(view, rng):
            self._plans[number] = plans
            if followed := [plan for plan in plans if self._is_followed(number, plan)]:
                self._followed[number] = max(followed, key=lambda plan: len(plan.actions))
            return True
        if not is_planned:
            listed: list[Any] = [*actions, *(() if step.move in actions else (step.move,))]
            self._singles[number] = self._adviser.singles(view, listed, rng)
        return is_planned

    def _is_followed(self, first: int, plan: Plan[Action]) -> bool:
        """Whether a player has done just what a plan says."""
        steps, player = self._steps[first : first + len(plan.actions)], self._steps[first].actor
        moves = tuple(step.move for step in steps if step.actor == player)
        return moves == plan.actions

    def _length(self, first: int) -> int:
        """Return the number of steps of the plan that was followed, 1 if none was."""
        return len(self._followed[first].actions) if first in self._followed else 1

    def _of_plans(self) -> Iterator[Judgement]:
        """Yield the judgements of what was done where plans could begin."""
        stop = 0
        for first in self._plans:
            if first >= stop:
                stop = self._stop(first)
                if (found := self._of_plan(first)) is not None:
                    yield found

    def _of_plan(self, first: int) -> Judgement | None:
        """Return the judgement of what was done where plans could begin; None of a choice that is not finished."""
        player, stop, plans = self._steps[first].actor, self._stop(first), self._plans[first]
        done = self._done(first, stop)
        begun = self._begun(first, stop) if done is None else None
        is_left = stop == len(self._steps) and not self._game.settled(self._states[stop])
        if done is None and begun is None and is_left:  # the game was left within a choice
            return None
        move = self._steps[first].move
        movers = {one.unit for one in plans if one.actions[0] == move} or self._alone(first)
        later = self._units_later(first) - ({done.unit} if done else movers)
        rivals = [one for one in plans if one.is_holding or one.unit not in later] or plans
        told = _with_unit("; ".join(step.text for step in self._steps[first:stop]), movers)
        if (judged := done or begun) is not None:
            better, cost = plan_text(self._game, rivals[0]), rivals[0].worth - judged.worth
            told = told if begun else plan_text(self._game, judged)
            if told == better and judged is not rivals[0]:  # for the same purpose in another way
                told, better = self._in_full(judged), self._in_full(rivals[0])
        else:
            left = {plan.unit for plan in plans} & later - {""}
            better, worth = self._rival(first, rivals, goes_on=bool(left))
            cost = worth - self._worths[stop][player]
        return self._judgement(first, stop, told, better, cost)

    def _done(self, first: int, stop: int) -> Plan[Action] | None:
        """Return the plan that was done from a step up to another one; None if it was none."""
        chosen = max(number for number in range(first, stop) if number not in self._forced)
        done, ends = self._followed.get(first), self._states[chosen + 1 : stop + 1]
        if done is not None and first + len(done.actions) > chosen:
            return done
        state = self._states[first]
        return next((plan for plan in self._plans[first] if self._end(state, plan) in ends), None)

    def _begun(self, first: int, stop: int) -> Plan[Action] | None:
        """Return the best plan that begins with what was done from a step up to another one; None if none does.

        What is left of it must be a plan there, so that what was done of it is judged, too.
        """
        state, after = self._states[first], self._states[first + 1 : stop + 1]
        if self._game.actor(after[-1]) != self._steps[first].actor:
            return None
        then = {plan.actions for plan in self._plans.get(stop, ())}
        for plan in self._plans[first]:
            rest = remaining(self._game, state, plan, after)
            if rest and (rest in then or stop == len(self._steps)):
                return plan
        return None

    def _in_full(self, plan: Plan[Action]) -> str:
        """Return what a plan does, with its actions."""
        actions = "; ".join(map(self._game.format_action, plan.actions))
        return f"{plan_text(self._game, plan)} ({actions})" if plan.unit else actions

    def _rival(
        self, first: int, rivals: Sequence[Plan[Action]], *, goes_on: bool
    ) -> tuple[str, float]:
        """Return what could have been done in place of what was no plan, and the worth of what that leads to.

        It is the best of some plans. Where the turn goes on with other units, it may also be not to do it.
        """
        state, player = self._states[first], self._steps[first].actor
        found = [(LEFT_UNDONE, self._worths[first][player])] if goes_on else []
        for plan in rivals:
            end = None if goes_on and plan.is_holding else self._end(state, plan)
            if end is not None:  # something hidden may forbid it
                worth = self._worth(self._forced_on(end, player))[player]
                found.append((plan_text(self._game, plan), worth))
                break
        return max(found, key=lambda one: one[1], default=(LEFT_UNDONE, -1.0))

    def _stop(self, first: int) -> int:
        """Return the number of the step after what was done from a step on: another plan, a roll, or another's turn.

        What a unit does step by step, with plans of this unit alone before each step, is one course.
        """
        alone = set() if first in self._followed else self._alone(first)
        for number in range(first + self._length(first), len(self._steps)):
            is_other = number in self._plans and not (alone and self._alone(number) == alone)
            if is_other or self._steps[number].actor != self._steps[first].actor:
                return number
        return len(self._steps)

    def _alone(self, number: int) -> set[str]:
        """Return the unit of which all plans at a step are; none if they are of several, or of nobody."""
        units = {plan.unit for plan in self._plans[number]}
        return units if len(units) == 1 and "" not in units else set()

    def _units_later(self, first: int) -> set[str]:
        """Return the units that have plans later in the round, or without rounds in the turn, of who chose then."""
        found, player = set[str](), self._steps[first].actor
        round_now = self._game.rounds(self._states[first])
        for number in range(first + 1, len(self._steps)):
            actor = self._steps[number].actor
            is_over = self._game.rounds(self._states[number]) != round_now
            if is_over or (round_now is None and actor not in (player, CHANCE)):
                break
            if actor == player:
                found |= {plan.unit for plan in self._plans.get(number, ())}
        return found

    def _end(self, state: State, plan: Plan[Action]) -> State | None:
        """Return the state after a plan; None if it is not legal."""
        player = self._game.actor(state)
        for action in plan.actions:
            if self._game.actor(state) != player or self._game.problems(state, action):
                return None
            state = self._game.apply(state, action)
        return state

    def _forced_on(self, state: State, player: int) -> State:
        """Return the state after all steps of a player that come next and have no alternative."""
        while self._game.actor(state) == player and len(acts := self._game.actions(state)) == 1:
            state = self._game.apply(state, acts[0])
        return state

    def _of_singles(self) -> Iterator[Judgement]:
        """Yield the judgements of single actions; those that make up a choice that was split are one."""
        run = list[int]()
        for number in sorted(self._singles):
            if run and not self._goes_on(run[-1], number):
                yield self._of_run(run)
                run = []
            run.append(number)
        if run:
            yield self._of_run(run)

    def _goes_on(self, number: int, other: int) -> bool:
        """Whether the choice of a step goes on with another one."""
        steps = range(number, other)
        player = self._steps[number].actor
        return all(
            self._steps[one].actor == player and not self._game.settled(self._states[one + 1])
            for one in steps
        )

    def _of_run(self, run: Sequence[int]) -> Judgement:
        """Return the judgement of a choice that was split; what was better begins where it cost most."""
        costs = {number: -self._worth_of(self._steps[number].move, number) for number in run}
        worst = self._costliest[run[0]] = max(run, key=lambda number: costs[number])
        texts = "; ".join(step.text for step in self._steps[run[0] : run[-1] + 1])
        better = plan_text(self._game, self._singles[worst][0])
        return self._judgement(run[0], run[-1] + 1, texts, better, fsum(costs.values()))

    def _better(self, first: int) -> str:
        """Return the best choice in place of one that was split: its first steps, and the best of all that follow."""
        worst = self._costliest[first]
        best = self._singles[worst][0]
        whole = self._adviser.completed(self._states[worst], best, _rng(worst))
        texts = [step.text for step in self._steps[first:worst]]
        return "; ".join([*texts, plan_text(self._game, whole)])

    def _worth_of(self, move: Any, number: int) -> float:
        return next(plan.worth for plan in self._singles[number] if plan.actions == (move,))

    def _judgement(self, first: int, stop: int, done: str, better: str, cost: float) -> Judgement:
        rounds, player = self._game.rounds(self._states[first]), self._steps[first].actor
        return Judgement(first, stop, rounds, player, done, better, max(0.0, cost))


def _with_unit(texts: str, units: set[str]) -> str:
    """Return actions with the name of the only unit that may have done them, unless they tell it."""
    unit = next(iter(units)) if len(units) == 1 else ""
    return f"{unit}: {texts}" if unit and unit not in spoken(texts) else texts


def _rng(number: int) -> "np.random.Generator":
    """Return the generator with which what is hidden at a step is imagined."""
    from brickphys.seeds import generator  # loads numpy

    return generator(0, number)
