"""Response: the shares of poses as a function of all uncertain causes.

- `design`: bricks thrown at many points of these causes.
- `surface`: shares of poses as a function of them, fitted to the design.
- `of_law`: the response surface of the throws of a law.
"""
