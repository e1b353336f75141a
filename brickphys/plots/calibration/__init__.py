"""Plots of throws, laws and their comparison with reality.

- `throws`: the flight of one brick, and the share of many settling down; `throw_film`: a throw from two sides.
- `poses`: how thrown bodies stopped, and in what a body can rest.
- `law`: a measured law: its poses, its scores, its uncertainty; `laws`: several of them.
- `tornado`: how far each cause moves the chance of a side.
- `agreement`: shares of the same throws by several engines.
- `infer`: results of bricks thrown at home.
- `tosses`: simulated against real tosses, their chances, and the fit between them.
- `rolls`: published rolls of prisms and coins beside simulated ones.
"""
