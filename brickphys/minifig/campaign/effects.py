"""Effects: brick trials and what they change, and in words what an answer to a card may bring.

The verbs are ours, see `trials`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Annotated, Self

from brickphys.errors import unknown
from brickphys.minifig.campaign import trials
from brickphys.minifig.campaign.state import State
from brickphys.minifig.sheets import charts
from brickphys.rules.events import Draw, Outcome
from brickphys.rules.moves import Move
from brickphys.rules.rolls import BrickRoll
from brickphys.rules.turn_state import Pending, PendingRoll, Question
from brickphys.rules.words import one_of
from brickphys.text import counted, spoken


def begin_trial(state: State, key: str) -> State:
    """Return the state in which a trial is thrown for, or without bricks its effects are to happen."""
    trial = trials.trials().keyed[key]
    if trial.bricks:
        return state.push_pending(TrialRoll(key))
    return state.push_pending(*map(TrialEffect, trial.good))


@dataclass(frozen=True, slots=True)
class TrialRoll(PendingRoll[State]):
    """The bricks of a trial, by its key."""

    key: str

    def problems(self, state: State) -> list[str]:
        known = trials.trials().keyed
        return [] if self.key in known else [str(unknown("trial", self.key, known))]

    def event(self, state: State) -> BrickRoll:
        return BrickRoll(trials.trials().keyed[self.key].bricks, self.key)

    def settle(self, state: State, outcome: Outcome) -> State:
        trial = trials.trials().keyed[self.key]
        return state.push_pending(*map(TrialEffect, trial.good if outcome else trial.bad))


@dataclass(frozen=True, slots=True)
class TrialEffect(trials.Spoil):
    """An effect, such as ``arms sword``."""

    text: str

    def problems(self, state: State) -> list[str]:
        known = {
            text for each in trials.trials().keyed.values() for text in (*each.good, *each.bad)
        }
        return [] if self.text in known else [str(unknown("effect", self.text, known))]

    def happen(self, state: State) -> State:
        verb, _, thing = self.text.partition(" ")
        return _DEEDS[trials.Verb(verb)](state, thing)


def _arm(state: State, arm: str) -> State:
    number = next((n for n, one in enumerate(state.party) if one.can_use(arm)), None)
    if number is None:
        return state
    return state.change_member(number, arms=(*state.party[number].arms, arm))


def _recruit(state: State, who: str) -> State:
    if len(state.party) >= trials.trials().most_figures:
        return state
    taken = {one.name for one in (*state.party, *state.setting.party)}
    name = next(name for n in count(1) if (name := f"{who}_{n}") not in taken)
    recruit = trials.trials().recruits[who].replaced({"name": name})
    return state.replaced({"party": (*state.party, recruit)})


def _mount(state: State, _: str) -> State:
    walks = (not one.horse and charts().kinds[one.kind].hands > 0 for one in state.party)
    number = next((n for n, walker in enumerate(walks) if walker), None)
    return state if number is None else state.change_member(number, horse=True)


def rest(state: State, most: int | None = None) -> State:
    """Return the state in which wounds have healed: all, or those of the first so many who have one."""
    hurt = [number for number, one in enumerate(state.party) if one.is_wounded]
    for number in hurt[:most]:
        state = state.change_member(number, is_wounded=False)
    return state


_DEEDS: Mapping[trials.Verb, Callable[[State, str], State]] = {
    trials.Verb.BATTLE: trials.begin_battle,
    trials.Verb.ARMS: _arm,
    trials.Verb.RECRUIT: _recruit,
    trials.Verb.HORSE: _mount,
    trials.Verb.DELAY: lambda state, n: state.replaced({"delay": state.delay + int(n)}),
    trials.Verb.WOUND: lambda state, _: state.push_pending(WoundDraw()),
    trials.Verb.LOSE: lambda state, _: state.push_pending(LoseDraw()),
    trials.Verb.REST: lambda state, _: rest(state),
}


class MemberDraw(PendingRoll[State]):
    """One of the party is drawn, all from `first` on equally likely."""

    __slots__ = ()

    first = 0
    reason = ""

    def event(self, state: State) -> Draw:
        return Draw.uniform(*(one.name for one in state.party[self.first :]), reason=self.reason)

    def number(self, state: State, outcome: Outcome) -> int:
        """Return the number of the figure of this name."""
        return next(number for number, one in enumerate(state.party) if one.name == outcome)


@dataclass(frozen=True, slots=True)
class WoundDraw(MemberDraw):
    """Who is wounded; a second wound kills."""

    reason = "who is wounded"

    def settle(self, state: State, outcome: Outcome) -> State:
        number = self.number(state, outcome)
        if state.party[number].is_wounded:
            return state.without_member(number)
        return state.change_member(number, is_wounded=True)


@dataclass(frozen=True, slots=True)
class LoseDraw(MemberDraw):
    """Who leaves the party: anybody but the leader."""

    first = 1
    reason = "who leaves"

    def lapses(self, state: State) -> bool:
        return len(state.party) == 1

    def settle(self, state: State, outcome: Outcome) -> State:
        return state.without_member(self.number(state, outcome))


@dataclass(frozen=True, slots=True)
class Choose(Move[State]):
    """What the party does about the card of the day."""

    word = "choose"
    section = "MF Campaign, Tarot of the Day"
    answer: Annotated[
        trials.Answer,
        replace(one_of("answer to the card", trials.Answer), show=lambda one: one.told),
    ]

    @classmethod
    def listed(cls, state: State) -> Iterator[Self]:
        return map(cls, _asked(state).answers)

    def refusals(self, state: State, answer: trials.Answer) -> Iterator[str]:
        answers = _asked(state).answers
        if answer not in answers:
            named = ", ".join(each.value for each in answers)
            yield f"the {state.card} lets the party {named}"

    def result(self, state: State, answer: trials.Answer) -> State:
        return begin_trial(state.pop_pending(), f"{state.card}: {answer.value}")


@dataclass(frozen=True, slots=True)
class CardQuestion(Question[State]):
    """What is done about the card of the day."""

    answers = (Choose,)

    def problems(self, state: State) -> list[str]:
        return [] if state.card in trials.trials().prompts else ["CardQuestion: no card to answer"]

    def player(self, state: State) -> int:
        return 0

    def prompt(self, state: State) -> str:
        return f"{state.card}: {_asked(state).text.removesuffix('.')}"


def _asked(state: State) -> trials.Prompt:
    return trials.trials().prompts[state.card]


def stakes(state: State, choice: Choose) -> str:
    """Return what an answer to the card of the day leads to; of a trial, with bricks on a side and without."""
    trial = trials.trials().prompts[state.card].answers.get(choice.answer)
    if trial is None:
        return ""
    good = _effects_text(state, trial.good)
    if not trial.bricks:
        return good
    bricks = counted(trial.bricks, "brick")
    return f"{bricks}: {good} if any stops on a side, else {_effects_text(state, trial.bad)}"


def _effects_text(state: State, effects: Sequence[str]) -> str:
    """Return effects in words; those after a battle happen if it is won."""
    if not effects:
        return "nothing happens"
    first, *others = (_offer(state, effect) for effect in effects)
    if others and effects[0].startswith(trials.Verb.BATTLE.value):
        return f"{first}, and if it is won {', '.join(others)}"
    return ", ".join([first, *others])


def _offer(state: State, effect: str) -> str:
    """Return an effect in words, and why it changes nothing as the party is now."""
    verb, _, thing = effect.partition(" ")
    why = _VAIN.get(trials.Verb(verb))
    is_vain = why is not None and _DEEDS[trials.Verb(verb)](state, thing) is state
    return f"{effect_text(effect)} (now in vain: {why})" if is_vain else effect_text(effect)


def effect_text(effect: str) -> str:
    """Return an effect in words."""
    verb, _, thing = effect.partition(" ")
    if verb == trials.Verb.DELAY.value:
        return f"{counted(int(thing), 'half-day')} lost"
    met = len(trials.trials().foes.get(thing, ()))
    return _TEXTS[trials.Verb(verb)].format(thing=spoken(thing), met=met)


_TEXTS = {
    trials.Verb.BATTLE: "a battle with the {thing} ({met})",
    trials.Verb.ARMS: "one more {thing}",
    trials.Verb.RECRUIT: "one more {thing} in the party",
    trials.Verb.HORSE: "one more horse",
    trials.Verb.WOUND: "somebody is wounded",
    trials.Verb.LOSE: "somebody leaves the party",
    trials.Verb.REST: "all wounds heal",
}
_VAIN = {
    trials.Verb.ARMS: "nobody can use it",
    trials.Verb.RECRUIT: "the party is full",
    trials.Verb.HORSE: "nobody lacks one",
    trials.Verb.REST: "nobody is wounded",
}
"""Why an effect changes nothing."""


PENDING_TYPES: tuple[type[Pending[State]], ...] = (
    CardQuestion, TrialRoll, TrialEffect, WoundDraw, LoseDraw, trials.Fighting,
)  # fmt: skip
"""What cards, trials and battles leave to be answered."""
