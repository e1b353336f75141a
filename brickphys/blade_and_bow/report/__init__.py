"""Report: a battle as text: its map, its status, its steps and its story.

- `battle_map`: the squares in characters.
"""
