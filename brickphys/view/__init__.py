"""View: scenes in space and time, and the page in a browser that shows them.

- `recording`: a scene as values: things, tracks, events, marks, views.
- `document`: a recording as plain JSON.
- `recording_schema`: keys and types of that, and its check.
- `page`: a recording as one HTML file.
- `colours`: colours of players and poses, which also differ in lightness.
- `shapes/`: what things look like.
- `throw`: a throw; `floor`: what it falls on; `settled`: others of its run at rest, in rows by their poses.
- `settling`: many throws at once, until all are at rest; `beside`: two recordings side by side.
- `field`: the field of a vehicle's move, and what stands on it.
- `sweep`: a compulsory move as geometry.
- `crash`: a compulsory move as rigid bodies.
- `builder`: what a game builds for itself; `bow/`, `minifig/`, `pirate_wars/` and `blade_and_bow/` do.
- `battle`: a game that was played; `live_battle`: one that goes on.
- `footage`: what happens in a game, event by event; `cast`: what is on the table meanwhile, as things with tracks.
- `rolled`: the bricks of a roll of a game.
- `row`: one run of a study; `sheet_scene`: what description sheets describe.
- `app/`: the pages that a server on this machine shows.
- `static/`: the player in JavaScript, and three.js.
"""
