"""BOW in three dimensions.

- `builder`: figures, vehicles and objects of a battle.
- `terrain`: the ground and the decor.
"""
