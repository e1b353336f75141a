"""Options and output that several commands share.

- `command_group`: a group of commands that names the nearest one.
- `options`: arguments and options, their parsing and completion.
- `throw_options`: how and onto what bricks are thrown, as one value.
- `output_options`: where the results of a command go: a picture, JSON or text.
- `output`: JSON, tables, numbers for people, plots on disk; `echo`: text without control characters.
- `odds_output`: a table of odds; `unit_words`: units as people name them.
- `army_output`: totals of armies as a table.
- `crash_output`: a compulsory move with bodies, as text and film; `throw_output`: the film of a throw.
- `file_kinds`: what a file is, by its content, and how each kind is checked.
- `game_start`: what a command says of the beginning of a game.
- `game_rolls`: what answers the chance events of a game.
- `game_files`: where a game with persons is stored while it is played; `kept_games`: those that were left unsaved.
- `game_output`: result, story, picture and film of a game that was played.
- `game_progress`: how far a game of bots has come.
- `infer_answer`: the answer of `infer`.
- `terminal`: where persons type and read; `colours`: whether it has colours, and which.
- `stepping`: a spectator goes through a game, by keys or lines.
"""
