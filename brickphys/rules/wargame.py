"""Wargame: the base class of turn games with scenarios and sheets."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from brickphys.errors import ScenarioFileError, raised_as
from brickphys.rules.names import Names
from brickphys.rules.record import Record, Setup, Step
from brickphys.rules.report.army import ArmyList
from brickphys.rules.report.scenario import ScenarioReport
from brickphys.rules.report.sheets import SheetList
from brickphys.rules.report.trajectories import Trajectories
from brickphys.rules.scenario.scenario import Scenario
from brickphys.rules.scenario.shipped import ShippedScenarios
from brickphys.rules.setup.rule_options import RuleOption
from brickphys.rules.turn_game import S, TurnGame
from brickphys.rules.words import Action

if TYPE_CHECKING:
    from brickphys.geometry.polygon import Point


@dataclass(frozen=True, kw_only=True)
class Reports(Generic[S]):
    """The reports of a game: what the methods of `Wargame` return.

    Attributes
    ----------
    status, step, story, trajectories
        A state as text; a step as sentences; a game that was played, as lines and as ways over the field.
    prompt
        What a turn asks for where nothing is pending.
    shipped, scenario, begin
        The scenarios that ship; one of them, or one in a file; the first state of one, given a name for its faults.
    options
        The options of the rules.
    sheets
        The sheets of a name or a file, or all that ship.
    hints
        On typing actions, a line each.
    names
        The names in play; see `brickphys.rules.report.parts.Parts.names`.
    here, place_of
        Where the unit is that acts; where an action leads.
    army
        An army to print, see `brickphys.rules.report.parts.Parts.army`; None if there are none.
    """

    status: Callable[[S], str]
    step: Callable[[S, Step[S, Action[S]]], str]
    story: Callable[[Record[S, Action[S]]], Iterator[str]]
    trajectories: Callable[[Record[S, Action[S]]], Trajectories[S]]
    prompt: Callable[[S], str]
    shipped: ShippedScenarios
    scenario: Callable[[str], ScenarioReport[S]]
    begin: Callable[[Scenario, str], S]
    options: Callable[[], Sequence[RuleOption]]
    sheets: Callable[[str | None], SheetList]
    hints: Sequence[str]
    names: Callable[[S], Names]
    here: "Callable[[S], Point | None]"
    place_of: "Callable[[S, Action[S]], Point | None]"
    army: Callable[[Sequence[str], str | None], ArmyList] | None = None


class Wargame(TurnGame[S, S]):
    """A turn game with scenarios and sheets. A view is a state, and what is told of steps is the same for all viewers.

    Attributes
    ----------
    reports
        How it tells of states and battles.
    """

    reports: ClassVar[Reports[Any]]

    @property
    def setups(self) -> Mapping[str, Setup]:
        """Small battles to begin with."""
        return self.reports.shipped

    def read_setup(self, path: Path | str) -> Setup:
        """Return the setup of a scenario file; ScenarioFileError tells every fault."""
        with raised_as(ScenarioFileError):
            return super().read_setup(path)

    def parse_setup(self, text: str, name: str) -> Setup:
        """Return the setup in the text of a scenario file; ScenarioFileError tells every fault."""
        scenario = self.reports.shipped.parse(text, name)
        with raised_as(ScenarioFileError):
            self.reports.begin(scenario, name)
        return scenario.setup

    def rule_options(self) -> Sequence[RuleOption]:
        """Return the options of the rules."""
        return self.reports.options()

    def prompt(self, state: S) -> str:
        """Return the question that is pending, or what the turn asks for."""
        return super().prompt(state) if state.pending else self.reports.prompt(state)

    def format_view(self, view: S) -> str:
        """Write the state that is seen."""
        return self.format_state(view)

    def describe(self, view: S) -> str:
        """Write the map, and tables of all that is in play."""
        return self.reports.status(view)

    def hints(self) -> Sequence[str]:
        """Return what is written how."""
        return self.reports.hints

    def names(self, state: S) -> Names:
        """Return the names in play."""
        return self.reports.names(state)

    def here(self, state: S) -> "Point | None":
        """Return where the unit is that acts."""
        return self.reports.here(state)

    def place_of(self, state: S, action: Action[S]) -> "Point | None":
        """Return where an action leads, or whom it is aimed at."""
        return self.reports.place_of(state, action)

    def tell(self, before: S, step: Step[S, Action[S]], viewer: int | None = None) -> str:
        """Return a step as sentences."""
        return self.reports.step(before, step)

    def story(self, record: Record[S, Action[S]], viewer: int | None = None) -> Iterator[str]:
        """Yield the battle as sentences, with every roll and its section of the book."""
        return self.reports.story(record)

    def trajectories(
        self, record: Record[S, Action[S]], viewer: int | None = None
    ) -> Trajectories[S]:
        """Return the battle as ways over the field."""
        return self.reports.trajectories(record)

    def scenarios(self) -> Mapping[str, str]:
        """Return the titles of the scenarios that ship."""
        return self.reports.shipped.titles()

    def scenario(self, source: str) -> ScenarioReport[S]:
        """Return a scenario that ships, or one in a file; ScenarioFileError lists every fault."""
        return self.reports.scenario(source)

    def sheets(self, source: str | None = None) -> SheetList:
        """Return the sheets of a name or a file, or all that ship; an error lists every fault."""
        return self.reports.sheets(source)

    def army(self, words: str | Sequence[str], name: str | None = None) -> ArmyList:
        """Return an army to print, of a setup, or of units with their numbers."""
        if self.reports.army is None:
            return super().army(words, name)
        found = self.reports.army(words.split() if isinstance(words, str) else words, name)
        return replace(found, game=self.name)
