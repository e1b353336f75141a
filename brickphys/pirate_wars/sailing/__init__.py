"""Sailing: what moves ships and what they run into (PW Movement).

- `wind`: points of sail, speeds, and who is adrift.
- `collision`: a ship, with those lashed to it, goes straight or turns among the others.
- `ram`: what a ram does.
- `movement`: leaps, swings and drifts; the choice of a ship and of its turns; falling off.
- `sea_room`: whether a ship can stay on the sea.
"""
