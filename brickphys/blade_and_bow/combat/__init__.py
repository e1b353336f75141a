"""Combat: missiles and melee, hits, recoil and rout, camps.

- `pursuit`: after a melee: the lead attacker advances, cavalry attacks again; camps; how a combat ends.
- `targets`: who can attack whom, and why not.
- `attack`: who attacks whom, who leads the attackers, and who gives way before a melee.
- `hits`: what hits do, how they are applied, who falls back, and where to.
- `dice`: the dice of both sides, by reason; how they fall, and fall again.
- `commitment`: the morale of attackers; what follows by itself, stage after stage; checks of a state that was read.
"""
