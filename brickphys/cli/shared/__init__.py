"""Options and output that several commands share.

- `options`: arguments and options, their parsing and completion; where results go; units as people name them.
- `throw_options`: how and onto what bricks are thrown, as one value, and the film of a throw.
- `output`: JSON, tables, text without control characters, plots on disk, and groups of commands.
- `game_start`: where a game begins, and what answers its chance events.
- `game_files`: where a game with persons is stored while it is played.
- `game_output`: result, story, picture and film of a game that was played, and how far one of bots has come.
- `terminal`: where persons type and read, in colours if it has some.
"""
