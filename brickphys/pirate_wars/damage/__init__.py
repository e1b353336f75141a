"""Damage of Pirate Wars.

- `casualties`: minifigs that die or fall overboard, and the question whom the owner loses.
- `guns`: guns that are destroyed, and which one the owner loses.
- `hits`: hits on hull and sails.
- `sinking`: a ship that goes down.
"""
