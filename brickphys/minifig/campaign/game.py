"""Game: the quest campaign for one player, as a game of the contract in `rules`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from brickphys.errors import unknown
from brickphys.geometry.polygon import Point
from brickphys.minifig.campaign import report
from brickphys.minifig.campaign.day import Camp, dawn, following
from brickphys.minifig.campaign.effects import Choose, MemberDraw, TrialRoll
from brickphys.minifig.campaign.episodes import current_episode, episodes
from brickphys.minifig.campaign.evaluation import estimate
from brickphys.minifig.campaign.fight import battles, fought
from brickphys.minifig.campaign.notation import CODEC, state_problems
from brickphys.minifig.campaign.scenario_report import scenario_report, titles
from brickphys.minifig.campaign.setup import first_state, shipped
from brickphys.minifig.campaign.stakes import stakes
from brickphys.minifig.campaign.state import State
from brickphys.minifig.campaign.travel import March, SpeedRoll
from brickphys.minifig.campaign.ways import trajectories
from brickphys.odds.law import RollLaw
from brickphys.rules.events.event import ChanceEvent, Outcome
from brickphys.rules.forecast import Forecast
from brickphys.rules.game import OpenGame
from brickphys.rules.names import Names
from brickphys.rules.readings import Readings
from brickphys.rules.record import OVER, Record, Setup, Step
from brickphys.rules.report.episode import Episode
from brickphys.rules.report.scenario import ScenarioReport
from brickphys.rules.report.trajectories import Trajectories
from brickphys.rules.turn_game import TurnGame
from brickphys.rules.words import Action, ActionTypes

_TURN: ActionTypes = (March, Camp)
_FARTHEST_TENTHS = 280
"""The longest march of half a day."""
_LAKE = 8
_BYTES_A_SQUARE = 16
"""The text of a square of some hundred columns and rows."""


class Campaign(TurnGame[State, State], OpenGame[State, Action[Any]]):
    """A party's quest for a number of days. Battles are part of it; the foes play by a fixed policy."""

    name = "campaign"
    round_word = "Day"
    version = "1.1.0"
    pictures = "brickphys.plots.minifig.campaign_map:CampaignPainter"
    models = "brickphys.view.minifig.campaign_map:CampaignBuilder"
    setups = shipped()
    lists_all_actions = False
    action_types = (*_TURN, Choose)
    codec = CODEC
    over_problem = "the campaign is over"
    chance_problem = "dice must be rolled, bricks thrown or cards drawn first (MF Campaign)"
    choice_section = "MF Campaign"

    def begin(self, setup: Setup) -> State:
        """Return the state before the first card."""
        return self.proceed(dawn(first_state(setup)))

    def turn_player(self, state: State) -> int:
        """Return the only player, or `OVER`."""
        return OVER if state.result is not None else 0

    def turn_types(self, state: State) -> ActionTypes:
        """Return marches and camp."""
        return _TURN

    def following(self, state: State) -> State | None:
        """Return what comes by itself: the watches of the night, and half-days in camp."""
        return following(state)

    def actions(self, state: State) -> Sequence[Action[Any]]:
        """Return the legal actions: in a battle those of the battle."""
        return super().actions(state) if state.battle is None else battles().actions(state.battle)

    def problems(self, state: State, action: Action[Any]) -> list[str]:
        """Return every reason why an action is illegal: in a battle those of the battle."""
        if state.battle is None:
            return super().problems(state, action)
        return battles().problems(state.battle, action)

    def first_choice(self, state: State) -> str:
        """Return who must be chosen first: in a battle, in the battle."""
        if state.battle is None:
            return super().first_choice(state)
        return battles().first_choice(state.battle)

    def only_action(self, state: State) -> Action[Any] | None:
        """Return the only legal action: in a battle that of the battle."""
        if state.battle is None:
            return super().only_action(state)
        return battles().only_action(state.battle)

    def chance(self, state: State) -> ChanceEvent:
        """Return the chance event, of a battle if one goes on."""
        return super().chance(state) if state.battle is None else battles().chance(state.battle)

    def apply(self, state: State, move: Action[Any] | Outcome) -> State:
        """Return the state after an action or an outcome, and after all that follows by itself."""
        if state.battle is None:
            return super().apply(state, move)
        return self.proceed(fought(state, move))

    def parse_action(self, text: str) -> Action[Any]:
        """Read an action of the campaign or of its battles."""
        if text.split(" ")[0] in self._types_by_word:
            return super().parse_action(text)
        return battles().parse_action(text)

    def readings(self, state: State, text: str) -> Readings:
        """Return the actions that words of a person may mean, in the campaign or in its battles."""
        if state.battle is None:
            return super().readings(state, text)
        return battles().readings(state.battle, text)

    def names(self, state: State) -> Names:
        """Return the names of the party, and of all that is in a battle."""
        return report.names(state)

    def here(self, state: State) -> Point | None:
        """Return where the party is, or who acts in a battle."""
        return report.here(state)

    def place_of(self, state: State, action: Action[Any]) -> Point | None:
        """Return where a march or an action of a battle leads."""
        return report.place_of(state, action)

    def settled(self, state: State) -> bool:
        """Whether the last choice is complete: of a march, what it finds is judged without its dice."""
        if state.battle is not None:
            return battles().settled(state.battle)
        return not isinstance(state.first_pending, TrialRoll | MemberDraw | SpeedRoll)

    def estimate(self, state: State) -> tuple[float, ...]:
        """Return how likely the party seems to survive; see `evaluation`."""
        return (estimate(state),)

    def returns(self, state: State) -> tuple[int, ...]:
        """Return 1 if the leader has survived all days, -1 if not."""
        assert state.result is not None
        return (state.result,)

    def prompt(self, state: State) -> str:
        """Return the question that is pending, or what is to be done in this half-day."""
        return (
            super().prompt(state) if state.pending else f"{report.headline(state)}. March or camp"
        )

    def purpose(self, state: State, action: Action[Any]) -> str:
        """Return what an answer to a card may bring, or what an action is for in a battle."""
        if state.battle is not None:
            return battles().purpose(state.battle, action)
        return stakes(state, action) if isinstance(action, Choose) else ""

    def forecasts(
        self, state: State, action: Action[Any], brick_law: RollLaw
    ) -> Sequence[Forecast] | None:
        """Return the odds of an action of a battle; None for others."""
        if state.battle is None:
            return None
        return battles().forecasts(state.battle, action, brick_law)

    def waste(self, state: State, action: Action[Any]) -> str:
        """Return why an action of a battle would be wasted; empty for others."""
        return "" if state.battle is None else battles().waste(state.battle, action)

    def rounds(self, state: State) -> int:
        """Return the day."""
        return state.day

    def most_text(self, initial: State) -> int:
        """Return a bound on the bytes of a state: squares that a party can find, and a battle."""
        setting = initial.setting
        side = min(setting.length_tenths, setting.width_tenths)
        squares = (2 * setting.days + 1) * (_FARTHEST_TENTHS // side + 1 + _LAKE)
        return 50_000 + _BYTES_A_SQUARE * squares

    def describe(self, view: State) -> str:
        """Write the map and the party, or a battle that goes on."""
        return report.campaign_status(view)

    def hints(self) -> Sequence[str]:
        """Return what is written how."""
        return (
            "march north (or east, south, west) marches for half a day; miles left over count if the next "
            "march goes the same way",
            "camp rests for half a day: one wound heals, or all wounds in a village; choose ANSWER answers the card of "
            "the day",
            "in a battle:",
            *battles().hints(),
        )

    def tell(self, before: State, step: Step[State, Action[Any]], viewer: int | None = None) -> str:
        """Return a step as a line."""
        return report.step_text(before, step)

    def story(self, record: Record[State, Action[Any]], viewer: int | None = None) -> Iterator[str]:
        """Yield the diary: a line for each day."""
        return report.diary(record)

    def trajectories(
        self, record: Record[State, Action[Any]], viewer: int | None = None
    ) -> Trajectories[Any]:
        """Return the party's way over the known land."""
        return trajectories(record)

    def episodes(self, record: Record[State, Action[Any]]) -> Sequence[Episode]:
        """Return the battles of a campaign that was played."""
        return tuple(episodes(record))

    def current_episode(self, record: Record[State, Action[Any]]) -> Episode | None:
        """Return the battle that goes on."""
        return current_episode(record)

    def state_problems(self, state: State) -> Iterator[str]:
        """Yield what can be in no state of a campaign."""
        return state_problems(state)

    def scenarios(self) -> Mapping[str, str]:
        """Return the titles of the campaigns that ship."""
        return titles()

    def scenario(self, source: str) -> ScenarioReport[State]:
        """Return a campaign that ships."""
        if source not in self.setups:
            raise unknown("campaign", source, self.setups)
        return scenario_report(source, self.setups[source])

    def shrinking(self, state: State) -> Mapping[str, int]:
        """Return how many days are left, and how many squares are not known, of more than there can be."""
        return {
            "days": state.setting.days - state.day,
            "unknown squares": -len(state.chart.squares),
            "upper arcana": -state.arcanum,
        }
