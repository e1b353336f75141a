"""Pirate Wars as text, and as values that pictures are drawn from.

- `plan`: a ship from above: where its parts are drawn, and in characters.
- `sheets`: the sheets of ships with their damage charts.
- `aims`: how a battle is won, and the areas of that.
- `prompt`: what a player is asked for.
- `status_text`: a battle at one moment; `sea_map`: the sea in characters.
- `places`: the names in play, and where actions lead.
- `wake`: how a ship went from one place to another.
- `clauses`: what happened to ships and minifigs; `rolls`: what dice decided; `story`: a whole battle.
- `trajectories`: the wakes of ships, and the frames of a film.
"""
