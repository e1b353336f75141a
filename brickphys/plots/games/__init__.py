"""Pictures of the games, each by a painter of its own.

- `bow`: battles on their fields; `bow_colors`: their colours by height; `bow_sheet`: a sheet as a plate with studs.
- `minifig`: battles and campaigns; `minifig_figures`: figures from above and their sheets.
- `pirate_wars`: battles; `pirate_wars_ship`: ships, their damage charts and sheets.
- `blade_and_bow`: battles, counters and sheets.
"""
