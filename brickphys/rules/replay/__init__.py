"""Replay: games that were played, on file.

- `replay`: a replay as a value, and the game played back.
- `file`: the file, checked line by line.
- `schema`: what each line holds.
"""
