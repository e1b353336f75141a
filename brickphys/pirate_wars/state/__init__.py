"""State of Pirate Wars.

- `setting`: what never changes during a battle: sea, wind, players, ships, minifigs, aims, options.
- `ship`: a ship at one moment: where it is, its damage, its guns.
- `crew`: a minifig at one moment, and its order.
- `state`: a battle at one moment: ships and minifigs, the phase, whose turn it is, what is pending.
- `pending`: the bases of all that can be pending.
"""
