"""Kinds of studies.

- `study_type`: what every kind provides, how one run becomes a row, and the kinds by name.
- `drops`: throws.
- `scenes`: compulsory moves.
- `battles`: games that bots play; `game_facts`: what their tables say of a game without loading it.
- `ladders`: games of a group of bots from every seat.
"""
