"""Exact odds of BOW by its sheets, for the command `odds`.

- `attack`: one attack on another unit or a vehicle, all pairs of several, and two attacks compared.
"""
