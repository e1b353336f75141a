"""Build the documentation site: ``make docs``.

The pages are put together in ``out/pages`` (texts of ``docs/``, notebooks, pages made of docstrings, commands and
schemas), made a site in ``out/site``, and the site is checked.
"""

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomli_w
from nbconvert import MarkdownExporter

from docs.site.check import problems
from docs.site.formats import FORMATS, format_pages
from docs.site.links import COPIED, ROOT, indented, pages_of_docs, relinked, site_path, source_page
from docs.site.reference import TOPICS, api_pages, command_pages
from docs.site.views import view_pages

HERE = Path(__file__).parent
OUT = ROOT / "out"
PAGES, SITE = OUT / "pages", OUT / "site"


def main() -> None:
    """Write the pages, build the site, and end with status 1 if anything is wrong with it."""
    for folder in (PAGES, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    write_pages(PAGES)
    config = tomllib.loads((HERE / "zensical.toml").read_text(encoding="utf-8"))
    config["project"]["nav"] = list(filled(config["project"]["nav"], PAGES))
    (OUT / "zensical.toml").write_text(tomli_w.dumps(config), encoding="utf-8")
    built = subprocess.run([sys.executable, "-m", "zensical", "build", "--clean"], cwd=OUT)
    if built.returncode:
        sys.exit("the site was not built: see above")
    write_worker(SITE)
    if found := sorted(problems(SITE)):
        sys.exit("\n".join(found))
    files = [path for path in SITE.rglob("*") if path.is_file()]
    pages = sum(path.suffix == ".html" for path in files)
    size = sum(path.stat().st_size for path in files)
    print(f"{SITE.relative_to(ROOT)}/index.html: {pages} pages, {size / 1e6:.1f} MB")


def write_pages(to: Path) -> None:
    """Write all pages, and what they show, below a folder."""
    linked: set[Path] = set()
    for page in pages_of_docs():
        text, targets = relinked(page, indented((ROOT / page).read_text(encoding="utf-8")))
        _write(to / site_path(page), text)
        linked |= targets
    for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
        linked |= _write_notebook(notebook.relative_to(ROOT), to)
    for target in linked:
        if target.suffix in COPIED:
            (to / site_path(target)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / target, to / site_path(target))
        elif site_path(target).startswith("source/"):
            _write(to / site_path(target), source_page(target))
    for name in ("index.md", "extra.css"):
        shutil.copy(HERE / name, to)
    for folder, pages in (
        ("python", api_pages()),
        ("commands", command_pages()),
        ("formats", format_pages()),
        ("views", view_pages()),
    ):
        for name, text in pages.items():
            _write(to / "reference" / folder / name, text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _write_notebook(notebook: Path, to: Path) -> set[Path]:
    """Write a notebook as a page with its pictures, and itself; return what it links to."""
    names = {"unique_key": notebook.stem, "output_files_dir": f"{notebook.stem}_files"}
    exported, resources = MarkdownExporter().from_filename(str(ROOT / notebook), resources=names)
    text, linked = relinked(notebook, exported)
    head, _, rest = text.partition("\n")
    _write(to / site_path(notebook), f"{head}\n\n[The notebook itself]({notebook.name})\n{rest}")
    shutil.copy(ROOT / notebook, to / "notebooks")
    for name, content in resources["outputs"].items():
        (to / "notebooks" / name).parent.mkdir(exist_ok=True)
        (to / "notebooks" / name).write_bytes(content)
    return linked


def write_worker(site: Path) -> None:
    """Write the script that lets the search run where a page is a file: there a browser starts no worker by its name.

    It is called as the script that Zensical would load from elsewhere for this.
    """
    (worker,) = site.glob("assets/javascripts/workers/search.*.js")
    source = json.dumps(worker.read_text(encoding="utf-8"))
    text = f"""if (location.protocol === "file:") {{
  const search = new Blob([{source}], {{ type: "text/javascript" }});
  window.Worker = class extends Worker {{ constructor() {{ super(URL.createObjectURL(search)); }} }};
}}
"""
    _write(site / "iframe-worker.js", text)


def filled(nav: Any, pages: Path) -> Iterator[Any]:
    """Yield the entries of a navigation; a folder becomes the list of its pages."""
    for entry in nav:
        ((title, place),) = entry.items()
        if isinstance(place, list):
            yield {title: list(filled(place, pages))}
        elif place.endswith("/"):
            order = [
                "index",
                *({"reference/python/": TOPICS, "reference/formats/": FORMATS}.get(place, ())),
            ]
            found = sorted(page.stem for page in (pages / place).glob("*.md"))
            names = sorted(
                found, key=lambda name: order.index(name) if name in order else len(order)
            )
            yield {title: [f"{place}{name}.md" for name in names]}
        else:
            yield entry


if __name__ == "__main__":
    main()
