"""Command: cards, morale, leaders, formations, moves and rallies.

- `actions`: the arguments of actions that are not names, the bases of answers, cards in force, the end of an action.
- `morale`: leaders who fall, units that are disrupted or lose ranks; morale rolls, rout checks and rally.
- `cards`: drawing, buying, discarding and playing cards; passing.
- `movement`: what a unit does that is activated to move, and whom it pushes away.
- `formation`: the units that are activated, what they are to do, whom they can attack; leaders who move or come back.
"""
