"""Units on foot in their turn, for bots; no rule.

- `places`: what every stud that a unit can reach is worth to it.
- `ideas`: attacks and walks, up to the next roll.
- `tasks`: help, gear, doors, custom actions.
- `conduct`: counts of what units did in a played game.
"""
