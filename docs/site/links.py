"""Where the texts and files of the repository are in the site, and their links to each other."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_MOVED = {
    "README.md": "start.md",
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
}
_REFERENCE = re.compile(r"brickphys/(?:minifig/(?=campaign/))?(\w+)(?:/state)?/state\.py")
"""Where the state of a game is: in the site a page tells what a bot sees of it."""
_LINK = re.compile(r"(\]\()((?!\w+:)[^)#\s]+)")
COPIED = (".gif", ".jpg", ".pdf", ".png", ".svg", ".webp")
"""Endings of files that pages show as they are."""
_LANGUAGES = {".py": "python", ".toml": "toml", ".yaml": "yaml", "": "docker"}


def pages_of_docs() -> Iterator[Path]:
    """Yield the texts of the repository that are pages, relative to it."""
    yield from map(Path, _MOVED)
    for folder in ("docs", "docs/how-to", "docs/learn"):
        yield from sorted(page.relative_to(ROOT) for page in (ROOT / folder).glob("*.md"))


def site_path(path: Path) -> str:
    """Return where a text, picture, notebook or other file or folder of the repository is in the site."""
    if path.as_posix() in _MOVED:
        return _MOVED[path.as_posix()]
    if view := _REFERENCE.fullmatch(path.as_posix()):
        return f"reference/views/{view[1]}.md"
    if path.suffix == ".ipynb":
        return f"notebooks/{path.stem}.md"
    if path.parts[0] == "docs" and path.suffix in (".md", *COPIED):
        return path.relative_to("docs").as_posix()
    return f"source/{path.as_posix()}.md"


def relinked(page: Path, text: str) -> tuple[str, set[Path]]:
    """Return the text of a page with links within the site, and what it links to."""
    folder, targets = Path(site_path(page)).parent, set()

    def link(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(page.parent / match[2]))
        if not (
            ROOT / target
        ).exists():  # what looks like a link in code, or a picture of a notebook
            return match[0]
        targets.add(target)
        return match[1] + os.path.relpath(site_path(target), folder)

    return _LINK.sub(link, text), targets


def indented(text: str) -> str:
    """Return a text whose lists hold what is in them by four blanks a level, as Python-Markdown wants them.

    Elsewhere it is as many blanks as the mark of an item is wide, and no empty line need end its paragraphs.
    """
    is_code, is_loose, width, lines = False, False, 0, []
    for line in text.split("\n"):
        is_code ^= line.startswith("```")
        blanks = len(line) - len(line.lstrip())
        if width and not is_code:
            line = " " * (4 * (blanks // width) + blanks % width) + line[blanks:]
        if not line:
            is_loose = True
        elif not blanks and not is_code:
            item = re.match(r"(\d+\.|[-*]) +", line)
            if item and width and is_loose and lines[-1]:
                lines.append("")
            is_loose, width = False, len(item[0]) if item else 0
        lines.append(line)
    return "\n".join(lines)


def source_page(path: Path) -> str:
    """Return a page that shows a file, or all files of a folder."""
    files = [path] if (ROOT / path).is_file() else _files(path)
    blocks = [f"# `{path}`"]
    for file in files:
        if file != path:
            blocks.append(f"## `{file.relative_to(path)}`")
        text = (ROOT / file).read_text(encoding="utf-8").rstrip()
        blocks.append(f"~~~~~{_LANGUAGES.get(file.suffix, 'text')}\n{text}\n~~~~~")
    return "\n\n".join(blocks) + "\n"


def _files(folder: Path) -> list[Path]:
    found = (ROOT / folder).rglob("*")
    return sorted(path.relative_to(ROOT) for path in found if path.suffix in (".py", ".toml"))
