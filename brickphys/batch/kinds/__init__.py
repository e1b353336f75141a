"""Kinds of studies.

- `study_type`: what every kind provides, and how one run becomes a row.
- `drops`: throws.
- `scenes`: compulsory moves.
- `battles`: games that bots play; `game_facts`: what their tables say of a game without loading it.
- `registry`: the study types by name.
"""
