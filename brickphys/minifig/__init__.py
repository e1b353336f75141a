"""Minifig battles, a wargame in inches with missiles that fly, and the quest campaign around them.

- `game`: the battle as a game of the contract in `rules`.
- `scenario_report`: a battle before it begins, for the command `scenario`.
- `army_list`: figures and things of a player, for the command `army`.
- `evaluation`: what a battle is worth to each player, for bots.
- `prospects`: how likely figures should be eliminated soon; `forecasts`: the odds of shots and attacks, for people.

Its rooms, each of which may import those before it (`setup`, `report` and `odds` not each other):

- `sheets`: kinds of figures, arms, things and rows of bricks, from the files in ``data``.
- `state`: a battle at one moment, and what never changes in it.
- `field`: the table: its ground, ways and places on it, who touches and who sees whom.
- `actions`: what figures do, and what happens to them.
- `turns`: the order of the players, rounds, hand-to-hand, and who has won.
- `setup`: where a battle begins.
- `report`: a battle as text and as values for pictures.
- `odds`: exact odds, for the command of that name.
- `campaign`: the quest campaign, a game of its own on top of `game`.
"""
