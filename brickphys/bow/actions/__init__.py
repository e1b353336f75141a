"""Actions of BOW: what units and vehicles do, with conditions, rolls and effects; each type of action is a class.

- `movement`: walk, turn, doors, and what a unit can touch; `TurnMove`, which takes from the Action Budget.
- `objects`: take, move, drop, hand over and throw objects.
- `targets`: the weapons that a unit can use, whom it can attack with them, and how many bricks the distance costs.
- `damage`: damage points, death, destroyed vehicles, treatment and repair.
- `attack`: attacks with their conditions and rolls.
- `use_custom`: custom actions of a scenario, and what they do.
- `obstacles`: what a vehicle stands on and may run into, and who walks beside it.
- `at_rest`: where bodies come to rest after a hit or a crash, which physics measures.
- `collision`: the compulsory move of a vehicle, and the rolls for what it hits.
- `driving`: speed and direction of a vehicle, its move, getting on and off.
- `ahead`: the compulsory move to which an action leads, and whom units could attack in their next turn.
"""
