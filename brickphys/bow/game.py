"""Game: BOW, the Bricks Only Wargame 1.3, as a game of the contract in `rules`."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brickphys.bow import evaluation
from brickphys.bow.actions.objects import Flying
from brickphys.bow.actions.words import TurnAction
from brickphys.bow.notation import format_state, parse_state
from brickphys.bow.report.status_text import situation_text
from brickphys.bow.report.story import step_text, story
from brickphys.bow.setup.random_armies import draw_battle
from brickphys.bow.setup.scenario_check import begin
from brickphys.bow.setup.scenario_file import SCENARIOS, read_scenario
from brickphys.bow.setup.setup import first_state
from brickphys.bow.state.setting import Setting
from brickphys.bow.state.state import NOBODY, State
from brickphys.bow.turns.action_types import TYPES_BY_WORD, allowed_types, asked_types
from brickphys.bow.turns.rounds import proceed
from brickphys.errors import InvalidValueError
from brickphys.rules.events.event import ChanceEvent, Outcome
from brickphys.rules.game import OpenGame
from brickphys.rules.pending import PendingRoll, Question
from brickphys.rules.record import CHANCE, OVER, Record, Setup, Step
from brickphys.rules.words import Action, parse_action

if TYPE_CHECKING:
    import numpy as np

_HINTS = (
    "to turn on the spot, walk to the stud on which the unit stands, then face any side: it takes one action",
    "studs are COLUMN,ROW from the lower left; facings are e ne n nw w sw s se; north is up",
    "marks are how a table remembers who was played: a unit gets one at the end of its turn in odd rounds, and loses "
    "it in even ones; here 'played' behind a unit says the same, and nothing else depends on marks (BOW 2.2)",
    "odds of attacks are told once a unit is chosen, or with: odds unit NAME",
)


class Bow(OpenGame[State, Action[State]]):
    """Two to six players, their minifigs and vehicles, on a field of studs.

    A turn is chosen step by step: the unit; the kind of action; its details; after a walk the facing. Whoever knows
    what he wants may leave out the kind: it is only listed to keep lists short. Turns of vehicles may have any angle;
    a representative set is listed.
    """

    name = "bow"
    version = "1.3.2"
    lists_all_actions = False

    def __init__(self) -> None:
        self._settings: dict[str, Setting] = {}

    @property
    def setups(self) -> Mapping[str, Setup]:
        """Small battles to begin with."""
        return SCENARIOS

    def read_setup(self, path: Path | str) -> Setup:
        """Return the setup of a scenario file (see ``docs/scenarios.md``); ScenarioFileError tells every fault."""
        scenario = read_scenario(path)
        begin(scenario, str(path))
        return scenario.setup

    def draw_setup(
        self, options: Mapping[str, Any], rng: "np.random.Generator"
    ) -> tuple[str, Setup]:
        """Return a battle of two armies drawn from the catalogue; see `draw_battle`."""
        return draw_battle(options, rng)

    def initial(self, setup: Setup) -> State:
        """Return the state before the roll for the start; InvalidValueError names every fault of the setup."""
        state = first_state(setup)
        known = self._settings.setdefault(state.setting.digest, state.setting)
        return state.changed(setting=known)

    def players(self, state: State) -> int:
        """Return how many players there are."""
        return len(state.setting.players)

    def actor(self, state: State) -> int:
        """Return who is to act: whose turn it is, or who must answer something."""
        if state.pending:
            first = state.pending[0]
            return first.player(state) if isinstance(first, Question) else CHANCE
        return state.player if state.result is None else OVER

    def actions(self, state: State) -> Sequence[Action[State]]:
        """Return the legal actions in the order of the table of kinds."""
        if self.actor(state) < 0:
            return ()
        return [action for kind in asked_types(state) for action in kind.legal(state)]

    def problems(self, state: State, action: Action[State]) -> list[str]:
        """Return every condition that fails, with its section of the book."""
        actor = self.actor(state)
        if actor < 0:
            return [
                "the battle is over" if actor == OVER else "bricks are to be rolled first (BOW 2.1)"
            ]
        if type(action) not in allowed_types(state):
            possible = (kind.word for kind in asked_types(state) if kind.is_possible(state))
            words = ", ".join(map(repr, possible))
            return [f"{action.word!r} where {words} can be chosen (BOW 2.2)"]
        return [*_budget_problems(state, action), *action.problems(state)]

    def chance(self, state: State) -> ChanceEvent:
        """Return what is to be rolled."""
        if self.actor(state) != CHANCE:
            raise InvalidValueError("nothing is to be rolled")
        roll = state.pending[0]
        assert isinstance(roll, PendingRoll)
        return roll.event(state)

    def apply(self, state: State, move: Action[State] | Outcome) -> State:
        """Return the state after an action or a roll, and after all that follows by itself."""
        if not isinstance(move, Action):
            roll = state.pending[0]
            assert isinstance(roll, PendingRoll)
            return proceed(roll.settle(state.pop_pending(), move))
        if isinstance(move, TurnAction):
            left = state.actions_left - move.cost(state)
            state = state.changed(actions_left=left, menu="")
        return proceed(move.apply(state))

    def returns(self, state: State) -> tuple[int, ...]:
        """Return 1 for each player of the team that has won, -1 for the others, 0 for a draw."""
        teams = state.setting.teams
        if state.result == NOBODY:
            return (0,) * len(teams)
        return tuple(1 if team == state.result else -1 for team in teams)

    def estimate(self, state: State) -> tuple[float, ...]:
        """Return what the battle seems worth to each player; see `evaluation`."""
        return evaluation.estimate(state)

    def settled(self, state: State) -> bool:
        """Whether no action lacks its details, and nothing is to be rolled or answered."""
        return not (state.menu or state.pending)

    def conserved(self, state: State) -> Mapping[str, object]:
        """Return the names of all units and vehicles, dead or alive, and of all objects."""
        return {
            "units": tuple(unit.name for unit in state.setting.units),
            "vehicles": tuple(vehicle.name for vehicle in state.setting.vehicles),
            "objects": tuple(sorted(all_objects(state))),
        }

    def shrinking(self, state: State) -> Mapping[str, int]:
        """Return how many units and vehicles are in play."""
        return {
            "units in play": sum(1 for _ in state.in_play()),
            "vehicles in play": len(state.vehicles_left),
        }

    def format_state(self, state: State) -> str:
        """Write a state as one line of JSON; it names its setup by a digest."""
        return format_state(state)

    def parse_state(self, text: str) -> State:
        """Read a state of a setup that this game has started, or that ships with it."""
        return parse_state(text, self._setting)

    def format_action(self, action: Action[State]) -> str:
        """Write an action as words."""
        return action.text()

    def parse_action(self, text: str) -> Action[State]:
        """Read an action."""
        return parse_action(TYPES_BY_WORD, text)

    def player_name(self, state: State, player: int) -> str:
        """Return the player's name in the setup."""
        return state.setting.players[player]

    def rounds(self, state: State) -> int:
        """Return the round; 0 while the players roll for the start."""
        return state.round

    def describe(self, view: State) -> str:
        """Write the map and all who are in play."""
        return situation_text(view)

    def hints(self) -> Sequence[str]:
        """Return how some things are done that have no word of their own."""
        return _HINTS

    def tell(
        self,
        before: State,
        step: Step[State, Action[State]],
        viewer: int | None = None,  # noqa: ARG002 - nothing is hidden
    ) -> str:
        """Return a step as a sentence."""
        return step_text(before, step)

    def story(
        self,
        record: Record[State, Action[State]],
        viewer: int | None = None,  # noqa: ARG002
    ) -> Iterator[str]:
        """Yield the battle as sentences: turn by turn, with every roll and its section of the book."""
        return story(record)

    def _setting(self, digest: str) -> Setting:
        if digest not in self._settings:
            for setup in self._shipped:
                self._settings.setdefault(setup.digest, setup)
        if digest not in self._settings:
            raise InvalidValueError(f"setup {digest!r}: no battle with it has been started")
        return self._settings[digest]

    @cached_property
    def _shipped(self) -> tuple[Setting, ...]:
        return tuple(first_state(setup).setting for setup in SCENARIOS.values())


def all_objects(state: State) -> Iterator[str]:
    """Yield the name of every object: lying, in the air, and what all units have, also those that have left."""
    yield from (name for _, name in state.objects)
    yield from (flying.item for flying in state.pending if isinstance(flying, Flying))
    for figure in state.units:
        yield from (item.name for _, item in figure.sheet.gear.items())


def _budget_problems(state: State, action: Action[State]) -> Iterator[str]:
    """Yield why the Action Budget does not allow an action, or another kind was chosen (BOW 2.2)."""
    if not isinstance(action, TurnAction):
        return
    cost = action.cost(state)
    if cost > state.actions_left:
        yield f"{action.word} takes {cost} actions, {state.actions_left} are left (BOW 2.2)"
    if state.menu and action.word != state.menu:
        yield f"{state.menu!r} was chosen, not {action.word!r} (BOW 2.2)"
