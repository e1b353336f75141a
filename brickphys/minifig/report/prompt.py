"""Prompt: what a player whose turn it is is asked for, and hints on typing actions."""

from brickphys.minifig.actions.melee import attacks
from brickphys.minifig.actions.words import DONE
from brickphys.minifig.report.clauses import figure_name
from brickphys.minifig.state.state import Phase, State, Step
from brickphys.text import counted

HINTS = (
    "take NAME takes a figure; then it acts, until done; end leaves all others of its side as they are",
    "do KIND lists what the figure can do of a kind; a complete action such as shoot NAME may be typed at once",
    "go X Y DEG moves to a place in inches and faces there, counter-clockwise from +x; the list stands for many: any "
    "place within reach may be typed, and so for haul WAGON X Y and dismount X Y",
    "a shot, reloading and mounting are pairs of actions of their own: who does them does not attack (MF Rules)",
    "who moved or stayed attacks whom it touches, when the movement of its side has ended (MF Resolving Combat)",
)


def turn_prompt(state: State) -> str:
    """Return what the phase asks for, where no question is pending."""
    if state.phase is Phase.COMBAT:
        figures = counted(len(attacks(state)), "figure")
        return f"{figures} with a choice of whom to attack: your next attack"
    if state.active is None:
        left = len(list(state.ready(state.player)))
        return f"{counted(left, 'figure')} left to act: your next one, or end"
    text = f"{figure_name(state, state.active)} {DONE[state.step]}"
    if state.step in (Step.CHOSEN, Step.MOUNTED):
        return f"{text}, and moves up to {state.move_in(state.active):g} in"
    return text
