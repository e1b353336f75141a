"""Minifig battles as text, and as values that pictures are drawn from.

- `sheets`: figures with their arms: the bricks of attack and defence, each with its reason.
- `aims`: how a battle is won.
- `table_map`: the table in characters; `status_text`: a battle at one moment.
- `places`: the names in play, and where actions lead.
- `prompt`: what a player is asked for, and hints; `purpose`: what a listed place is for.
- `clauses`: what came of a step; `rolls`: what dice and bricks decided; `story`: a whole battle.
- `trajectories`: the ways of figures, and the frames of a film.
"""
