"""Pictures of BOW battles.

- `painter`: a battle on its field: ground, decor, figures, vehicles and objects.
- `terrain`: ground and decor; `colors`: their colours by height; `legend`: the entries of the legend.
- `sheet`: a description sheet as a plate with studs.
"""
