"""Game: Minifig battles, as a game of the contract in `rules`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain

from brickphys.minifig import bot, worth
from brickphys.minifig.conduct import conduct
from brickphys.minifig.odds import CARD_WORDS, ODDS
from brickphys.minifig.plans.dangers import threats
from brickphys.minifig.plans.thinker import MinifigThinker
from brickphys.minifig.prompt import HINTS, forecasts, left_of, purpose, turn_prompt
from brickphys.minifig.scenario import (
    SCENARIOS,
    army_list,
    draw_battle,
    scenario_report,
    sheets,
)
from brickphys.minifig.scene import battle_scene
from brickphys.minifig.sentences import MinifigStep
from brickphys.minifig.setup import begin, first_state, read_roster, roster_text, with_roster
from brickphys.minifig.state import State
from brickphys.minifig.status import battle_status, here, names, place_of
from brickphys.minifig.story import MinifigRecord, step_text, story, trajectories
from brickphys.minifig.turns import (
    ACTION_TYPES,
    CODEC,
    base_faults,
    begin_round,
    following,
    menu_problems,
    state_problems,
    turn_types,
)
from brickphys.odds.answer import OddsCard, odds_card
from brickphys.odds.law import RollLaw
from brickphys.rules.aims import team_returns
from brickphys.rules.game import OpenGame
from brickphys.rules.names import Readings
from brickphys.rules.record import OVER, Setup
from brickphys.rules.report.parts import OddsReport
from brickphys.rules.report.trajectories import Trajectories
from brickphys.rules.turn_game import Wargame
from brickphys.rules.words import Action


class Minifig(Wargame[State], OpenGame[State, Action[State]]):
    """Two to six players and their figures on a table in inches.

    A figure is taken, then what it does is chosen: the kind where there are several, and its details. A complete
    action may be typed at once. Of the places within reach a representative set is listed, and any other may be typed.
    The version ends with a digest of the laws of missiles that ship, so that no replay is read under others.
    """

    name = "minifig"
    version = "1.1.0+laws.ff8ec921eab6f7b2"
    pictures = "brickphys.plots.games.minifig:MinifigPainter"
    models = "brickphys.view.games.minifig:MinifigBuilder"
    lists_all_actions = False
    keeps_rosters = True
    action_types = ACTION_TYPES
    codec = CODEC
    over_problem = "the battle is over"
    chance_problem = "dice or bricks must be rolled first (MF Rules)"
    choice_section = "MF Rules"
    shipped = SCENARIOS
    begin_scenario = staticmethod(begin)
    documents = "brickphys.minifig.documents"
    scenario = staticmethod(scenario_report)
    draw_setup = staticmethod(draw_battle)
    roster = staticmethod(roster_text)
    read_roster = staticmethod(read_roster)
    with_roster = staticmethod(with_roster)
    sheets = staticmethod(sheets)
    army_list = staticmethod(army_list)
    names = staticmethod(names)
    here = staticmethod(here)
    place_of = staticmethod(place_of)
    scene = staticmethod(battle_scene)
    threats = staticmethod(threats)
    conduct = staticmethod(conduct)
    turn_prompt = staticmethod(turn_prompt)
    turn_types = staticmethod(turn_types)
    following = staticmethod(following)
    purpose = staticmethod(purpose)
    forecasts = staticmethod(forecasts)
    hand_estimate = staticmethod(bot.estimate)
    estimate = staticmethod(worth.estimate)
    state_problems = staticmethod(state_problems)
    shrinking = staticmethod(left_of)
    describe = staticmethod(battle_status)

    def hints(self) -> Sequence[str]:
        return HINTS

    def tell(self, before: State, step: MinifigStep, viewer: int | None = None) -> str:
        return step_text(before, step)

    def story(self, record: MinifigRecord, viewer: int | None = None) -> Iterator[str]:
        return story(record)

    def trajectories(self, record: MinifigRecord, viewer: int | None = None) -> Trajectories[State]:
        return trajectories(record)

    def begin(self, setup: Setup) -> State:
        """Return the state before the first roll for the order of the players."""
        return begin_round(first_state(setup))

    def turn_player(self, state: State) -> int:
        if state.winners is not None:
            return OVER
        return state.player if state.turn < len(state.order) else 0

    def problems(self, state: State, action: Action[State]) -> list[str]:
        """Return every reason why an action is illegal; after a kind is chosen, one of another kind may be typed."""
        if state.menu and action.word != state.menu:
            state = state.replaced({"menu": ""})
        return super().problems(state, action)

    def readings(self, state: State, text: str) -> Readings:
        """Return what words of a person may mean; after a type is chosen, one of another type may be typed."""
        return super().readings(state.replaced({"menu": ""}) if state.menu else state, text)

    def wait_problems(self, state: State) -> Iterator[str]:
        return chain(super().wait_problems(state), menu_problems(state))

    def returns(self, state: State) -> tuple[int, ...]:
        return team_returns(state.setting.teams, state.winners or ())

    def settled(self, state: State) -> bool:
        """Whether no action lacks its details; the estimate reckons with what is still to be rolled."""
        return not state.menu

    def thinker(self, brick_law: RollLaw) -> MinifigThinker:
        return MinifigThinker(brick_law)

    def rounds(self, state: State) -> int:
        return state.round

    def conserved(self, state: State) -> Mapping[str, object]:
        return {
            "figures": len(state.figures),
            "things": len(state.things),
            "items": sum((item.holder is None) != (item.at_in is None) for item in state.items),
        }

    def invariant_problems(self, state: State) -> Iterator[str]:
        return (f"{name}: {fault}" for name, fault in base_faults(state))

    def odds_tables(self) -> Mapping[str, Callable[..., OddsReport]]:
        return ODDS

    def odds_card(self, law: RollLaw, law_name: str) -> OddsCard:
        """Return the card of hand-to-hand by a law of bricks; nobody loses a part of a life (MF Resolving Combat)."""
        return odds_card(law, law_name, CARD_WORDS)
