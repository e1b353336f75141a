"""Command: cards, morale, leaders, formations, moves and rallies.

- `words`: the arguments of actions that are not names, and the bases of answers.
- `casualties`: leaders who are killed or captured, units that are disrupted or lose ranks.
- `cards`: cards that are drawn and discarded.
- `effects`: what cards in force change, and until when.
- `morale`: morale, what changes the dice of a unit, and rolls that pass or fail.
- `rout`: rout checks, and units that rout.
- `activation`: how an action ends.
- `hand`: drawing in a turn, buying and discarding cards, passing.
- `displacement`: a unit moves to its end, and pushes a smaller friend away who stands there.
- `moving`: what a unit does that is activated to move; `no_way`: why it does not come somewhere.
- `targets`: whom a unit can attack.
- `capability`: whether a unit can carry out an order.
- `rally`: disrupted units return to good order, and face as they like.
- `playing`: cards that are played for their effects.
- `formation`: the units that are activated, and what they are to do.
- `leading`: leaders who move, and those who come back.
"""
