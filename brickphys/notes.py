"""Notes: what the library says while it works, a line each; silent unless somebody listens."""

import logging

NOTES = logging.getLogger("brickphys")


def show_notes() -> None:
    """Print notes on standard error, as the command line does."""
    if not NOTES.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("brickphys: %(message)s"))
        NOTES.addHandler(handler)
        NOTES.setLevel(logging.INFO)
