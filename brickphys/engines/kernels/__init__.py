"""Kernels: the loops of the fast engine, compiled by Numba.

- `flight`: free flight.
- `contact`: contact impulses.
- `throw`: whole throws.
"""
