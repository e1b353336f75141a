"""The command line: one thin file a command, which parses, calls and prints.

- `main`: the command `brickphys`; errors become one line and an exit status here.
- `options`: what several commands share.
- `output`: JSON, tables, progress, plots on disk.
- `calibrate`, `collide` (with `crash`), `completion`, `drop`, `infer` (with `infer_answer`), `laws`, `odds`, `poses`,
  `roll`, `sensitivity`, `validate` (with `validate_engines` and `validate_rolls`): the commands.
"""
