"""The quest campaign: days of marching through unknown land, one card a day, and the battles that they bring.

- `tables`: the tables of the book; `trials`: weather, misadventures, cards and foes, which are ours.
- `date`, `deck`, `chart`: the calendar, the cards that are left, the squares that are known.
- `state`: a campaign at one moment.
- `foes`, `fight`: the policy of the foes, and a battle within the campaign.
- `effects`, `day`, `travel`: trials and what they do; dawn, watches and misadventures; marches and what they find.
- `stakes`: what an answer to a card may bring, in words.
- `evaluation`, `report`, `ways`: what bots go by; the texts; the way of the party for pictures.
- `scenario_report`: a campaign before it begins.
- `episodes`: the battles of a campaign that was played, each as a game of its own.
- `notation`, `setup`, `setup_schema`, `game`: the text of a state, the start, the game.
"""
