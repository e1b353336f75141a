"""The command line: one thin file a command, which parses, calls and prints.

- `main`: the command `brickphys`, its groups, and the errors as lines and exit statuses.
- `army`, `calibrate`, `campaign`, `collide`, `completion`, `drop`, `games`, `infer`, `laws`, `odds`, `play`, `poses`,
  `replay`, `roll`, `scenario`, `sensitivity`, `sheet`, `shoot`, `verify`, `view`: a command each.
- `game_odds`, `odds_compare`, `odds_card`: what `odds` does for games, attacks side by side, and cards.
- `measure/`: the measurements of one table and one hand.
- `batch/`: the commands on studies.
- `validate/`: the comparisons with reality and between engines.
- `shared/`: options and output of several commands.
"""
