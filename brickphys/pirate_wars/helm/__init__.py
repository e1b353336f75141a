"""Helm: how bots sail and fight a ship; no rule. Each chapter imports only those before it.

- `contact_kernel`, `contact`: the exact law of two ships that touch, from a ram until one of them is free.
- `points`: what a contact is worth.
- `prospects`: the estimate of the game: the worth at any moment, with dice that are about to be rolled.
- `reach_kernel`, `reach`: what ships can ram and hit from many poses, and how an enemy answers.
- `passages`: how many turns a ship needs to a place, by the points of sail.
- `courses`: every way of a ship on its move, and what its end is worth.
- `stations`: the tasks of a crew: who boards, fires and shoots, and mans sails and guns.
- `ways`: where an order at the helm leads a ship, and where it fires, told before; no bot needs it.
- `conduct`: counts of what tells of the play of a battle.
- `plans`: all that bots plan, as `brickphys.rules.plans.Thinker`; what a course is for, and answers to questions.
"""
