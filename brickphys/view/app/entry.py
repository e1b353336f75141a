"""Entry: a page of the app as a value, which is there before NiceGUI is loaded; and the list of those always there."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True)
class FirstPicture:
    """What is seen of a file first.

    Parameters
    ----------
    text
        The document of a recording, or HTML.
    kind
        Media type of that.
    """

    text: str
    kind: str


@dataclass(frozen=True)
class Entry:
    """A page to which the start page leads.

    Parameters
    ----------
    address
        Its path on the server.
    title
        Its name.
    about
        What one does there, as the start page tells it.
    fill
        Adds what is on it; it may wait for the browser.
    read
        Reads and checks the file that it shows; BrickphysError if that cannot be shown. None for no file.
    first
        Returns what is seen of that file while NiceGUI is being loaded; None for nothing.
    is_drawn
        Whether that is drawn in three dimensions, for which the browser gets ready.
    """

    address: str
    title: str
    about: str
    fill: Callable[[], Awaitable[None]]
    read: Callable[[], object] | None = None
    first: Callable[[], FirstPicture] | None = None
    is_drawn: bool = False


@dataclass(frozen=True)
class ModulePage:
    """Fills a page by the function of a module of the same name.

    Parameters
    ----------
    name
        Of the module in this package.
    given
        Returns what the function is called with.
    """

    name: str
    given: Callable[[], Sequence[object]] = tuple

    def load(self) -> None:
        """Load the module, and with it NiceGUI; the first visitor waits that much less."""
        import_module(f"{__package__}.{self.name}")

    async def __call__(self) -> None:
        """Fill the page."""
        from brickphys.view.app.frame import fill_by_module

        await fill_by_module(self.name, self.given())


ENTRIES = (
    Entry(
        "/throw",
        "Throw lab",
        "throw bricks in slow motion, one or a hundred or ten thousand, and see how often they stop on a side",
        ModulePage("throw_page"),
    ),
    Entry(
        "/odds",
        "Odds desk",
        "how likely your attack succeeds, what one more brick is worth, and whether your own bricks are usual",
        ModulePage("odds_page"),
    ),
    Entry(
        "/scene",
        "Crash view",
        "set up vehicles, figures and walls, drive, and see what is hit and who has to resist",
        ModulePage("scene_page"),
    ),
    Entry(
        "/play",
        "Play",
        "fight a battle against the computer or each other, by clicking; or go on with a saved one",
        ModulePage("battles.play_page"),
    ),
)
"""The pages that are always there, in the order of the start page."""
