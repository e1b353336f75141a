"""Check a built site: whatever a page loads is in the site, and every link leads somewhere."""

import os
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Links(HTMLParser):
    """The anchors of a page, where it links to, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = {""}
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element names."""
        named = dict(attrs)
        self.anchors |= {str(named[key]) for key in ("id", "name") if key in named}
        if tag == "a":
            self.links.append(named.get("href") or "")
        elif named.get("rel") not in ("canonical", "prev", "next"):
            self.loaded += [str(named[key]) for key in ("src", "href") if named.get(key)]


def problems(site: Path) -> Iterator[str]:
    """Yield what a site loads from elsewhere, and the links that lead nowhere."""
    read = {
        page: _Links() for page in site.rglob("*.html") if page.name != "404.html"
    }  # of a server
    for page, found in read.items():
        found.feed(page.read_text(encoding="utf-8"))
    for page, found in read.items():
        name = page.relative_to(site)
        yield from (f"{name}: loads {url}" for url in found.loaded if urlsplit(url).netloc)
        for url in {*found.links, *found.loaded}:
            parts = urlsplit(url)
            if parts.scheme or parts.netloc:
                continue
            target = (
                Path(os.path.normpath(page.parent / unquote(parts.path))) if parts.path else page
            )
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{name}: {url} is missing"
            elif target in read and unquote(parts.fragment) not in read[target].anchors:
                yield f"{name}: {url} has no such anchor"
    for sheet in site.rglob("*.css"):
        for url in re.findall(r"url\(['\"]?(https?:[^)]*)", sheet.read_text(encoding="utf-8")):
            yield f"{sheet.relative_to(site)}: loads {url}"
