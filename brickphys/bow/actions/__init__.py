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
- `treat_repair`: help life forms and machines.
- `use_custom`: custom actions of a scenario; `effects`: what they do.
- `board_vehicle`: get on and off a vehicle, and change seats.
- `walk_beside`: units that walk beside a vehicle and travel along.
- `pilot`: speed, direction and compulsory move of a vehicle.
- `collision`: the compulsory move, and the rolls of units that are run over and of vehicles that are hit.
- `at_rest`: where bodies come to rest after a hit or a crash, which physics measures; `placing`: who is put where.
- `rotation`: a vehicle that is turned, and backed off where it needs room.
- `ground`: what a vehicle stands on, and how high; `way`: its compulsory move over the ground, piece by piece.
- `obstacles`: what a vehicle may run into, and where its doors are.
- `reach`: what a unit can touch, and where it can be put.
- `damage`: damage points, death, destroyed vehicles.
"""
