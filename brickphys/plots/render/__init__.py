"""Render: pictures of solid things with shadows, in which what never moves is drawn once.

- `solid`: surfaces with colours, of models, prisms, thrown bodies and grounds.
- `raster_kernel`: the loops over triangles and pixels, compiled.
- `studio`: camera, light, things that stand and things that move.
- `captions`: words on a picture.
"""
