"""Pirate Wars, a naval wargame of model ships and minifigs.

- `game`: the game of the contract in `rules`.
- `scenario_report`: a battle before it begins.
- `army_list`: ships and minifigs of a player, for the command `army`.
- `evaluation`: what a battle is worth to each player, for bots.
- `forecasts`: the odds of shots that are ordered.
- `secrets`: orders that are hidden until all are written.

Its rooms, each of which may import those before it (`setup` and `report` not each other):

- `sheets`: ships, their damage charts, minifigs and weapons, from the files in ``data``.
- `state`: a battle at one moment, and what never changes in it.
- `damage`: hits, casualties and sinking.
- `sailing`: wind, leaps, swings, drifts and rams.
- `tasks`: what minifigs are ordered to do, and what comes of it.
- `turns`: initiative, phases, morale, sharks, and who has won.
- `setup`: where a battle begins.
- `report`: a battle as text and as values for pictures.
- `odds`: exact odds of broadsides, boarding, morale and sharks.
"""
