"""Driving: what vehicles and those who ride or walk beside them do, and what happens to them (BOW 3.3 to 3.5).

- `pilot`: speed, direction and compulsory move of a vehicle.
- `collision`: the compulsory move, and the rolls of units that are run over and of vehicles that are hit.
- `at_rest`: where bodies come to rest after a hit or a crash, which physics measures; `placing`: who is put where.
- `rotation`: a vehicle that is turned, and backed off where it needs room.
- `ground`: what a vehicle stands on, and how high; `way`: its compulsory move over the ground, piece by piece.
- `obstacles`: what a vehicle may run into, and where its doors are.
- `board_vehicle`: get on and off a vehicle, and change seats.
- `walk_beside`: units that walk beside a vehicle and travel along.
"""
