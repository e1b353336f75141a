"""App: the pages that `brickphys view` shows in a browser; loads NiceGUI.

- `serve`: starts the server, on this machine alone if nobody says otherwise.
- `gate`: who may come in.
- `modules`: the player's files, as a server gives them out.
- `player`: the player as an element of a page.
- `pages`: the start page, the throw lab, and the page of a file.
"""
