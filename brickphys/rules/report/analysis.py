"""Analysis: a game that was played, judged step by step: the chance to win, and what luck and what choices changed.

The worth of a state to a player is what the game estimates, from -1 to 1; the chance to win is (1 + worth) / 2. Where
chance is to act, it is the mean of the worths that follow, over the exact law of the roll. What a roll changes is luck:
the worth after it less that mean, so nothing in the mean. All else is due to the player who has chosen last. So for
each player

    worth at the end = worth at the start + sum of luck + sum of all players' choices

Rolls before the first choice of anybody belong to the start. What is measured has no law, and counts as choice.

How good a choice was is another question. It has cost what the best plan was worth more than what was done, both judged
by the same bot; see `Judgement`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import TYPE_CHECKING, Any, Generic

from brickphys.odds.law import RollLaw
from brickphys.rules.game import Game
from brickphys.rules.plans import Level, Plan
from brickphys.rules.players.advice import Adviser, plan_text
from brickphys.rules.record import CHANCE, OVER, Action, Record, State, View

if TYPE_CHECKING:
    import numpy as np

Worths = tuple[float, ...]
"""A worth, or a change of one, for each player."""
_WORST, _LUCKIEST = 5, 3
"""Choices and rolls of which people are told."""
_LEAST = 0.001
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
    """How much more the best plan was worth, 0 or more. Compared are plans of the same unit, and of all units that the
    player does not move later in the turn. What was no plan of the bot is judged by the worth of what it leads to."""


@dataclass(frozen=True, slots=True)
class Fortune:
    """A roll: the number of its step, its round, what was rolled, and the luck that it was for each player."""

    step: int
    round: int | None
    told: str
    luck: Worths

    @property
    def size(self) -> float:
        """How much it was for the player for whom it was most."""
        return max(map(abs, self.luck))


@dataclass(frozen=True, slots=True)
class Balance:
    """How the worth of a game has come about for a player: the first four add up to `end`."""

    start: float
    luck: float
    own: float
    """What the player's own choices have changed."""
    others: float
    """What the choices of all others have changed."""
    end: float
    given_away: float
    """The cost of all choices of the player."""
    choices: int
    """How many they were."""


@dataclass(frozen=True)
class Analysis:
    """A game that was played, as a bot judges it."""

    level: str
    """The bot."""
    worths: tuple[Worths, ...]
    """The worth of each state, from the first to the last; within a choice that of the state before it."""
    luck: tuple[Worths, ...]
    """What is luck of the change in each step."""
    choosers: tuple[int, ...]
    """The player to whom all else of it is due, for each step; `CHANCE` before the first choice."""
    choices: tuple[Judgement, ...]
    """Every choice that had an alternative, in order."""
    rolls: tuple[Fortune, ...]
    """Every roll, in order."""

    def changes(self, player: int, chooser: int) -> float:
        """Return what the choices of a player have changed for a player; those of `CHANCE` belong to the start."""
        return fsum(
            part
            for number, by in enumerate(self.choosers)
            if by == chooser
            for part in (
                self.worths[number + 1][player],
                -self.worths[number][player],
                -self.luck[number][player],
            )
        )

    def balance(self, player: int) -> Balance:
        """Return what has made up the worth for a player."""
        own = [choice.cost for choice in self.choices if choice.player == player]
        others = set(self.choosers) - {player, CHANCE}
        return Balance(
            start=self.worths[0][player] + self.changes(player, CHANCE),
            luck=fsum(luck[player] for luck in self.luck),
            own=self.changes(player, player),
            others=fsum(self.changes(player, other) for other in sorted(others)),
            end=self.worths[-1][player],
            given_away=fsum(own),
            choices=len(own),
        )

    @property
    def worst(self) -> list[Judgement]:
        """The few choices that cost most, the worst first."""
        return _worst(self.choices)

    @property
    def luckiest(self) -> list[Fortune]:
        """The few rolls that changed most, the greatest change first."""
        telling = (roll for roll in self.rolls if roll.size >= _LEAST)
        return sorted(telling, key=lambda roll: -roll.size)[:_LUCKIEST]


def _worst(choices: Iterable[Judgement]) -> list[Judgement]:
    costly = (choice for choice in choices if choice.cost >= _LEAST)
    return sorted(costly, key=lambda choice: -choice.cost)[:_WORST]


class Analyst(Generic[State, Action, View]):
    """Judges games that were played.

    Parameters
    ----------
    brick_law
        The law of the bricks with which luck and choices are reckoned.
    level
        How well the bot plans by which choices are judged, and how long it may think for each.
    """

    def __init__(self, game: Game[State, Action, View], brick_law: RollLaw, level: Level) -> None:
        self._game, self._level = game, level
        self._adviser = Adviser(game, brick_law, level)
        self._search = self._adviser.search

    def worth(self, state: State) -> Worths:
        """Return the worth of a state to each player; where chance is to act, the mean over the exact law."""
        if self._game.actor(state) != CHANCE or not self._game.chance(state).exact:
            return self._value(state)
        law = self._search.outcomes(self._game.chance(state))
        after = [(self._value(self._search.apply(state, outcome)), p) for outcome, p in law]
        players = range(self._game.players(state))
        return tuple(fsum(p * values[player] for values, p in after) for player in players)

    def analysis(
        self,
        record: Record[State, Action],
        progress: Callable[[int, int], None] = lambda _done, _all: None,
    ) -> Analysis:
        """Return a game as it is judged.

        Parameters
        ----------
        progress
            Called with the number of steps that are judged, and of all.

        Raises
        ------
        InvalidValueError
            If an event has neither an exact law nor a stand-in.
        """
        game, states = self._game, record.states
        worths, luck, choosers = [self.worth(record.initial)], list[Worths](), list[int]()
        rolls, chooser = list[Fortune](), CHANCE
        for number, (before, step) in enumerate(zip(states, record.steps, strict=False)):
            got = (0.0,) * game.players(before)
            if step.actor != CHANCE:
                chooser = step.actor
            elif game.chance(before).exact:
                got = _less(self._value(step.after), worths[-1])
                told = game.tell(before, step) or game.chance(before).told(step.text)
                rolls.append(Fortune(number, game.rounds(before), told, got))
            is_within = step.actor == game.actor(step.after) and not game.settled(step.after)
            worths.append(worths[-1] if is_within else self.worth(step.after))
            luck.append(got)
            choosers.append(chooser)
        judged = _Judge(self, self._adviser, record, worths).judgements(progress)
        return Analysis(
            self._level.name,
            tuple(worths),
            tuple(luck),
            tuple(choosers),
            tuple(judged),
            tuple(rolls),
        )

    def _value(self, state: State) -> Worths:
        """Return the worth of a state as bots judge it, from -1 to 1."""
        if self._game.actor(state) == OVER:
            return tuple(map(float, self._game.returns(state)))
        return tuple(min(max(one, -1.0), 1.0) for one in self._search.value(state))


class _Judge(Generic[State, Action, View]):
    """Judges the choices of one game."""

    def __init__(
        self,
        analyst: Analyst[State, Action, View],
        adviser: Adviser[State, Action, View],
        record: Record[State, Action],
        worths: Sequence[Worths],
    ) -> None:
        self._analyst, self._adviser, self._game = analyst, adviser, adviser.game
        self._steps, self._states, self._worths = record.steps, record.states, worths
        self._plans: dict[int, Sequence[Plan[Action]]] = {}
        self._singles: dict[int, Sequence[Plan[Action]]] = {}
        self._forced = set[int]()
        self._costliest: dict[int, int] = {}
        """The first step of a choice that was split -> the step of it that cost most."""

    def judgements(self, progress: Callable[[int, int], None]) -> list[Judgement]:
        """Return all choices in order."""
        is_planned = False
        for number, step in enumerate(self._steps):
            progress(number, len(self._steps))
            is_planned &= step.actor >= 0 and step.actor == self._steps[number - 1].actor
            actions = self._game.actions(self._states[number]) if step.actor >= 0 else ()
            if len(actions) > 1 or (actions and step.move not in actions):
                is_planned = self._look(number, actions, is_planned)
            else:
                self._forced.add(number)
        progress(len(self._steps), len(self._steps))
        found = {one.first: one for one in (*map(self._of_plan, self._plans), *self._of_singles())}
        for one in _worst(found.values()):
            if one.first in self._costliest:
                found[one.first] = replace(one, better=self._better(one.first))
        return [found[first] for first in sorted(found)]

    def _look(self, number: int, actions: Sequence[Action], is_planned: bool) -> bool:
        """Look for plans at a step, or for single actions if it is in no plan's course; tell whether it is in one."""
        step, state = self._steps[number], self._states[number]
        view, rng = self._game.observe(state, step.actor), _rng(number)
        if plans := self._adviser.whole(view, rng):
            self._plans[number] = plans
            return True
        if not is_planned:
            listed: list[Any] = [*actions, *(() if step.move in actions else (step.move,))]
            self._singles[number] = self._adviser.singles(view, listed, rng)
        return is_planned

    def _of_plan(self, first: int) -> Judgement:
        """Return the judgement of what was done where plans could begin."""
        state, player, stop = self._states[first], self._steps[first].actor, self._stop(first)
        plans, moves = self._plans[first], [step.move for step in self._steps[first:stop]]
        chosen = max(number for number in range(first, stop) if number not in self._forced)
        ends = self._states[chosen + 1 : stop + 1]
        done = next((plan for plan in plans if self._end(state, plan) in ends), None)
        units = {done.unit} if done else {one.unit for one in plans if one.actions[0] == moves[0]}
        later = self._units_later(first) - units
        best = next((plan for plan in plans if plan.unit not in later), plans[0])
        gained = self._worths[stop][player]
        if done is not None:
            cost = best.worth - done.worth
        elif (end := self._end(state, best)) is not None:
            cost = self._analyst.worth(self._forced_on(end, player))[player] - gained
        else:  # something hidden forbids it
            cost = best.worth - (gained - self._worths[first][player])
        texts = "; ".join(step.text for step in self._steps[first:stop])
        told = texts if done is None else plan_text(self._game, done)
        return self._judgement(first, stop, told, plan_text(self._game, best), cost)

    def _stop(self, first: int) -> int:
        """Return the number of the step after the course of a plan: another plan, a roll, or the turn of another."""
        for number in range(first + 1, len(self._steps)):
            if self._steps[number].actor != self._steps[first].actor or number in self._plans:
                return number
        return len(self._steps)

    def _units_later(self, first: int) -> set[str]:
        """Return the units that have plans later in the turn of the player who chose then."""
        found, player = set[str](), self._steps[first].actor
        for number in range(first + 1, len(self._steps)):
            if self._steps[number].actor not in (player, CHANCE):
                break
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
        worst, game = self._costliest[first], self._game
        texts = [step.text for step in self._steps[first:worst]]
        state, player, plans = self._states[worst], self._steps[worst].actor, self._singles[worst]
        while True:
            texts.append(plan_text(game, plans[0]))
            state = game.apply(state, plans[0].actions[0])
            if game.actor(state) != player or game.settled(state):
                return "; ".join(texts)
            view, rng = game.observe(state, player), _rng(worst)
            plans = self._adviser.singles(view, game.actions(state), rng)

    def _worth_of(self, move: Any, number: int) -> float:
        return next(plan.worth for plan in self._singles[number] if plan.actions == (move,))

    def _judgement(self, first: int, stop: int, done: str, better: str, cost: float) -> Judgement:
        rounds, player = self._game.rounds(self._states[first]), self._steps[first].actor
        return Judgement(first, stop, rounds, player, done, better, max(0.0, cost))


def _rng(number: int) -> "np.random.Generator":
    """Return the generator with which what is hidden at a step is imagined."""
    from brickphys.seeds import generator  # loads numpy

    return generator(0, number)


def _less(worths: Worths, others: Worths) -> Worths:
    return tuple(one - other for one, other in zip(worths, others, strict=True))


def document(analysis: Analysis, names: Sequence[str]) -> Mapping[str, Any]:
    """Return an analysis as JSON: chances and their changes are shares, from 0 to 1."""
    return {
        "bot": analysis.level,
        "chances": [[(1 + one) / 2 for one in worths] for worths in analysis.worths],
        "luck": [[one / 2 for one in luck] for luck in analysis.luck],
        "players": [
            {"name": name, **_balance_document(analysis.balance(player))}
            for player, name in enumerate(names)
        ],
        "worst": [
            {
                "step": one.first + 1,
                "round": one.round,
                "player": names[one.player],
                "done": one.done,
                "better": one.better,
                "cost": one.cost / 2,
            }
            for one in analysis.worst
        ],
    }


def _balance_document(balance: Balance) -> Mapping[str, float]:
    return {
        "start": (1 + balance.start) / 2,
        "luck": balance.luck / 2,
        "own_choices": balance.own / 2,
        "other_choices": balance.others / 2,
        "end": (1 + balance.end) / 2,
        "given_away": balance.given_away / 2,
        "choices": balance.choices,
    }
