"""Tournament: bots against each other.

- `tournament`: every bot against every other, from every seat.
- `elo`: strengths with their intervals.
"""
