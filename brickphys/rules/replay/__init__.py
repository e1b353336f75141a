"""Replay: games that were played, on file.

- `playback`: a replay as a value, and the check that its game plays like that.
- `replay_file`: the file, checked line by line.
- `replay_checks`: what `brickphys verify` finds out about one.
- `replay_schema`: what each line holds.
"""
