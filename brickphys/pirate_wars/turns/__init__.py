"""Turns of Pirate Wars: what happens between choices, and who has won.

- `initiative`: the roll for the order of the players.
- `morale`: tests of morale, surrender, flight and mutiny.
- `sharks`: who is eaten in the water.
- `victory`: aims, and the last team in the battle.
- `rounds`: the phases of a turn, and what follows by itself.
- `action_types`: all types of actions and of what can be pending, and what a player chooses from.
- `state_problems`: checks of a state that was read from text.
"""
