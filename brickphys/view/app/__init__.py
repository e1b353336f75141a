"""App: the pages that `brickphys view` shows in a browser; loads NiceGUI.

- `server`: starts the server, which answers with the start page while the other pages are being loaded.
- `access`: who may use it.
- `start_page`: what is there before NiceGUI is loaded: the start page, the first page of a file, the player's files.
- `pages`: adds all pages to NiceGUI, and what all of them have.
- `throw_page`, with `throw_fields`: the throw lab.
- `odds_page`, with `brick_odds` and `game_odds`: the odds desk, and the page of a law.
- `scene_page`, with `scene_fields` and `crash`: the crash view.
- `study_page`, `sheet_page`: the pages of a study and of description sheets.
- `battles/`: battles are played by clicking, and watched.
- `tables`: the games of this server that are played on several machines, as they are kept.
- `jobs`: what takes longer than a moment is done beside the loop that answers all visitors.
- `player`: the player as an element of a page; `elements`: other elements of several pages.
- `glossary`: what terms mean; `files`: files that a person opens and saves, and texts that a tab keeps.
- `page_html`: rows and matplotlib figures as HTML.
"""
