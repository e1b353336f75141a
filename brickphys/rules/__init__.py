"""Rules: what every game shares.

- `event`: what all chance events have in common (`ChanceEvent`, `Outcome`).
- `events`: what chance can be asked for, with its exact law: bricks, dice, a draw, what is measured.
- `game`: the contract (`Game`, `OpenGame`).
- `chance`: who answers when a brick roll is asked for: a law, a script, a person (`ChanceSource`).
- `sources`: who answers any event, in any mix (`EventSource`).
- `turn_state`, `setting`: states of turn games, their constants, and digests of setups.
- `words`: actions as typed values, written as a word and its arguments.
- `pending`: what chance or a player must answer before a turn goes on.
- `bots`: players that are programs: random, greedy, look-ahead.
- `person`: a player at a keyboard; `menu` lists his actions, `forecast` tells him the odds.
- `search`: what each action is worth, with exact chance nodes, within a budget.
- `play`: the loop, and the record of a game.
- `replay`, `replay_file`, `replay_schema`: a game played back; its file, checked line by line.
- `perft`: how many ways a game can go, chance included.
- `conformance`: `check_game`, which examines any game against the contract.
- `state_checks`, `secrecy_checks`: what it looks for.
- `tournament`, `elo`: round robins, and strengths with their intervals.
- `registry`: games by name, from entry points.
- `aims`: ways to win besides being the last side; `evaluation`: what bots think of a position.
- `random_armies`: armies drawn by the prices of their units, for studies; `random_armies_schema`: the options.
- `scenario`: scenario files: text, map and tables of a setup.
- `catalogue`: tables of named things, such as sheets, read over those that are known already.
- `pettingzoo_env`: any game as a PettingZoo environment (extra `pettingzoo`).
"""
