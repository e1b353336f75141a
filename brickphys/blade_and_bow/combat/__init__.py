"""Combat: missiles and melee, hits, recoil and rout, camps.

- `course`: what follows by itself, stage after stage.
- `party`: who attacks whom; `retreat`: who gives way before a melee.
- `commitment`: the morale of attackers; `lead`: who leads them.
- `pools`: the dice of both sides, by reason; `rolling`: how they fall, and fall again.
- `damage`: what hits do; `hits`: how they are applied; `camp`: camps; `recoil`: who falls back, and where to.
- `advance`: the lead attacker follows; `pursuit`: cavalry attacks again.
- `ending`: how a combat ends, and how a melee of cavalry goes on.
- `combat_problems`: what contradicts a combat in a state that was read.
"""
