"""Checks: checks of any game.

- `conformance`: `check_game`, which plays a game and checks it against the contract.
- `position`: one state to be checked.
- `state_checks`: properties of any state.
- `chance_checks`: that laws are laws, and agree.
- `text_checks`: that all a game tells is text, and fits its bounds.
- `hidden_information`: that no player learns what the rules hide.
- `perft`: the sequences of moves of a game, counted.
"""
