"""Visits: a page of the app as the server sees it, with a browser that is only simulated."""

import asyncio
import json
import re
import sys
from contextlib import asynccontextmanager

from nicegui import ui
from nicegui.page import page
from nicegui.testing import user_simulation

_PATIENCE_S = 60.0
_TRIES = 1_000  # NiceGUI waits 0.05 to 0.1 s between two
page.__init__.__kwdefaults__["response_timeout"] = _PATIENCE_S  # that of the page at the root
_GET = re.compile(r"return sessionStorage\.getItem\((.*)\)", re.DOTALL)
_SET = re.compile(r'getItem\(("[^"]*")\).*slice\(0, (\d+)\).*lines\.concat\((\[.*\])\)', re.DOTALL)
_SHOW = re.compile(r".*\.show\((\{.*\})\)$", re.DOTALL)


@asynccontextmanager
async def simulated(fill):
    """Simulate a person in the app that `fill` makes.

    NiceGUI then forgets the modules of its pages and all packages around them. They are put back: commands that are
    tested later have the same ones.
    """
    loaded = {}
    try:
        async with user_simulation(fill) as user:
            try:
                yield user
            finally:
                loaded.update(sys.modules)
    finally:
        for name, module in loaded.items():
            sys.modules.setdefault(name, module)


class Visit:
    """A visitor: what its tab keeps, and what its player was told to show."""

    def __init__(self, user, kept):
        self.user, self.kept, self.shown = user, kept, []

    async def open(self):
        """Open the page; from now on its programs are done here."""
        client = await self.user.open("/")
        emit = client.outbox._emit

        async def emitted(message):
            _, kind, data = message
            if kind != "run_javascript":
                await emit(message)
                return
            result = self._done(data["code"])
            if "request_id" in data:
                client.handle_javascript_response(
                    {"request_id": data["request_id"], "result": result}
                )

        client.outbox._emit = emitted

    def _done(self, code):
        """Do a program of the page, and return its result."""
        if found := _GET.fullmatch(code):
            return self.kept.get(json.loads(found[1]))
        if found := _SET.search(code):
            name, start, lines = json.loads(found[1]), int(found[2]), json.loads(found[3])
            before = self.kept.get(name, "").split("\n")[:start]
            self.kept[name] = "\n".join(before + lines)
        elif found := _SHOW.fullmatch(code):
            self.shown.append(json.loads(found[1]))
        return None

    def one(self, kind, text=None):
        """Return the element of a kind with a label or text."""
        (element,) = self._all(kind, text)
        return element

    def has(self, kind, text):
        """Whether there is such an element."""
        return bool(self._all(kind, text))

    def _all(self, kind, text):
        with self.user:
            return [
                element
                for element in ui.context.client.elements.values()
                if isinstance(element, kind) and text in (None, _name(element))
            ]

    def click(self, text):
        """Click a button."""
        self.tell(self.one(ui.button, text), "click")

    def enter(self, label, value, kind=ui.number):
        """Type a value into a field, and leave it."""
        field = self.one(kind, label)
        field.value = value
        self.tell(field, "change")

    def choose(self, label, value):
        """Choose from a list."""
        with self.user:
            self.one(ui.select, label).value = value

    def tell(self, element, event, args=None):
        """Let an element hear of an event."""
        with self.user:
            found = self.user.find(kind=type(element))
            found.elements = {element}
            found.trigger(event, args)

    async def until(self, holds):
        """Wait until something holds."""
        async with asyncio.timeout(_PATIENCE_S):
            while not holds():
                await asyncio.sleep(0.02)


class Sent(ui.upload.FileUpload):
    """A file that a browser has sent."""

    def __init__(self, name, content):
        super().__init__(name, "text/plain")
        self.content = content

    def size(self):
        return len(self.content)

    async def read(self):
        return self.content

    text = iterate = save = None  # nobody asks for them


async def tells(user, *texts):
    """Wait until the page shows each text."""
    for text in texts:
        await user.should_see(text, retries=_TRIES)


async def hides(user, *texts):
    """Wait until the page shows none of the texts."""
    for text in texts:
        await user.should_not_see(text, retries=_TRIES)


def _name(element):
    return element.props.get("label") or getattr(element, "text", None)


def visited(fill, check, kept=None):
    """Open a page that `fill` makes, and let a visitor check it."""

    async def run():
        async with simulated(fill) as user:
            visit = Visit(user, {} if kept is None else kept)
            await visit.open()
            await check(visit)
            user.client.outbox.stop()  # asyncio of Python 3.11 may lose the cancellation of its loop

    asyncio.run(run())
