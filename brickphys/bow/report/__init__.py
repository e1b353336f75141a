"""A battle as text and as values for pictures.

- `sentences`: actions, rolls and changes in words; `story`: a whole battle.
- `status_text`: the map and tables of a battle at one moment; `field_map`: the field in characters.
- `purpose`: what becomes of a vehicle after an action of its pilot.
- `places`: the names in play, and where actions lead.
- `scenario_text`: a battle before it begins.
- `trajectories`: the ways of units, and the frames of a film; `areas`: rectangles with a name or an aim.
- `sheets`: description sheets, and the prices of units.
"""
