"""Desk: parts of the odds desk.

- `law_field`: which law of bricks is used.
- `brick_odds`, `game_odds`, `real_rolls`: its tabs; `roll_words`: the texts of rolls, for a page.
"""
