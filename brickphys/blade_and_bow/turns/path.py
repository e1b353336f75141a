"""Path: the die for the goat path of Thermopylae (BB 14.2, special rule 3)."""

from dataclasses import dataclass

from brickphys.blade_and_bow.sheets.charts import FACES
from brickphys.blade_and_bow.state.state import State
from brickphys.rules.events.dice import Tally
from brickphys.rules.events.event import Outcome
from brickphys.rules.pending import PendingRoll, scores


@dataclass(frozen=True, slots=True)
class PathRoll(PendingRoll[State]):
    """The path is discovered by a face up to the number of the turn."""

    def problems(self, state: State) -> list[str]:
        """Return why this cannot be pending."""
        return (
            []
            if _is_hidden(state) and state.turn < FACES
            else ["pending: there is no path to find"]
        )

    def event(self, state: State) -> Tally:
        """Return the die."""
        return Tally.of(1, "the goat path", found=state.turn, hidden=FACES - state.turn)

    def settle(self, state: State, outcome: Outcome) -> State:
        """Note whether it is found."""
        found, _ = scores(outcome)
        return state.replaced({"discovered": bool(found)})


def sought(state: State) -> State:
    """Return the state in which the path is sought, if it still is; from the sixth turn on it is found for certain."""
    if not _is_hidden(state):
        return state
    if state.turn >= FACES:
        return state.replaced({"discovered": True})
    return state.push_pending(PathRoll())


def _is_hidden(state: State) -> bool:
    return state.setting.special.hidden_path and not state.discovered
