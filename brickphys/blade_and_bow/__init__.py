"""Blade & Bow: ancient battles on a square grid, with impulses, cards, hidden ranks and hidden hands.

Its chapters, each of which may import those before it:

- `sheets`, `deck`: charts and counters, and the cards, from the files in ``data``.
- `setting`, `pieces`, `state`: what never changes in a battle; units and leaders; a battle at one moment.
- `ground`, `ways`: arcs and zones of units, distance and sight; ways over the map.
- `command`: cards, morale, leaders, formations, moves and rallies.
- `combat`: missiles and melee, hits, recoil and rout, camps.
- `deployment`, `turns`: the setup and reinforcements; cards, initiative, impulses, rout management, victory.
- `notation`: all types of actions, and the text of a state.
- `documents`, `setup`: the form of files; where a battle begins.
- `scene`, `status`: what is seen of a battle, and its map; the battle at one moment as text.
- `dice_law`, `odds`: the law of the dice; exact odds, for the command of that name.
- `scenario`: battles before they begin, sheets and armies.
- `sentences`, `story`: what happened in a step; a whole battle.
- `prompt`: what a player is asked for, and the odds of attacks before they are made.
- `bot`: what a battle is worth to each player, for bots, by weights that were chosen by hand.
- `worth`: what a battle is worth by features of the whole, for plans.
- `tactics`: what fights cost, what units can strike after a move, marches, orders and answers, for plans.
- `plans`: how bots think: the plans of who is to act.
- `conduct`: what bots did that tells of their play, counted in a battle that was played.
- `game`: the battle as a game of the contract in `rules`, and what each player may know.
"""
