"""Course: the automatic stages of a combat, one after the other (BB 8.5, 9.4)."""

from brickphys.blade_and_bow.combat.commitment import commitment_rolled, committed
from brickphys.blade_and_bow.combat.ending import combat_over
from brickphys.blade_and_bow.combat.rolling import cards_asked, dice_rolled
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.state import State


def combat_following(state: State) -> State | None:
    """Return the state after the next step of a combat in which nothing is pending; None where a player chooses.

    After `apply_hits` or `missile_hits` and all that they leave pending, the combat ends here.
    """
    combat = state.fight
    match combat.stage:
        case Stage.PARTY:
            return None
        case Stage.COMMITMENT:
            return commitment_rolled(state)
        case Stage.CARDS if combat.ranged or combat.lead is not None:
            return cards_asked(state)
        case Stage.CARDS:
            state = committed(state)
            return state if state.fight.units else combat_over(state)
        case Stage.DICE:
            return dice_rolled(state)
        case Stage.HITS:
            return combat_over(state)
