"""Day: weather and card at dawn, two half-days of marching or camp, six watches with misadventures (MF Campaign)."""

from dataclasses import dataclass
from typing import Any

from brickphys.minifig.campaign.chart import Ground
from brickphys.minifig.campaign.date import season
from brickphys.minifig.campaign.deck import after_card, card_draw
from brickphys.minifig.campaign.effects import CardQuestion, begin_trial, rest
from brickphys.minifig.campaign.state import State
from brickphys.minifig.campaign.tables import WATCHES, Watch, tables
from brickphys.minifig.campaign.trials import trials
from brickphys.rules.events.dice import DiceRoll
from brickphys.rules.events.draw import Draw
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import DieRoll, FollowUp, PendingRoll
from brickphys.rules.words import Unconditional

_EVEN = 2


def dawn(state: State) -> State:
    """Return the state in which a day begins; the first one is fine, without a check of the weather."""
    checks = (WeatherCheck(),) if state.day > 1 else ()
    return state.push_pending(*checks, Dawn(), CardDraw())


def following(state: State) -> State | None:
    """Return the state after what comes by itself where nothing is pending; None if the party has a choice."""
    if not state.watch.is_day:
        return state.push_pending(MisadventureRoll())
    if state.delay:
        return Camp().apply(state.replaced({"delay": state.delay - 1}))
    return None


@dataclass(frozen=True, slots=True)
class WeatherCheck(DieRoll[State]):
    """Whether the weather changes: even no, odd yes (MF Campaign, Weather)."""

    what = "weather check"

    def rolled(self, state: State, face: int) -> State:
        """Ask for the new weather if it changes."""
        return state.push_pending(WeatherRoll()) if face % _EVEN else state


@dataclass(frozen=True, slots=True)
class WeatherRoll(DieRoll[State]):
    """The new weather, by the season of the year (MF Campaign, Weather)."""

    def reason(self, state: State) -> str:
        """Return its purpose."""
        return f"weather in {season(state.day).value}"

    def rolled(self, state: State, face: int) -> State:
        """Note it."""
        return state.replaced({"weather": tables().weather[season(state.day)][face - 1]})


@dataclass(frozen=True, slots=True)
class Dawn(FollowUp[State]):
    """What the weather does to the party at dawn (ours)."""

    def happen(self, state: State) -> State:
        """Begin the trial of this weather, if it has one."""
        has_trial = state.weather in trials().dawn
        return begin_trial(state, state.weather.value) if has_trial else state


@dataclass(frozen=True, slots=True)
class CardDraw(PendingRoll[State]):
    """The card of the day (MF Campaign, Tarot of the Day)."""

    def event(self, state: State) -> Draw:
        """Return the draw from the cards that are left."""
        return card_draw(state.drawn, state.arcanum)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Ask what is done about a lower arcanum; the journey that an upper one begins is not in the book."""
        card = str(outcome)
        drawn, arcanum = after_card(state.drawn, state.arcanum, card)
        state = state.replaced({"drawn": drawn, "arcanum": arcanum, "card": card})
        if card not in trials().prompts:
            return state
        answers = trials().prompts[card].answers
        if len(answers) > 1:
            return state.push_pending(CardQuestion())
        (answer,) = answers
        return begin_trial(state, f"{card}: {answer.value}")


@dataclass(frozen=True, slots=True)
class MisadventureRoll(PendingRoll[State]):
    """Two dice with ten faces: a double is a misadventure (MF Campaign, Misadventures)."""

    def event(self, state: State) -> DiceRoll:
        """Return the dice."""
        return DiceRoll(2, 10, f"misadventure in the {state.watch.spoken}")

    def settle(self, state: State, outcome: Outcome) -> State:
        """End the watch, after the trial of a double."""
        face = doubled(outcome)
        if not face:
            return end_of_watch(state)
        return begin_trial(state.push_pending(EndOfWatch()), misadventure_key(state.watch, face))


def doubled(outcome: Any) -> int:
    """Return the face of a double; 0 if two dice do not show the same."""
    one, other = map(int, outcome)
    return one if one == other else 0


def misadventure_key(watch: Watch, face: int) -> str:
    """Return the key of the trial of a double of a face."""
    return f"{'day' if watch.is_day else 'night'}: {face}"


def end_of_watch(state: State) -> State:
    """Return the state in which the next watch or day begins; who is alive after the last day has survived."""
    number = WATCHES.index(state.watch) + 1
    if number < len(WATCHES):
        return state.replaced({"watch": WATCHES[number]})
    if state.day == state.setting.days:
        return state.replaced({"result": 1})
    return dawn(state.replaced({"day": state.day + 1, "watch": Watch.MORNING, "card": ""}))


@dataclass(frozen=True, slots=True)
class EndOfWatch(FollowUp[State]):
    """The end of a watch, after a misadventure."""

    def happen(self, state: State) -> State:
        """Go on."""
        return end_of_watch(state)


@dataclass(frozen=True, slots=True)
class Camp(Unconditional[State]):
    """The party stays for half a day: one wound heals, in a village all (ours)."""

    word = "camp"

    def apply(self, state: State) -> State:
        """Rest."""
        in_village = state.chart.squares[state.place].ground is Ground.VILLAGE
        return rest(state, None if in_village else 1).push_pending(MisadventureRoll())
