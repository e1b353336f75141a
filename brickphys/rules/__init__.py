"""Rules: what every game shares.

- `game`: the contract (`Game`, `OpenGame`), and moves checked, applied, written and read.
- `record`: the words of the contract (`CHANCE`, `Setup`, `Step`), the constants of a game, and a game that was played.
- `events`: the questions to chance; `rolls`: those of bricks and dice; `sources`: the sources of answers.
- `turn_game`: the base of games in which players take turns, answer questions and roll (`TurnGame`), and of those with
  scenarios and sheets (`Wargame`).
- `turn_state`: their states, and the rolls and questions that are pending.
- `notation`: a state as one line of JSON, by the types of its fields.
- `words`: actions as typed values, written as a word and its arguments; `moves`: actions by what they name, why they
  are refused and what they do.
- `codes`: actions as integers, for programs that learn or plan.
- `names`: what units and things are called, and what a person may mean by typed words.
- `scene`: what is seen of a battle at one moment, for maps, pictures and models.
- `setup`: players, teams, names, aims and named things of a setup; armies drawn by the prices of their units.
- `aims`: ways to win besides being the last side, and the estimated worth of a position, for bots.
- `scenario`: a setup with its title and text; `scenario_file`: its file with a map; `schema`: the forms of files.
- `play`: a game while it is played, the loop that plays one, and what may be taken back.
- `plans`: what a unit may do up to the next roll, the levels of bots, and what a game gives for them to plan.
- `players/`: bots with their search, and a person at a keyboard.
- `action_odds`: the odds of actions, and every outcome of what is pending.
- `replay`: a game played back, and its file.
- `report/`: stories, status, trajectories and sheets as commands and pictures show them.
- `checks/`: a game checked against the contract, and its sequences of moves counted (perft).
- `tournament`: bots against each other, and their strengths.
- `registry`: games by name, from entry points, their painters, and classes of somebody else.
"""
