"""Stakes: what an answer to a card may bring, in words."""

from collections.abc import Sequence

from brickphys.minifig.campaign.effects import Choose
from brickphys.minifig.campaign.state import State
from brickphys.minifig.campaign.trials import Verb, trials
from brickphys.text import counted, spoken


def stakes(state: State, choice: Choose) -> str:
    """Return what an answer to the card of the day leads to; of a trial, with bricks on a side and without."""
    trial = trials().prompts[state.card].answers.get(choice.answer)
    if trial is None:
        return ""
    good = _effects_text(trial.good)
    if not trial.bricks:
        return good
    bricks = counted(trial.bricks, "brick")
    return f"{bricks}: {good} if any stops on a side, else {_effects_text(trial.bad)}"


def _effects_text(effects: Sequence[str]) -> str:
    """Return effects in words; those after a battle happen if it is won."""
    if not effects:
        return "nothing happens"
    first, *others = map(_effect_text, effects)
    if others and effects[0].startswith(Verb.BATTLE.value):
        return f"{first}, and if it is won {', '.join(others)}"
    return ", ".join([first, *others])


def _effect_text(effect: str) -> str:
    verb, _, thing = effect.partition(" ")
    match Verb(verb):
        case Verb.BATTLE:
            return f"a battle with the {spoken(thing)} ({len(trials().foes[thing])})"
        case Verb.ARMS:
            return f"one more {spoken(thing)}"
        case Verb.RECRUIT:
            return f"one more {spoken(thing)} in the party"
        case Verb.DELAY:
            return f"{counted(int(thing), 'half-day')} lost"
        case other:
            return _TEXTS[other]


_TEXTS = {
    Verb.HORSE: "one more horse",
    Verb.WOUND: "somebody is wounded",
    Verb.LOSE: "somebody leaves the party",
    Verb.REST: "all wounds heal",
}
