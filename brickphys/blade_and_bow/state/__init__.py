"""State: a battle at one moment, and what never changes in it.

- `setting`: the map, the units, the leaders, the camps and the rules of a battle.
- `pieces`: a unit and a leader at one moment, cards in force, an activation, a melee.
- `state`: the battle at one moment.
- `part`: what of a state something depends on, so that it is worked out once for all states that share it.
"""
