"""Tasks of Pirate Wars: the orders of a player, and what comes of them.

- `gunnery`: what a gun hits, who rakes whom, and how far ships are apart.
- `orders`: the base of all orders, and what is wrong with them.
- `firing`: cannons, muskets and pistols.
- `critical`: critical hits.
- `boarding`: rounds of boarding, crossing over, taking a ship, breaking off.
- `no_shot`: the shots at an enemy that a person means, or why none can hit it.
- `contact_orders`: boarding and scuttling.
- `moving`: minifigs and guns change their place, and minifigs jump and swim.
- `resolve`: orders are carried out; reloading, sailing and setting sail end the phase.
"""
