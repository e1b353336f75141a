"""Analysis: a game that was played, judged step by step: the chance to win, and what luck and what choices changed.

The worth of a state to a player is what the game estimates, from -1 to 1; the chance to win is (1 + worth) / 2. Where
chance is to act, it is the mean of the worths that follow, over the exact laws of all rolls up to the next choice (of
as many as lead to no more than `_MOST_CHAINED` states). What a roll changes is luck: the worth after it less that mean,
so nothing in the mean. All else is due to the player who has chosen last. So for each player

    worth at the end = worth at the start + sum of luck + sum of all players' choices

What the estimate did not expect of a longer chain of rolls before the first choice belongs to the start. What is
measured has no law, and counts as choice.

How good a choice was is another question. It has cost what the best plan was worth more than what was done, both judged
by the same bot; see `brickphys.rules.report.judgements`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from string import ascii_lowercase
from typing import Any, Generic, NamedTuple

from brickphys.errors import InvalidValueError
from brickphys.odds.law import RollLaw
from brickphys.rules.game import Game
from brickphys.rules.plans import Level
from brickphys.rules.players.advice import Adviser, points
from brickphys.rules.record import CHANCE, OVER, Action, Ending, Record, State, View
from brickphys.rules.report.judgements import LEAST, Judge, Judgement, Worths, worst
from brickphys.text import signed

_LUCKIEST = 3
"""Rolls of which people are told."""
_MOST_CHAINED = 100
"""States in which a chain of rolls may end; of a longer one, as many rolls are followed as lead to fewer."""
_MOST_ROLLS = 8
"""Rolls that are followed: ties that are rolled again would never end."""


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
        return worst(self.choices)

    @property
    def luckiest(self) -> list[Fortune]:
        """The few rolls that changed most, the greatest change first."""
        telling = (roll for roll in self.rolls if roll.size >= LEAST)
        return sorted(telling, key=lambda roll: -roll.size)[:_LUCKIEST]


class Analyst(Generic[State, Action, View]):
    """Judges games that were played.

    Luck and choices are reckoned by a law of bricks, and by the plans of a bot of some level, with its time for each.
    """

    def __init__(self, game: Game[State, Action, View], brick_law: RollLaw, level: Level) -> None:
        self._game, self._level = game, level
        self._adviser = Adviser(game, brick_law, level)
        self._search = self._adviser.search

    def worth(self, state: State) -> Worths:
        """Return the worth of a state to each player; where chance is to act, the mean over the exact laws."""
        return self._expected(state)[0]

    def _expected(self, state: State, most_rolls: int = _MOST_ROLLS) -> tuple[Worths, int]:
        """Return the mean of the worths after all rolls up to the next choice, and the number of rolls followed."""
        after, rolls = {state: 1.0}, 0
        while rolls < most_rolls and any(map(self._rolls, after)):
            more = self._rolled(after)
            if rolls and len(more) > _MOST_CHAINED:
                break
            after, rolls = more, rolls + 1
        values = [(self._value(one), p) for one, p in after.items()]
        players = range(self._game.players(state))
        return tuple(fsum(p * worths[player] for worths, p in values) for player in players), rolls

    def _rolls(self, state: State) -> bool:
        """Whether something with a law is to be rolled."""
        return self._game.actor(state) == CHANCE and self._game.chance(state).exact

    def _rolled(self, chances: Mapping[State, float]) -> dict[State, float]:
        """Return the states after the next roll of each of some states, with their probabilities."""
        found: dict[State, float] = {}
        for state, chance in chances.items():
            law = self._search.outcomes(self._game.chance(state)) if self._rolls(state) else ()
            after = [(self._search.apply(state, outcome), p) for outcome, p in law]
            for one, p in after or [(state, 1.0)]:
                found[one] = found.get(one, 0.0) + chance * p
        return found

    def analysis(
        self,
        record: Record[State, Action],
        progress: Callable[[int, int], None] = lambda _done, _all: None,
    ) -> Analysis:
        """Return a game as it is judged; InvalidValueError if an event has neither an exact law nor a stand-in.

        `progress` is called with the number of steps that are judged, and of all.
        """
        game, states = self._game, record.states
        expected, ahead = self._expected(record.initial)
        worths, luck, choosers = [expected], list[Worths](), list[int]()
        rolls, chooser = list[Fortune](), CHANCE
        for number, (before, step) in enumerate(zip(states, record.steps, strict=False)):
            got = (0.0,) * game.players(before)
            if step.actor != CHANCE:
                chooser = step.actor
            elif game.chance(before).exact:
                got = _less(self._expected(step.after, ahead - 1)[0], worths[-1])
                told = game.tell(before, step) or game.chance(before).told(step.text)
                rolls.append(Fortune(number, game.rounds(before), told, got))
            goes_on = step.actor == game.actor(step.after) != CHANCE
            is_within = goes_on and not game.settled(step.after)
            expected, ahead = (worths[-1], 0) if is_within else self._expected(step.after)
            worths.append(expected)
            luck.append(got)
            choosers.append(chooser)
        judge = Judge(self._adviser, record, worths, self.worth)
        judged = judge.judgements(progress)
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


def _less(worths: Worths, others: Worths) -> Worths:
    return tuple(one - other for one, other in zip(worths, others, strict=True))


def check_is_open(game: Game[State, Action, View], record: Record[State, Action]) -> None:
    """Raise InvalidValueError if something is hidden in a game that is not over: its analysis would tell it."""
    if record.ending is not Ending.OVER and any(map(game.hidden, record.states)):
        raise InvalidValueError(
            "this game is not over, and the analysis would tell what is hidden in it"
        )


def columns(analysis: Analysis) -> tuple[str, ...]:
    """Return what `rows` tells of each player; what was given away is a judgement, and says whose."""
    parts = ("player", "start", "luck", "own choices", "others' choices", "end")
    return (*parts, f"given away, as {analysis.level} judges")


def caveat(analysis: Analysis) -> str:
    """Return what a judgement that nothing was given away means."""
    return (
        f"0.0 given away: {analysis.level} knows nothing better, since it compares with its own best plans; "
        f"it does not say that the play was perfect, least of all that of {analysis.level} itself"
    )


def rows(analysis: Analysis, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return what has made up the chance to win of each player, in points of 100: four parts that add up to the end."""
    found = list[tuple[str, ...]]()
    for player, name in enumerate(names):
        one = analysis.balance(player)
        changes = (signed(points(part), 1) for part in (one.luck, one.own, one.others))
        start, end = (f"{points(1 + worth):.1f}" for worth in (one.start, one.end))
        found.append((name, start, *changes, end, f"{points(one.given_away):.1f}"))
    return found


class Remark(NamedTuple):
    """One of the worst choices, or of the rolls that changed most, in words."""

    sign: str
    """A number for a choice, a letter for a roll."""
    step: int
    """The number of the state after it."""
    round: int | None
    text: str

    @property
    def is_choice(self) -> bool:
        """Whether it is about a choice."""
        return self.sign.isdecimal()


def remarks(analysis: Analysis, names: Sequence[str]) -> Iterator[Remark]:
    """Yield the worst choices, the worst first, and then the rolls that changed most."""
    for number, one in enumerate(analysis.worst, start=1):
        text = (
            f"{names[one.player]} {signed(-points(one.cost), 1)}: {one.done}; better: {one.better}"
        )
        yield Remark(str(number), one.stop, one.round, text)
    for letter, roll in zip(ascii_lowercase, analysis.luckiest, strict=False):
        player = max(range(len(names)), key=lambda player: roll.luck[player])
        text = f"{names[player]} {signed(points(roll.luck[player]), 1)}: {roll.told}"
        yield Remark(letter, roll.step + 1, roll.round, " ".join(text.split()))


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
