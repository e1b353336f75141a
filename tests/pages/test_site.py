"""The documentation site: its navigation is whole, its links lead somewhere, and what is generated says everything."""

import json
import re
import tomllib
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import click
import pytest
from jsonschema import Draft202012Validator

import brickphys
from brickphys.cli.main import cli
from docs.site.check import problems
from docs.site.formats import FORMATS, format_pages, meanings, schemas, tables
from docs.site.links import ROOT, indented, pages_of_docs, relinked, site_path, source_page
from docs.site.reference import TOPICS, api_pages, command_pages
from docs.site.views import classes, view_class, view_pages
from docs.site.views import meanings as attribute_meanings

PAGES = list(pages_of_docs())
CONFIG = tomllib.loads((ROOT / "docs" / "site" / "zensical.toml").read_text(encoding="utf-8"))
Pages = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def reference() -> Pages:
    """Return the generated pages by file, by folder."""
    return {
        "python": api_pages(),
        "commands": command_pages(),
        "formats": format_pages(),
        "views": view_pages(),
    }


def places(nav: Any) -> Iterator[str]:
    """Yield the pages of a navigation."""
    for entry in nav:
        for place in entry.values():
            yield from [place] if isinstance(place, str) else places(place)


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a page."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_in_the_navigation_once() -> None:
    found = list(places(CONFIG["project"]["nav"]))
    assert len(found) == len(set(found))
    written = {site_path(page) for page in PAGES} | {"index.md"}
    assert {place for place in found if not place.endswith("/")} == written
    assert {place for place in found if place.endswith("/")} == {
        "notebooks/",
        *(f"reference/{kind}/" for kind in ("python", "commands", "formats", "views")),
    }


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_what_a_page_points_to_exists(page: Path) -> None:
    for place, anchor in re.findall(
        r"\]\(((?!\w+:)[^)#\s]*)(#[^)]*)?\)", (ROOT / page).read_text()
    ):
        target = ROOT / (page.parent / place if place else page)
        assert target.exists(), place
        assert not anchor or anchor[1:] in anchors(target.read_text()), place + anchor


def test_links_lead_to_where_things_are_in_the_site() -> None:
    text, targets = relinked(
        Path("docs/games.md"), "[a](../brickphys/rules/game.py) [b](games.md#a-bot) x[0](y)"
    )
    assert text == "[a](source/brickphys/rules/game.py.md) [b](games.md#a-bot) x[0](y)"
    assert targets == {Path("brickphys/rules/game.py"), Path("docs/games.md")}
    assert relinked(Path("docs/how-to/bot.md"), "[](../games.md)")[0] == "[](../games.md)"
    assert relinked(Path("README.md"), "![](docs/img/law.png)")[0] == "![](img/law.png)"
    assert relinked(Path("docs/tour.md"), "[](../README.md)")[0] == "[](start.md)"
    state = "../../brickphys/bow/state.py"
    assert (
        relinked(Path("docs/how-to/bot.md"), f"[]({state})")[0] == "[](../reference/views/bow.md)"
    )
    assert "## `felt.toml`" in source_page(Path("docs/bodies"))


def test_how_to_write_a_bot_links_to_what_it_sees_in_each_game(reference: Pages) -> None:
    page = Path("docs/how-to/bot.md")
    text, _ = relinked(page, (ROOT / page).read_text(encoding="utf-8"))
    assert {*re.findall(r"\(\.\./reference/views/(\w+\.md)", text), "index.md"} >= {
        *reference["views"]
    }


def test_the_front_page_points_to_pages(reference: Pages) -> None:
    known = {site_path(page) for page in PAGES}
    known |= {f"reference/{kind}/{name}" for kind, pages in reference.items() for name in pages}
    known |= {f"notebooks/{path.stem}.md" for path in (ROOT / "notebooks").glob("*.ipynb")}
    text = (ROOT / "docs" / "site" / "index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(([^)]*\.md)\)", text)) <= known


def test_lists_hold_their_paragraphs_and_code_stays() -> None:
    numbered = "1. One\n\n   ```\n    code\n   ```\n2. Two\n   goes on"
    assert indented(numbered) == "1. One\n\n    ```\n     code\n    ```\n\n2. Two\n    goes on"
    assert indented("- One\n  - Inner\n- Two\n\nEnd") == "- One\n    - Inner\n- Two\n\nEnd"
    for same in (
        "```\n  code\n- no item\n   code\n```",
        "1. One\n2. Two",
        "    code",
        "- One\n\nText\n  goes on",
    ):
        assert indented(same) == same


def test_every_public_name_has_a_page(reference: Pages) -> None:
    assert sorted(name for names in TOPICS.values() for name in names) == brickphys.__all__
    pages = reference["python"]
    for topic, names in TOPICS.items():
        for name in names:
            assert f'heading: "brickphys.{name}"' in pages[f"{topic}.md"]
            assert f"[`{name}`]({topic}.md#brickphys." in pages["index.md"]
    assert "::: brickphys.odds.answer.Odds\n" in pages["odds.md"]
    for name in ("Crash", "Impact", "ThingOutcome"):
        assert f"::: brickphys.vehicles.crash_outcome.{name}\n" in pages["collisions.md"]


def test_every_command_has_a_page_with_all_its_options(reference: Pages) -> None:
    pages = reference["commands"]
    with click.Context(cli) as context:
        found = {
            f"{name}.md": cli.get_command(context, name) for name in cli.list_commands(context)
        }
    assert {"index.md", *found} == pages.keys()
    for page, command in found.items():
        for option in [] if command is None else command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert f"`{option.opts[0]}" in pages[page]


def test_a_page_has_the_commands_below_a_command_and_its_examples(reference: Pages) -> None:
    pages = reference["commands"]
    batch, odds = pages["batch.md"], pages["odds.md"]
    assert batch.startswith("# brickphys batch\n\n```text\nbrickphys batch [OPTIONS] COMMAND")
    assert "\n\n## brickphys batch run\n\n```text\nbrickphys batch run [OPTIONS] SPEC\n" in batch
    assert "\n| `--dask ADDRESS` | " in batch
    assert "```sh\nbrickphys odds 3 2\n" in odds
    assert "\n\n### brickphys odds pirate_wars morale\n" in odds
    assert "\b" not in "".join(pages.values())


@pytest.mark.parametrize("name", FORMATS)
def test_every_key_of_a_file_has_a_meaning(name: str) -> None:
    for model in schemas(name).values():
        for table in tables(model):
            missing = [key for key, meaning in meanings(table).items() if not meaning]
            assert not missing, f"{table.__module__}:{table.__name__} has no text for {missing}"


def test_a_key_tells_its_type_its_default_and_its_limits(reference: Pages) -> None:
    pages = reference["formats"]
    assert "| `name` | text | **needed** |" in pages["surface.md"]
    assert "| `friction` | [number, number] | **needed** |" in pages["surface.md"]
    assert '| `unit` | mm, cm, m, in, or its length in mm | `"mm"` |' in pages["body.md"]
    assert "| `edge_radius_mm` | a number, or [least, greatest] | `0.0` |" in pages["body.md"]
    assert "| `vehicle` | list of [`[[vehicle]]`](#vehicle) | **needed** |" in pages["scene.md"]
    assert "### `[[move.piece]]`" in pages["scene.md"]
    assert "| `prior_hands` | table: name = list of integers (at least 0) |" in pages["law.md"]
    assert "| `poses_ci95` | table: name = [number (0 to 1), number (0 to 1)] |" in pages["law.md"]


@pytest.mark.parametrize("name", [name for name, about in FORMATS.items() if "example" in about])
def test_a_json_schema_accepts_the_example_and_no_unknown_key(name: str) -> None:
    validator = Draft202012Validator(next(iter(schemas(name).values())).model_json_schema())
    tables = tomllib.loads((ROOT / FORMATS[name]["example"]).read_text(encoding="utf-8"))
    assert not [*map(str, validator.iter_errors(tables))]
    assert not validator.is_valid({**tables, "unknown": 1})


def test_the_json_schema_of_laws_accepts_those_that_ship() -> None:
    validator = Draft202012Validator(schemas("law")["Keys"].model_json_schema())
    for path in (ROOT / "brickphys" / "laws").glob("*.json"):
        assert validator.is_valid(json.loads(path.read_text(encoding="utf-8")))


def test_a_site_that_loads_from_elsewhere_or_links_nowhere_is_told(tmp_path: Path) -> None:
    (tmp_path / "other.html").write_text('<h1 id="here">Here</h1>')
    (tmp_path / "index.html").write_text(
        '<script src="https://cdn.example/x.js"></script><a href="other.html#here">right</a>'
        '<a href="other.html#gone">wrong</a><a href="lost.html">wrong</a><a href="https://a.example">away</a>'
    )
    (tmp_path / "page.css").write_text("@font-face {src: url(https://fonts.example/f.woff)}")
    assert sorted(problems(tmp_path)) == [
        "index.html: loads https://cdn.example/x.js",
        "index.html: lost.html is missing",
        "index.html: other.html#gone has no such anchor",
        "page.css: loads https://fonts.example/f.woff",
    ]


@pytest.mark.parametrize("name", brickphys.games())
def test_everything_in_the_view_of_a_bot_has_a_meaning(name: str) -> None:
    for kind in classes([view_class(brickphys.game(name))]):
        if not issubclass(kind, Enum):  # the names of members mostly say it
            missing = [key for key, meaning in attribute_meanings(kind).items() if not meaning]
            assert not missing, f"{kind.__module__}:{kind.__name__} has no text for {missing}"


def test_a_page_tells_what_a_bot_sees_and_can_do(reference: Pages) -> None:
    pages = reference["views"]
    assert {"index.md", *(f"{name}.md" for name in brickphys.games())} == pages.keys()
    bow = pages["bow.md"]
    assert "\n| `units` | tuple of [UnitState](#unitstate) |" in bow
    assert "\n| `damage` | int | Damage points (BOW 2.4.3). |" in bow
    assert "\n| `sheet` | [MinifigSheet](#minifigsheet) |" in bow
    assert "\n| `stance(unit)` | Stance | Return the place of a unit;" in bow
    assert "\n| `attack` | `target`: str, `weapon`: str | Attack an enemy unit" in bow
    assert "\n| `drop` | `item`: str, `place`: [Place](#place) |" in bow
    assert "`changed" not in bow  # only the rules change a state
    assert "[State](minifig.md) or None" in pages["campaign.md"]
    for page in pages.values():
        linked = re.findall(r"\]\(#(\w+)\)", page)
        assert {*linked} <= anchors(page)
