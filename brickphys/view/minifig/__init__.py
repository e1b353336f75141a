"""Minifig battles in three dimensions.

- `builder`: figures on their bases, riders, things and items.
- `things`: dogs, wagons and catapults.
- `ground`: the table with its hills, woods and water, and walls brick by brick.
- `campaign_map`: the known land of a campaign.
"""
