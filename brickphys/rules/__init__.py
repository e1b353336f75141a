"""Rules: what every game shares.

- `game`: the contract (`Game`, `OpenGame`).
- `record`: the words of the contract (`CHANCE`, `Setup`, `Step`), and a game that was played.
- `events/`: the questions to chance, and the sources of answers.
- `moves`: actions and outcomes, checked, applied, written and read.
- `turn_game`: the base of games in which players take turns, answer questions and roll (`TurnGame`).
- `wargame`: the base of those with scenarios and sheets (`Wargame`), and the reports that such a game names.
- `turn_state`, `setting`: their states, their constants, and digests of setups; `colours`: those of players.
- `notation`: a state as one line of JSON, by the types of its fields.
- `words`: actions as typed values, written as a word and its arguments; `names`: what units and things are called;
  `readings`: what a person may mean by typed words.
- `pending`: rolls and questions that must be answered before a turn goes on; `roll_off`: the roll for the start;
  `turn_order`: the roll for the order of a turn.
- `aims/`: ways to win besides being the last side.
- `setup/`: what all setups have: players, teams, names, aims; armies drawn by the prices of their units.
- `evaluation`: the estimated worth of a position, for bots.
- `scenario/`: scenario files: text, map and tables of a setup.
- `catalogue`: tables of named things, such as sheets, read over those that are known already.
- `session`: a game while it is played; `play`: the loop that plays one.
- `players/`: bots with their search, and a person at a keyboard.
- `action_odds`: the odds of actions; `forecast`: those of one; `walk`: every outcome of what is pending.
- `replay/`: a game played back, and its file.
- `report/`: stories, status, trajectories, scenarios and sheets as commands and pictures show them.
- `checks/`: a game checked against the contract, and its sequences of moves counted (perft).
- `tournament/`: bots against each other, and their strengths.
- `registry`: games by name, from entry points, and their painters; `own_class`: classes of somebody else.
"""
