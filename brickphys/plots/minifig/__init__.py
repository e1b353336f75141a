"""Pictures of Minifig battles.

- `ground`: the table with its zones and walls.
- `figure`: figures from above, on their bases, with what they hold; horses, wagons and catapults.
- `painter`: all of it, and the sheets.
"""
