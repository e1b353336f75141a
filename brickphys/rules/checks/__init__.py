"""Checks: checks of any game.

- `conformance`: `check_game`, which plays a game and checks it against the contract.
- `state_checks`: properties of any state, of its chances and of its texts.
- `hidden_information`: that no player learns what the rules hide.
- `perft`: the sequences of moves of a game, counted.
"""
