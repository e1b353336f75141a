"""Combat: missiles and melee, hits, recoil and rout, camps.

- `course`: what follows by itself, stage after stage.
- `party`: who attacks whom; `retreat`: who gives way before a melee.
- `commitment`: the morale of attackers; `lead`: who leads them.
- `pools`: the dice of both sides, by reason; `rolling`: how they fall, and fall again.
- `damage`: what hits do; `camp`: camps; `advance`: the lead attacker follows.
- `ending`: how a combat ends, and how a melee of cavalry goes on.
"""
