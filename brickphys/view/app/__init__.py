"""App: the pages that `brickphys view` shows in a browser; loads NiceGUI.

- `server/`: starts the server, and says who may come in.
- `jobs`: what takes longer than a moment is done beside the loop that answers all visitors.
- `modules`: the player's files, as a server gives them out.
- `player`: the player as an element of a page.
- `entry`: a page as a value, and the list of pages; `frame`: what all pages have.
- `pages`: adds all pages to NiceGUI; each is a module of its own: `start_page`, `throw_page`, `odds_page`,
  `scene_page`, `study_page`, `law_page`, `sheet_page`.
- `first_page`: a file without NiceGUI, until the whole page is loaded.
- `study_watch`: what several pages show of a study is read once.
- `lab/`: parts of `throw_page`; `desk/`: parts of `odds_page`; `crash/`: parts of `scene_page`.
- `glossary`, `heading`, `status_line`, `number_field`: elements of several pages.
- `html_table`, `html_image`: rows and matplotlib figures as HTML; `table_element`: rows as an element of a page;
  `law_table`: a law's rows.
- `browser_files`: files that a person opens and saves; `tab_storage`: what a tab keeps.
- `battles/`: battles are played by clicking, and watched.
"""
