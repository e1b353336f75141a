"""Blade & Bow: ancient battles on a square grid, with impulses, cards, hidden ranks and hidden hands.

- `game`: the battle as a game of the contract in `rules`.
- `secrets`: what each player may know, and states that look like it.
- `scenario_report`: a scenario as the command of that name shows it, and sheets.
- `army_list`: the units of a player, for the command `army`.
- `prospects`, `evaluation`: what a battle is worth to each player, for bots.
- `forecasts`: the odds of attacks before they are made.

Its rooms, each of which may import those before it (`setup`, `report` and `odds` not each other):

- `sheets`: counters, cards and charts, from the files in ``data``.
- `state`: a battle at one moment, and what never changes in it.
- `ground`: arcs and zones of units, distance, sight, ways over the map.
- `command`: cards, morale, leaders, formations, moves and rallies.
- `combat`: missiles and melee, hits, recoil and rout, camps.
- `turns`: the turn: cards, initiative, impulses, rout management, victory.
- `setup`: where a battle begins.
- `odds`: exact odds, for the command of that name.
- `report`: a battle as text.
"""
