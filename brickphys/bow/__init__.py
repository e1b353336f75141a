"""BOW, the Bricks Only Wargame 1.3.

Its chapters, each of which imports only those before it:

- `field`: the studs, the height of the ground, the decor; `terrain`: while certain doors are open, with who is on it.
- `line_kernel`: the loop along lines over the studs; `sight`: what can be seen and reached.
- `sheets`: numbers of the rules, and what units and vehicles can do, carry and cost.
- `setting`: what never changes during a battle; `state`: a battle at one moment.
- `actions`: what units and vehicles do, and what happens to them.
- `turns`: whose turn it is, rounds, and who has won.
- `notation`: a state as one line of text, and its checks.
- `documents`, `setup`: where a battle begins.
- `scene`: what is seen of a battle, and its map; `status`: the map and tables of a battle at one moment.
- `scenario`: a battle before it begins, from a file or drawn.
- `sentences`, `story`: what happened, in words and as trajectories.
- `odds`: exact odds, for the command of that name.
- `army`: sheets, and the list of an army.
- `bot`: what a battle is worth to each player.
- `reach`: steps and sight over the whole field; `threat_kernel`: the loops over pairs of attackers and targets;
  `threat`: what every unit may do to every other one in a turn.
- `outlook`: what units, vehicles and aims are worth; `worth`: one sum for plans to be judged by.
- `pilot`: how bots drive; `foot`: what units on foot may do, for bots; `plans`: what bots choose from, ranked.
- `game`: the game of the contract in `rules`.
"""
