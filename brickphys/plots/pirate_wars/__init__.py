"""Pictures of Pirate Wars.

- `ship`: a ship from above, with its parts, guns and bores.
- `form`: a damage chart as the book's form.
- `sheet`: the sheet of a ship.
- `wind`: streaks over the sea, and the wind rose.
- `painter`: the sea with its ships, and the forms beside it.
"""
