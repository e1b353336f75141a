"""Combat: missiles and melee, hits, recoil and rout, camps.

- `course`: what follows by itself, stage after stage.
- `ending`: how a combat ends, and how a melee of cavalry goes on.
- `pools`: the dice of both sides, by reason.
- `damage`: what hits do to a unit by its density.
- `camp`: camps, and how they are sacked.
- `advance`: the lead attacker follows into the square that the defender has left.
"""
