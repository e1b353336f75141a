"""Rules: what every game shares.

- `game`: the contract (`Game`, `OpenGame`).
- `record`: the words of the contract (`CHANCE`, `Setup`, `Step`), and a game that was played.
- `events/`: what chance can be asked for, and who answers.
- `moves`: actions and outcomes, checked, applied, written and read.
- `turn_game`: the base of games in which players take turns, answer questions and roll (`TurnGame`).
- `turn_state`, `setting`: their states, their constants, and digests of setups.
- `notation`: a state as one line of JSON, by the types of its fields.
- `words`: actions as typed values, written as a word and its arguments.
- `pending`: what chance or a player must answer before a turn goes on; `roll_off`: who starts.
- `aims`: ways to win besides being the last side; `aims_schema`, `aim_reader`: those of a setup.
- `evaluation`: what bots think of a position.
- `random_armies`: armies drawn by the prices of their units, for studies; `random_armies_schema`: the options.
- `scenario/`: scenario files: text, map and tables of a setup.
- `catalogue`: tables of named things, such as sheets, read over those that are known already.
- `play`: the loop that plays a game.
- `players/`: who chooses: bots with their search, a person at a keyboard.
- `action_odds`: what actions would roll; `forecast`: the odds of one.
- `replay/`: a game played back, and its file.
- `report/`: stories, status, trajectories, scenarios and sheets as commands and pictures show them.
- `checks/`: a game examined against the contract; its ways counted.
- `tournament/`: bots against each other, and their strengths.
- `registry`: games by name, from entry points, and their painters.
- `pettingzoo_env`: any game as a PettingZoo environment (extra `pettingzoo`).
"""
