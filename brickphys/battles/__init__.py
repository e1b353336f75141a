"""Battles: starts games from names of players, setups and laws, and tells their results.

- `battle`: a game that was played or played back, as people see it.
- `live_rolls`: bricks that an engine throws for a game, as they fell.
- `pettingzoo_env`: any game as a PettingZoo environment (extra `pettingzoo`).
- `result`: who won, in a line and as JSON.
- `rolls`: who answers the chance events of a game.
- `seats`: the players by their names.
- `setup`: a setup that ships with a game, or one in a file.
- `start`: where a game begins, which may be in its middle.
- `state_folder`: where games are kept for a person.
- `table`: a game that people play choice by choice.
"""
