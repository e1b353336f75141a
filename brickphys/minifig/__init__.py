"""Minifig battles, a wargame in inches with missiles that fly, and the quest campaign around them.

Its chapters, each of which may import those before it:

- `sheets`: kinds of figures, arms, things and rows of bricks, from the files in ``data``.
- `setting`, `state`: what never changes in a battle; a battle at one moment, also after a death: what falls, and what
  becomes of the horse.
- `ground`: the table: walls, woods, water and hills, who touches and who sees whom.
- `reach`: where a move may end, and the ways there; `places_kernel`: its loops.
- `actions`, `movement`, `melee`, `missiles`, `shooting`: what figures do, and what happens to them.
- `turns`: the order of the players, rounds, hand-to-hand, and who has won.
- `documents`, `setup`: the form of files; where a battle begins, and who survived one.
- `scene`: what is seen of a battle, and its map.
- `status`, `odds`: a battle as text; exact odds, for the command of that name.
- `scenario`: battles before they begin, sheets and armies.
- `sentences`, `story`: what happened in a step; a whole battle.
- `prompt`: what a player is asked for, and the odds of what he may choose.
- `bot`: what a battle is worth to each player by weights made by hand, and who should live on, for bots.
- `worth`: what it is worth by features whose weights were fitted to played games.
- `plans`: what each figure of a side may do in its turn, for players who think.
- `conduct`: counts of what tells of the play in a finished battle.
- `game`: the battle as a game of the contract in `rules`.
- `campaign`: the quest campaign, a game of its own on top of `game`.
"""
