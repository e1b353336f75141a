"""Checks: any game examined.

- `conformance`: `check_game`, which plays a game and checks it against the contract.
- `state_checks`: what must hold in any state.
- `hidden_information`: that no player learns what the rules hide.
- `perft`: the ways a game can go, counted.
"""
