"""Prompt: what a player whose turn it is is asked for, and hints on typing actions."""

from brickphys.minifig.actions.melee import attacks
from brickphys.minifig.actions.words import DONE
from brickphys.minifig.report.clauses import figure_name
from brickphys.minifig.state.state import Phase, State, Step
from brickphys.text import counted

HINTS = (
    "take NAME takes a figure; then it acts, until done; end leaves all others as they are",
    "a listed move stands for many: any place within reach may be typed",
    "who moved or stayed attacks whom it touches, when all of its side are done; who did something else does not "
    "(MF Resolving Combat)",
)


def turn_prompt(state: State) -> str:
    """Return what the phase asks for, where no question is pending."""
    if state.phase is Phase.COMBAT:
        figures = counted(len(attacks(state)), "figure")
        return f"{figures} with a choice of whom to attack: your next attack"
    if state.active is None:
        left = len(list(state.ready(state.player)))
        return f"{counted(left, 'figure')} left: your next one, or end"
    text = f"{figure_name(state, state.active)} {DONE[state.step]}"
    if state.step in (Step.CHOSEN, Step.MOUNTED):
        return f"{text}, and moves up to {state.move_in(state.active):g} in"
    return text
