"""App: the pages that `brickphys view` shows in a browser; loads NiceGUI.

- `serve`: starts the server, on this machine alone if nobody says otherwise.
- `gate`: who may come in.
- `modules`: the player's files, as a server gives them out.
- `player`: the player as an element of a page.
- `entry`: a page as a value, and the frame that all have.
- `pages`: all of them; each is a module of its own: `start_page`, `throw_page`, `odds_page`,
  `scene_page`, `study_page`, `law_page`, `sheet_page`.
- `lab/`: parts of `throw_page`; `desk/`: parts of `odds_page`.
- `thing_fields`, `move_fields`, `number_field`, `crash_panel`, `crash_run`, `scene_tables`: parts of `scene_page`.
- `table`, `picture`: rows and figures as HTML; `parts`: what several pages are made of.
- `battles/`: battles are played by clicking, and watched.
"""
