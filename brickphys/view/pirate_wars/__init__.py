"""Pirate Wars in three dimensions.

- `builder`: the ships with their guns, sails and crews, and who swims.
- `ship`: a ship by its sheet.
- `berths`: where the crew stands.
"""
