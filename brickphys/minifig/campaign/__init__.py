"""The quest campaign: days of marching through unknown land, one card a day, and the battles that they bring.

- `state`: a campaign at one moment, with the tables of the book, the calendar, the deck and the known land.
- `trials`: weather, misadventures, cards, foes and battles, which are ours; `effects`: what they do.
- `days`: dawn, watches and misadventures; marches and what they find.
- `story`: a campaign as text, its way for pictures, and its battles, each as a game of its own.
- `worth`: how likely a party seems to survive, for bots; `game`: the start, the text of a state, the game.
"""
