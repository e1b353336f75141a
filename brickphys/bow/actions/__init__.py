"""Actions of BOW: what units do, with conditions, rolls and effects; each type of action is a class.

- `words`: the arguments of actions, and `TurnAction`, which takes from the Action Budget.
- `move`: walk and turn.
- `grab`, `throw`, `switch`: take an object, throw one (grenades too), exchange weapons.
- `put`: move an object between hand, body, back and bag, or drop it.
- `carrying`: what a unit has, and where it has room for more.
- `give`: hand an object to another unit.
- `doors`: open and close doors and windows.
- `attack`: attacks and their rolls; `attack_plan`: one attack with its conditions and bricks.
- `targets`: which enemies can be attacked, how far, how visible and how well in reach they are.
- `weapons_in_use`: the weapons with which a unit can attack just now.
- `reload`: reload the weapon of a vehicle that another minifig fires.
- `treat_repair`: help life forms and machines.
- `use_custom`: custom actions of a scenario; `effects`: what they do.
- `reach`: what a unit can touch, and where it can be put.
- `damage`: damage points, death, destroyed vehicles.
"""
