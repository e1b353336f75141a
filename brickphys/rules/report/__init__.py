"""Reports: games as texts, and as values from which pictures are drawn.

- `parts`: what a game may supply for the commands that show it.
- `story`: the turns of a game that was played, under headings of its rounds, and how it ended.
- `status`: a game at one moment: its map and tables of units, with a letter for each unit.
- `char_map`: a map in characters, on which choices may be marked; `ink`: text whose parts have tones.
- `names`: several names at once, and directions in words.
- `trajectories`: the ways of units over the field, their losses, and the frames of a film.
- `circle_aims`: aims whose areas are circles, as sentences and areas.
- `scenario`: a game before it begins: map, armies, aims and named areas.
- `episode`: a game within a game, such as a battle of a campaign.
- `sheets`: description sheets, the totals of armies, and what the price of a unit is made of.
- `army`: an army by its sheets, with its attacks and footprints, to be printed; `army_words`: which army is meant.
- `odds_report`: the exact odds of a roll that a game offers; `odds_fields`: what it asks for.
- `roll_odds`: how likely it was what was rolled.
- `signed`: differences as text.
"""
