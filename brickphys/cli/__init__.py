"""The command line: one thin file a command, which parses, calls and prints.

- `main`: the command `brickphys`, its groups, and the errors as lines and exit statuses.
- `calibrate`, `collide`, `completion`, `drop`, `games`, `infer`, `laws`, `odds`, `play`, `poses`, `replay`, `roll`,
  `scenario`, `sensitivity`, `sheet`: a command each.
- `game_odds`: the odds that a game offers, for `odds`.
- `measure/`: the measurements of one table and one hand.
- `batch/`: the commands on studies.
- `validate/`: the comparisons with reality and between engines.
- `shared/`: options and output of several commands.
"""
