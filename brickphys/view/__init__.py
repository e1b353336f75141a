"""View: scenes in space and time, and the page in a browser that shows them.

- `recording`: a scene as values: things, tracks, events, marks, viewpoints.
- `document`: a recording as plain JSON, and as one HTML file.
- `solids`: prisms, boards, studs, grids and trees; colours of players and poses, which also differ in lightness.
- `models`: models of pieces, thrown bodies, figures with what they hold.
- `throw`: a throw, its floor, and others of its run at rest.
- `settling`: many throws until all are at rest; two recordings side by side; the bricks of a roll of a game.
- `signs`: ways, the hulls that sweep over them, and stars where they hit.
- `collision`: a compulsory move as geometry and as rigid bodies.
- `builder`: what a game builds for itself, as things with tracks; what description sheets describe.
- `games/`: the builders of the games.
- `battle`: a game that was played, or goes on.
- `chances`: the chance to win over a game that was judged, below its picture.
- `judgement`: the report page of the collisions that another program finds.
- `study_run`: one run of a study.
- `app/`: the pages that a server on this machine shows.
- `static/`: the player in JavaScript, and three.js.
"""
