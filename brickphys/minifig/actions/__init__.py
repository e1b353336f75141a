"""Actions of Minifig battles: what figures do in a round, with conditions and effects; each type is a class.

- `words`: coordinates in inches, and the base of what the active figure does.
- `taking`: which figure acts, the end of its round, and of the movement of a side.
- `items`: weapons and shields that figures pick up, or exchange.
- `riding`: mounting and dismounting.
- `moving`: moves on foot, on horseback, and with a wagon.
- `melee`: attacks in hand-to-hand, their bricks and rolls.
- `missile_targets`: what missiles meet on the table.
- `shot_law`: what one shot may do, with integer weights.
- `missile_rolls`: shots, and the bricks after their hits.
- `shooting`: shots, sieges and reloading.
"""
