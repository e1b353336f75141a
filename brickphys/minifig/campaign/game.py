"""Game: the quest campaign for one player, as a game of the contract in `rules`.

Here are also the campaigns that ship, where one begins, its report for the command `scenario`, and its notation: one
line of text, with the text of a battle within it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from brickphys.errors import InvalidValueError, refuse, unknown
from brickphys.minifig.campaign import story, worth
from brickphys.minifig.campaign.days import (
    PENDING_TYPES,
    Camp,
    FindRoll,
    March,
    RestOfMarch,
    SpeedRoll,
    dawn,
    following,
)
from brickphys.minifig.campaign.effects import Choose, MemberDraw, TrialEffect, TrialRoll, stakes
from brickphys.minifig.campaign.state import (
    LAST_ARCANUM,
    MILE,
    START,
    Chart,
    Member,
    Setting,
    Square,
    SquareGround,
    State,
    data,
    parse_chart,
    tables,
)
from brickphys.minifig.campaign.story import current_episode, episodes, map_text, trajectories
from brickphys.minifig.campaign.trials import (
    Fighting,
    battle_setup,
    battles,
    check_party,
    fought,
    trials,
)
from brickphys.minifig.plans.thinker import MinifigThinker
from brickphys.odds.law import RollLaw
from brickphys.rules.codes import ActionCodes, named
from brickphys.rules.events import ChanceEvent, Outcome
from brickphys.rules.game import OpenGame
from brickphys.rules.names import Readings
from brickphys.rules.notation import FieldForm, StateCodec
from brickphys.rules.plans import Effort, Plan
from brickphys.rules.record import (
    OVER,
    Episode,
    Forecast,
    GameSetting,
    Record,
    Setup,
    Step,
    setup_digest,
)
from brickphys.rules.report.sheets import ArmyTotal
from brickphys.rules.report.trajectories import Trajectories
from brickphys.rules.scenario import ScenarioReport
from brickphys.rules.turn_game import TurnGame
from brickphys.rules.words import Action, ActionTypes
from brickphys.text import counted, spoken


def first_state(setup: Mapping[str, Any]) -> State:
    """Return the state before the first card: a dry morning on open land, all sides of it unknown.

    InvalidValueError with every fault of form, or if there is none, of meaning: of a party that no battle could have.
    """
    from brickphys.minifig.documents import CampaignDocument
    from brickphys.schema import validated

    document = validated(CampaignDocument, dict(setup), "setup")
    party = tuple(
        Member(one.name, one.kind, tuple(one.arms), one.horse, one.experience)
        for one in document.party
    )
    setting = Setting(
        digest=setup_digest(setup),
        players=(party[0].name,),
        days=document.days,
        length_tenths=round(document.square.length * MILE),
        width_tenths=round(document.square.width * MILE),
        party=party,
    )
    state = State(setting=setting, chart=Chart({START: Square(SquareGround.OPEN)}), party=party)
    check_party(state)
    return state


def shipped() -> dict[str, Setup]:
    """Return the setups of the campaigns that ship, by name."""
    found = data("setups")
    common = {"square": found["square"], "party": found["party"]}
    return {name: {"days": days, **common} for name, days in found["days"].items()}


_INTRODUCTION = (
    "A party marches through unknown land. Each day has a card, weather and a march; on the way there are "
    "misadventures, and battles with foes."
)


def titles() -> dict[str, str]:
    """Return the titles of the campaigns that ship."""
    return {name: f"A quest of {setup['days']} days" for name, setup in shipped().items()}


def scenario_report(source: str) -> ScenarioReport[Any]:
    """Return a campaign that ships, by name; its pictures are of the known land."""
    if source not in (setups := shipped()):
        raise unknown("campaign", source, setups)
    setup = setups[source]
    state = first_state(setup)
    leader, days = spoken(state.setting.party[0].name), counted(state.setting.days, "day")
    kinds = Counter(f"{member.kind}s" for member in state.party)
    return ScenarioReport(
        title=titles()[source],
        text=_INTRODUCTION,
        map=map_text(state),
        armies=(ArmyTotal(leader, kinds),),
        aims=(
            f"{leader} wins if he is alive after {days}.",
            f"The campaign is lost as soon as {leader} is dead or gone.",
        ),
        areas=(),
        setup=setup,
        state=story.KnownLand(state, *state.chart.grids),
    )


class CampaignThinker:
    """Plans within battles, as `MinifigThinker`; bots search marches, camps and answers one by one."""

    def __init__(self, brick_law: RollLaw) -> None:
        self._in_battle = MinifigThinker(brick_law)

    def is_open(self, state: State) -> bool:
        """Whether plans may begin in the battle."""
        return state.battle is not None and self._in_battle.is_open(state.battle)

    def plans(self, state: State, effort: Effort) -> Sequence[Plan[Action[Any]]]:
        """Return the plans in the battle."""
        assert state.battle is not None
        return self._in_battle.plans(state.battle, effort)


class CampaignCodec(StateCodec[State]):
    """Writes and reads campaigns: the text of a battle names only what has changed in it since it began."""

    def parse(self, text: str, setting_of: Callable[[str], GameSetting]) -> State:
        """Read a campaign, and the battle within it; see `StateCodec.parse`."""
        state = super().parse(text, setting_of)
        refuse("state", list(state_problems(state)))
        if state.battle is None:
            return state
        battles().initial(battle_setup(state, state.foes))
        return state.replaced({"battle": battles().parse_state(str(state.battle))})


def _written(_: Any, battle: Any) -> Any:
    """Return the text of a battle; of one that was read and not looked at yet, this is the battle itself."""
    return battle if battle is None or isinstance(battle, str) else battles().format_state(battle)


def _read(_: Any, raw: Any) -> Any:
    if raw is not None and not isinstance(raw, str):
        raise InvalidValueError("battle: no text of a battle")
    return raw


def _chart(_: Any, raw: Any) -> Any:
    if not isinstance(raw, str):
        raise InvalidValueError("chart: no text of a chart")
    return parse_chart(raw)


CODEC = CampaignCodec(
    State,
    PENDING_TYPES,
    names={TrialEffect: "Effect", RestOfMarch: "Way"},
    forms={
        "chart": FieldForm(lambda _, chart: chart.text, _chart),
        "battle": FieldForm(_written, _read),
    },
)


def state_problems(state: State) -> Iterator[str]:
    """Yield what can be in no state of a campaign."""
    if not 1 <= state.day <= state.setting.days:
        yield f"day: {state.day} of {state.setting.days}"
    if state.result == 0:
        yield "result: a campaign is won or lost, not drawn"
    book = tables()
    if not state.drawn <= {*book.lower}:
        yield "drawn: not all are cards of the lower arcana"
    if state.arcanum > LAST_ARCANUM:
        yield f"arcanum: {state.arcanum}, but there are only {LAST_ARCANUM}"
    if state.card and state.card not in (*book.lower, *book.arcana):
        yield f"card: {state.card!r} is not a card of the day"
    is_known = state.place in state.chart.squares and state.chart.is_open(state.place)
    if not (is_known or isinstance(state.first_pending, FindRoll)):
        yield f"place: {state.place} is not a square where the party can be"
    if state.leader_lives:
        try:
            check_party(state)
        except InvalidValueError as error:
            yield str(error)
    elif state.result != -1:
        yield "party: the leader is missing"
    if (state.battle is None) != (state.foes not in trials().foes):
        yield f"foes: {state.foes!r} do not match the battle"
    if (state.battle is not None) != isinstance(state.first_pending, Fighting):
        yield "battle: it is not what goes on"


_TURN_TYPES: ActionTypes = (March, Camp)
_FARTHEST_TENTHS = 280
"""The longest march of half a day."""
_LAKE_SQUARES = 8
_BYTES_A_SQUARE = 16
"""The text of a square of some hundred columns and rows."""


class Campaign(TurnGame[State, State], OpenGame[State, Action[Any]]):
    """A party's quest for a number of days. Battles are part of it; the foes play by a fixed policy."""

    name = "campaign"
    round_word = "Day"
    version = "1.1.0"
    pictures = "brickphys.plots.games.minifig:CampaignPainter"
    models = "brickphys.view.games.minifig:CampaignBuilder"
    setups = shipped()
    lists_all_actions = False
    action_types = (*_TURN_TYPES, Choose)
    codec = CODEC
    over_problem = "the campaign is over"
    chance_problem = "dice must be rolled, bricks thrown or cards drawn first (MF Campaign)"
    choice_section = "MF Campaign"
    following = staticmethod(following)
    names = staticmethod(story.names)
    here = staticmethod(story.here)
    place_of = staticmethod(story.place_of)
    place_name = staticmethod(story.place_name)
    describe = staticmethod(story.campaign_status)
    current_episode = staticmethod(current_episode)
    state_problems = staticmethod(state_problems)
    scenarios = staticmethod(titles)
    scenario = staticmethod(scenario_report)

    def begin(self, setup: Setup) -> State:
        return self.proceed(dawn(first_state(setup)))

    def turn_player(self, state: State) -> int:
        return OVER if state.result is not None else 0

    def turn_types(self, state: State) -> ActionTypes:
        return _TURN_TYPES

    def actions(self, state: State) -> Sequence[Action[Any]]:
        return battles().actions(state.battle) if state.battle else super().actions(state)

    def problems(self, state: State, action: Action[Any]) -> list[str]:
        if state.battle is None:
            return super().problems(state, action)
        return battles().problems(state.battle, action)

    def first_choice(self, state: State) -> str:
        return battles().first_choice(state.battle) if state.battle else super().first_choice(state)

    def only_action(self, state: State) -> Action[Any] | None:
        return battles().only_action(state.battle) if state.battle else super().only_action(state)

    def chance(self, state: State) -> ChanceEvent:
        return battles().chance(state.battle) if state.battle else super().chance(state)

    def apply(self, state: State, move: Action[Any] | Outcome) -> State:
        if state.battle is None:
            return super().apply(state, move)
        return self.proceed(fought(state, move))

    def parse_action(self, text: str) -> Action[Any]:
        if text.split(" ")[0] in self._types_by_word:
            return super().parse_action(text)
        return battles().parse_action(text)

    def action_codes(self, state: State) -> ActionCodes:
        """Return the codes of the campaign and, behind them, of its battles, with the names in the one that goes on."""
        setting: GameSetting = state.battle.setting if state.battle else state.setting
        if setting not in self._action_codes:
            types = (*self.action_types, *battles().action_types)
            self._action_codes[setting] = ActionCodes(types, frozenset(named(setting)))
        return self._action_codes[setting]

    def readings(self, state: State, text: str) -> Readings:
        if state.battle is None:
            return super().readings(state, text)
        return battles().readings(state.battle, text)

    def settled(self, state: State) -> bool:
        """Whether the last choice is complete: of a march, what it finds is judged without its dice."""
        if state.battle is not None:
            return battles().settled(state.battle)
        return not isinstance(state.first_pending, TrialRoll | MemberDraw | SpeedRoll)

    def estimate(self, state: State) -> tuple[float, ...]:
        """Return how likely the party seems to survive; see `brickphys.minifig.campaign.worth`."""
        return (worth.estimate(state),)

    def hand_estimate(self, state: State) -> tuple[float, ...]:
        return (worth.hand_estimate(state),)

    def thinker(self, brick_law: RollLaw) -> CampaignThinker:
        return CampaignThinker(brick_law)

    def returns(self, state: State) -> tuple[int, ...]:
        assert state.result is not None
        return (state.result,)

    def prompt(self, state: State) -> str:
        """Return the question that is pending, or what is to be done in this half-day."""
        return super().prompt(state) if state.pending else f"{story.headline(state)}. March or camp"

    def purpose(self, state: State, action: Action[Any]) -> str:
        """Return what an answer to a card may bring, or what an action is for in a battle."""
        if state.battle is not None:
            return battles().purpose(state.battle, action)
        return stakes(state, action) if isinstance(action, Choose) else ""

    def forecasts(
        self, state: State, action: Action[Any], brick_law: RollLaw
    ) -> Sequence[Forecast] | None:
        return battles().forecasts(state.battle, action, brick_law) if state.battle else None

    def waste(self, state: State, action: Action[Any]) -> str:
        return battles().waste(state.battle, action) if state.battle else ""

    def rounds(self, state: State) -> int:
        return state.day

    def most_text(self, initial: State) -> int:
        """Return a bound on the bytes of a state: squares that a party can find, and a battle."""
        setting = initial.setting
        side = min(setting.length_tenths, setting.width_tenths)
        squares = (2 * setting.days + 1) * (_FARTHEST_TENTHS // side + 1 + _LAKE_SQUARES)
        return 50_000 + _BYTES_A_SQUARE * squares

    def hints(self) -> Sequence[str]:
        return (
            "march north (or east, south, west) marches for half a day; miles left over count if the next "
            "march goes the same way",
            "camp rests for half a day: one wound heals, or all wounds in a village; choose ANSWER answers the card of "
            "the day",
            "in a battle:",
            *battles().hints(),
        )

    def tell(self, before: State, step: Step[State, Action[Any]], viewer: int | None = None) -> str:
        return story.step_text(before, step)

    def story(self, record: Record[State, Action[Any]], viewer: int | None = None) -> Iterator[str]:
        return story.diary(record)

    def trajectories(
        self, record: Record[State, Action[Any]], viewer: int | None = None
    ) -> Trajectories[Any]:
        return trajectories(record)

    def episodes(self, record: Record[State, Action[Any]]) -> Sequence[Episode]:
        return tuple(episodes(record))

    def shrinking(self, state: State) -> Mapping[str, int]:
        return {
            "days": state.setting.days - state.day,
            "unknown squares": -len(state.chart.squares),
            "upper arcana": -state.arcanum,
        }
