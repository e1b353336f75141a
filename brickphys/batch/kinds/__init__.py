"""Kinds of studies.

- `study_type`: what every kind provides, and how one run becomes a row.
- `drops`: throws.
- `scenes`: compulsory moves.
- `battles`: games that bots play.
- `registry`: the study types by name.
"""
