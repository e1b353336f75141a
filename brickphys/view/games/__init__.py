"""Games in three dimensions, each by a builder of its own.

- `bow`: ground and decor, figures, vehicles and objects.
- `minifig`: figures, things, the table and its walls; the land of a campaign.
- `pirate_wars`: ships with guns, sails and crews.
- `blade_and_bow`: the map, units as blocks of figures, leaders.
"""
