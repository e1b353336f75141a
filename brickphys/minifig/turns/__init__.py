"""Turns of Minifig battles: what happens between choices, and who has won.

- `order`: the roll for the order of the players.
- `rounds`: turns of players, hand-to-hand, and what follows by itself.
- `victory`: aims, and the last team in the battle.
- `action_types`: all types of actions and of what can be pending, and what a player chooses from.
- `state_problems`: checks of a state that was read from text.
"""
