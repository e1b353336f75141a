"""Crowd: so many pages are open at a server, and no more; each holds memory of this machine."""

from nicegui import Client
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

MOST_PAGES = 100
_FILES = "/_nicegui"
"""Where addresses begin that are not pages."""


class Crowd:
    """Refuses further pages while as many are open as the server takes.

    Parameters
    ----------
    app
        What is behind it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        is_page = scope["type"] == "http" and not scope["path"].startswith(_FILES)
        if is_page and len(Client.instances) >= MOST_PAGES:
            answer = PlainTextResponse(
                f"{MOST_PAGES} pages are open here, as many as this server takes: close one, "
                "wait a minute, and load this page again.",
                status_code=503,
            )
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)
