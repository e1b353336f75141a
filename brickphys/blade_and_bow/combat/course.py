"""Course: what follows in a combat by itself, stage after stage (BB 8.5, 9.4)."""

from brickphys.blade_and_bow.combat.ending import combat_over
from brickphys.blade_and_bow.state.pieces import Stage
from brickphys.blade_and_bow.state.state import State


def combat_following(state: State) -> State | None:
    """Return the state after the next step of a combat in which nothing is pending; None where a player chooses.

    After `apply_hits` or `missile_hits` and all that they leave pending, the combat ends here.
    """
    assert state.combat is not None
    if state.combat.stage is Stage.PARTY:
        return None
    if state.combat.stage is Stage.HITS:
        return combat_over(state)
    raise NotImplementedError
