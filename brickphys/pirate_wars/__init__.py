"""Pirate Wars, a naval wargame of model ships and minifigs.

Its chapters, each of which imports only those before it:

- `sheets`: ships, their damage charts, minifigs and weapons, from the files in ``data``.
- `setting`: what never changes during a battle; `state`: a battle at one moment.
- `damage`: hits, critical hits such as a mast shot away, casualties and sinking.
- `sailing`: wind, leaps, swings, drifts and rams.
- `orders`: what all orders of minifigs have in common.
- `firing`: cannons, muskets and pistols; `boarding`: a fight on another ship.
- `tasks`: minifigs move, and all orders are carried out. They may be hidden until all are written.
- `morale`: tests of morale, and sharks.
- `turns`: initiative, phases, who has won, and the notation of states.
- `documents`, `setup`: where a battle begins.
- `scene`: what is seen of a battle, and the map of it; `status`: the tables of a battle at one moment.
- `scenario`: a battle before it begins, from a file or drawn.
- `sentences`, `story`: what happened, in words and as trajectories.
- `prompt`: what a player is asked for, and the odds of what is ordered.
- `boarding_odds`, `odds`: exact odds for the command of that name.
- `army`: sheets, and the list of an army.
- `bot`: what a battle is worth to each player, by hand: for the yardstick `greedy1`.
- `worth`: what a battle is worth to a team, by weights that were fitted.
- `helm`: how bots sail and fight a ship.
- `game`: the game of the contract in `rules`.
"""
