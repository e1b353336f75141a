"""Pictures of Minifig battles, and of the quest campaign.

- `ground`: the table with its zones and walls; `trees`: the trees of a wood.
- `figure`: figures from above, on their bases, with what they hold; horses, wagons and catapults.
- `sheet`: a figure from above, with its bricks of attack and defence.
- `painter`: all of it.
- `campaign_map`: the land that the party of a campaign knows.
"""
