"""The command line: thin commands, which parse, call and print.

- `main`: the command `brickphys`, its groups, the errors as lines and exit statuses, and `completion`.
- `army`, `campaign`, `collide`, `infer`, `ladder`, `play`, `replay`, `shoot`, `verify`, `view`: a command each.
- `games`: `games`, `scenario`, `sheet`; `laws`: `laws`, `calibrate`; `throws`: `drop`, `poses`, `roll`, `sensitivity`.
- `odds`: the odds of an attack, and its card; `odds_compare`: attacks side by side; `game_odds`: rolls of games.
- `measure`: the measurements of one table and one hand.
- `batch`: a study, run and reported; `batch_status`, `batch_studies`: its status, and what follows from its rows.
- `validate`, `validate_throws`, `validate_engines`: the comparisons with reality and between engines.
- `validate_collisions`: the same of geometry; other programs judged.
- `shared/`: options and output of several commands.
"""
