"""Turns of BOW.

- `action_types`: the tables of all action types and pending types, and what a player chooses from.
- `rounds`: the roll for the start, turns, marks, and what follows by itself between two choices.
- `victory`: the last side, the aims of a scenario, and points.
- `state_problems`: checks of a state that was read from text; `overlaps`: which things fill the same space.
"""
