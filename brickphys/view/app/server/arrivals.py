"""Arrivals: connections that have not sent a whole request yet get no more than their time and their number."""

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEADERS_S = 10.0
"""Time for the head of a request, and between two requests; a browser needs milliseconds."""
MOST_WAITING = 200
"""Connections without a request; the oldest gives way to the next, so whoever asks at once always comes in."""
MOST_OF_ADDRESS = 100
"""Of one address among them."""


class Arrival(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection of uvicorn that waits for a request only for a while.

    uvicorn counts connections, but gives each all the time that it wants for the head of a request. A few hundred half
    requests, which need no token, would keep everybody out.
    """

    waiting: ClassVar[dict["Arrival", str]] = {}
    """Connections without a request, the oldest first, with their addresses."""
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; a whole head ends the wait."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the wait."""
        self._end()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Begin or end the wait."""
        is_taken = self.transport.is_closing() or self.transport.get_protocol() is not self
        if is_taken or not (self.cycle is None or self.cycle.response_complete):
            self._end()
        elif self._late is None:
            self._late = asyncio.get_running_loop().call_later(HEADERS_S, self.transport.abort)
            self.waiting[self] = self.client[0] if self.client else ""
            self._make_room()

    def _end(self) -> None:
        self.waiting.pop(self, None)
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _make_room(self) -> None:
        """Let the oldest connection go, of the same address or of all, if too many wait."""
        own = [one for one, address in self.waiting.items() if address == self.waiting[self]]
        for found, most in ((own, MOST_OF_ADDRESS), ([*self.waiting], MOST_WAITING)):
            if len(found) > most:
                oldest = found[0]
                oldest._end()
                oldest.transport.abort()
