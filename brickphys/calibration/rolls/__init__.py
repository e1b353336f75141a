"""Rolls: published counts of rolled prisms, coins and cylinders, simulated again.

- `rolls`: the published counts, and the solids that were rolled.
- `roll_fit`: the surface that fits the counts best.
- `roll_comparison`: published beside simulated shares.
"""
