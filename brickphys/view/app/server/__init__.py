"""Server: what stands before the pages.

- `serve`: starts the server, on this machine alone if nobody says otherwise; `place`: where it is reached.
- `arrivals`: how long a connection may wait for its request; `token`: what is in the address once.
- `gate`: who may come in; `crowd`: how many.
- `porch`: answers with the start page, and reads and shows a file, while the other pages are being loaded.
"""
