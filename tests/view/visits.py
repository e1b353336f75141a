"""Visits: a page of the app as the server sees it, with a browser that is only simulated."""

import asyncio
import json
import re
import sys
from contextlib import asynccontextmanager
from inspect import Signature, signature

from nicegui import ui
from nicegui.page import page
from nicegui.testing import user_simulation

from brickphys.view.app.pages import add_pages
from brickphys.view.app.start_page import ENTRIES

_PATIENCE_S = 300.0
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
    """A visitor: what its tab keeps, which programs it was sent, and what its player was told to show."""

    def __init__(self, user, kept):
        self.user, self.kept, self.sent, self.shown = user, kept, [], []

    async def open(self):
        """Open the page; from now on its programs are done here."""
        client = await self.user.open("/")
        emit = client.outbox._emit

        async def emitted(message):
            _, kind, data = message
            if kind != "run_javascript":
                await emit(message)
                return
            self.sent.append(data["code"])
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

    def elements(self, kind, text=None, hears=""):
        """Return the elements of a kind with a label or text, or of those the ones that hear of an event."""
        with self.user:
            return [
                element
                for element in ui.context.client.elements.values()
                if isinstance(element, kind)
                and (text is None or text in _names(element))
                and hears in ("", *(heard.type for heard in element._event_listeners.values()))
            ]

    def one(self, kind, text=None):
        """Return the element of a kind with a label or text."""
        (element,) = self.elements(kind, text)
        return element

    def html(self):
        """Return all HTML that the page shows."""
        return [element.content for element in self.elements(ui.html)]

    def texts(self):
        """Return every text on the page that is seen."""
        return [
            str(getattr(one, "text", "") or one.props.get("label", ""))
            for one in self.elements(ui.element)
            if all(each.visible for each in (one, *one.ancestors()))
        ]

    def sees(self, text):
        """Whether the page shows a text."""
        return any(text in one for one in self.texts())

    def click(self, text, kind=ui.button):
        """Click a button, the last one with a text."""
        self.tell(self.elements(kind, text, "click")[-1], "click")

    def enter(self, label, value, kind=ui.number):
        """Type a value into a field, and leave it."""
        field = self.one(kind, label)
        field.value = value
        self.tell(field, "change")

    def choose(self, label, value):
        """Choose from a list."""
        with self.user:
            self.one(ui.select, label).value = value

    def in_picture(self, event, detail):
        """Do something in the picture."""
        (place,) = (one for one in self.elements(ui.element) if "player-place" in one.classes)
        self.tell(place, event, {"detail": detail})

    async def open_file(self, ending, name, content):
        """Open a file by the button for files of an ending."""
        upload = next(one for one in self.elements(ui.upload) if ending in str(one.props))
        with self.user:
            await upload.handle_uploads([Sent(name, content)])

    def tell(self, element, event, args=None):
        """Let an element hear of an event."""
        with self.user:
            found = self.user.find(kind=type(element))
            found.elements = {element}
            found.trigger(event, args)

    async def until(self, wanted):
        """Wait until something holds, or the page shows a text."""
        async with asyncio.timeout(_PATIENCE_S):
            while not (self.sees(wanted) if isinstance(wanted, str) else wanted()):
                await asyncio.sleep(0.01)


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


def _names(element):
    return (*map(element.props.get, ("label", "aria-label")), getattr(element, "text", None))


def visited(fill, check, kept=None):
    """Open a page that `fill` makes, and let a visitor check it."""

    async def run():
        async with simulated(fill) as user:
            visit = Visit(user, {} if kept is None else kept)
            await visit.open()
            try:
                await check(visit)
            finally:  # asyncio of Python 3.11 may lose the cancellation of its loop
                user.client.outbox.stop()

    asyncio.run(run())


def as_test(run):
    """Return what makes a test of an async function of a visitor and of fixtures; `run` lets a visitor do a script."""

    def decorate(function):
        def test(**fixtures):
            run(lambda visitor: function(visitor, **fixtures))

        _, *others = signature(function).parameters.values()
        test.__signature__ = Signature(others)
        test.__name__, test.__doc__ = function.__name__, function.__doc__
        return test

    return decorate


def in_loop(function):
    """Let a test be an async function of fixtures."""

    def test(**fixtures):
        asyncio.run(function(**fixtures))

    test.__signature__ = signature(function)
    test.__name__, test.__doc__ = function.__name__, function.__doc__
    return test


def on_page(fill, kept=None):
    """Let a visitor of a page that `fill` makes do a test."""
    return as_test(lambda script: visited(fill, script, kept))


def in_app(function):
    """Let a person with all pages of the app do a test, without a browser and in its own process."""

    async def run(script):
        fault = None
        async with simulated(lambda: None) as user:
            add_pages(ENTRIES)
            try:
                await script(user)
            except Exception as error:  # NiceGUI only ends its loops without one
                fault = error
        if fault is not None:
            raise fault

    return as_test(lambda script: asyncio.run(run(script)))(function)
