"""BOW: the Bricks Only Wargame, a skirmish of minifigs and vehicles on studs."""
