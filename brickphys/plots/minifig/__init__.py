"""Pictures of Minifig battles, and of the quest campaign.

- `ground`: the table with its zones and walls.
- `figure`: figures from above, on their bases, with what they hold; horses, wagons and catapults.
- `painter`: all of it, and the sheets.
- `campaign_map`: the land that the party of a campaign knows.
"""
