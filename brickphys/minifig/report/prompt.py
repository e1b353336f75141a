"""Prompt: what a player whose turn it is is asked for, and hints on typing actions."""

from brickphys.minifig.actions.melee import attacks
from brickphys.minifig.actions.words import DONE
from brickphys.minifig.report.clauses import figure_name
from brickphys.minifig.state.state import Phase, State, Step
from brickphys.text import counted

HINTS = (
    "take NAME chooses a figure, which acts until you type done; end skips all other figures of its side",
    "do KIND lists the actions of one kind; you may also type a complete action at once, such as shoot NAME",
    "go X Y DEG moves to a place in inches and turns to a facing in degrees, counter-clockwise from +x; the list shows "
    "only some places: you may type any other within reach, also for haul WAGON X Y and dismount X Y",
    "shooting, reloading and mounting are pairs of actions: a figure that does one of them cannot attack (MF Rules)",
    "after its side has moved, a figure that moved or stayed attacks an enemy that it touches (MF Resolving Combat)",
)


def turn_prompt(state: State) -> str:
    """Return what the phase asks for, where no question is pending."""
    if state.phase is Phase.COMBAT:
        figures = counted(len(attacks(state)), "figure")
        return f"{figures} can choose a target: your next attack"
    if state.active is None:
        left = len(list(state.ready(state.player)))
        return f"{counted(left, 'figure')} left to act: your next one, or end"
    text = f"{figure_name(state, state.active)} {DONE[state.step]}"
    if state.step in (Step.CHOSEN, Step.MOUNTED):
        return f"{text}, and can move up to {state.move_in(state.active):g} in"
    return text
