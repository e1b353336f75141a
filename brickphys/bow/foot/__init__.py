"""Units on foot in their turn, for bots; no rule.

- `passes`: real ways to areas and enemies, and narrow places on them that units can close.
- `places`: what every stud that a unit can reach is worth to it.
- `ideas`: attacks and walks, up to the next roll.
- `tasks`: help, gear, doors, custom actions.
"""
