"""Rolls: published counts of rolled prisms, coins and cylinders, simulated again.

- `rolls`: the published counts, and the solids that were rolled.
- `roll_fit`: the surface that fits the counts best.
- `prism_comparison`, `coin_comparison`: published beside simulated shares.
- `roll_comparison`: what these two have in common.
"""
