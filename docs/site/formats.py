"""Pages on file formats, made of the schemas that read the files; of what only we write, that of `recording_schema`."""

import ast
import inspect
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, get_args, get_origin

from pydantic import BaseModel

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FORMATS: Mapping[str, Any] = tomllib.loads((HERE / "formats.toml").read_text(encoding="utf-8"))
_CSV = """
Counts and filmed throws are CSV files: [columns of counts](../../infer.md), [columns of films](../../measure.md).
[Studies](../../batch.md) describes the folder of a study, which only programs write.
"""
Schema = Mapping[str, Any]
Model = type[BaseModel]


def schemas(name: str) -> dict[str, Model]:
    """Return the schemas of a format by heading."""
    places = FORMATS[name]["schemas"]
    return {
        heading: resolve_name(place if place.startswith("docs.") else f"brickphys.{place}")
        for heading, place in places.items()
    }


def format_pages() -> dict[str, str]:
    """Return the pages and the JSON schemas of all formats, by file; and a list of all."""
    pages, rows = {}, ["| file | what it is for |", "|---|---|"]
    for name, about in FORMATS.items():
        links, sections = [], []
        for heading, model in schemas(name).items():
            file = f"{name}.{model.__name__}.schema.json"
            pages[file] = json.dumps(model.model_json_schema(), indent=1)
            links.append(f"[{file}]({file})")
            sections += [f"## {heading}", *_sections(model)]
        if "example" in about:
            text = (ROOT / about["example"]).read_text(encoding="utf-8").strip()
            sections += [f"## Example\n\n`{about['example']}`:\n\n~~~~~toml\n{text}\n~~~~~"]
        told = f"JSON schema, for editors that complete and check: {', '.join(links)}."
        pages[f"{name}.md"] = "\n\n".join(
            [f"# {about['title']}", about["about"], told, *sections, ""]
        )
        rows.append(f"| [{about['title']}]({name}.md) | {about['about'].strip()} |")
    return {"index.md": "\n".join(["# File formats", "", *rows, "", _CSV]), **pages}


def tables(model: Model) -> dict[Model, str]:
    """Return a document and those in it, each with its head in TOML, such as ``[[vehicle.seat]]``; "" on top."""
    found: dict[Model, str] = {}
    _add_tables(model, "", "{}", found)
    return found


def _add_tables(model: Model, path: str, form: str, found: dict[Model, str]) -> None:
    if model in found:
        return
    found[model] = form.format(path) if path else ""
    for name, field in model.model_fields.items():
        key = field.alias or name
        for inner, inner_form in _documents(field.annotation, "[{}]"):
            _add_tables(inner, f"{path}.{key}" if path else key, inner_form, found)


def _documents(annotation: Any, form: str) -> Iterator[tuple[Model, str]]:
    """Yield the documents that an annotation mentions, each with the form of its head."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation, form
    forms = {list: "[[{}]]", tuple: "[[{}]]", dict: "[{}.NAME]"}
    for part in get_args(annotation):
        yield from _documents(part, forms.get(get_origin(annotation), form))


def meanings(model: Model) -> dict[str, str]:
    """Return what the docstrings below the fields of a schema say, by key; "" for those without one."""
    texts: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            texts |= docstrings(base.__module__).get(base.__name__, {})
    return {field.alias or name: texts.get(name, "") for name, field in model.model_fields.items()}


@lru_cache
def docstrings(module: str) -> dict[str, dict[str, str]]:
    """Return class -> field or member -> the docstring below it, of a module."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = {
                name: " ".join(str(text.value.value).replace("``", "`").split())
                for field, text in zip(node.body, node.body[1:], strict=False)
                if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
                for name in _assigned(field)
            }
    return found


def _assigned(node: ast.stmt) -> list[str]:
    """Return the name to which a statement of a class gives a value or a type."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _sections(model: Model) -> Iterator[str]:
    """Yield a heading, a text and a table of keys for each table of a file."""
    found = tables(model)
    links = {
        inner.__name__: f"[`{head}`](#{''.join(re.findall('[a-z_]', head.lower()))})"
        for inner, head in found.items()
    }
    for inner, head in found.items():
        if head:
            yield f"### `{head}`"
        if head or not str(inner.__doc__).startswith("A whole "):
            yield inspect.cleandoc(inner.__doc__ or "").replace("``", "`")
        yield "| key | type | if left out | meaning |\n|---|---|---|---|\n" + _rows(inner, links)


def _rows(model: Model, links: Mapping[str, str]) -> str:
    schema = model.model_json_schema(ref_template="{model}")
    words = _Words(schema.get("$defs", {}), links)
    told = meanings(model)
    rows = []
    for name, field in model.model_fields.items():
        key = field.alias or name
        entry = schema["properties"][key]
        kind = field.description or words.of(entry)
        default = "**needed**" if key in schema.get("required", ()) else _default(entry)
        rows.append(" | ".join((f"| `{key}`", kind, default, told[key])) + " |")
    return "\n".join(rows)


def _default(entry: Schema) -> str:
    default = entry.get("default")
    says_nothing = default in (None, "", []) or isinstance(
        default, dict
    )  # a table has its own section
    return "" if says_nothing else f"`{json.dumps(default)}`"


class _Words:
    """The types of JSON schemas in words; tables are links to their sections."""

    def __init__(self, named: Schema, links: Mapping[str, str]) -> None:
        self._named, self._links = named, links

    def of(self, entry: Schema) -> str:
        """Return the type of a value."""
        if name := entry.get("$ref"):
            return self._links.get(name) or self.of(self._named[name])
        if "anyOf" in entry:
            kinds = dict.fromkeys(self.of(kind) for kind in entry["anyOf"])
            return " or ".join(kind for kind in kinds if kind != "null")
        if choices := entry.get("enum") or ([entry["const"]] if "const" in entry else []):
            return " or ".join(f"`{json.dumps(choice)}`" for choice in choices)
        kind = entry.get("type", "any value")
        if kind == "array":
            return self._array(entry)
        if kind == "object" and isinstance(inner := entry.get("additionalProperties"), Mapping):
            return f"table: name = {self.of(inner)}"
        return _PLAIN.get(kind, kind) + _bounds(entry)

    def _array(self, entry: Schema) -> str:
        if "prefixItems" in entry:
            return f"[{', '.join(map(self.of, entry['prefixItems']))}]"
        inner, least = self.of(entry.get("items", {})), entry.get("minItems", 0)
        if least > 1 and least == entry.get("maxItems"):
            return f"[{', '.join([inner] * least)}]"
        many = re.sub(r"^(integer|list|number|table|text)\b", r"\1s", inner)
        return f"list of {many}{', not empty' if least else ''}"


_PLAIN = {"string": "text", "boolean": "true or false", "object": "table"}
_BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "above",
    "maximum": "at most",
    "exclusiveMaximum": "below",
}


def _bounds(entry: Schema) -> str:
    if "minimum" in entry and "maximum" in entry:
        return f" ({entry['minimum']:,} to {entry['maximum']:,})"
    limits = [f"{word} {entry[key]:,}" for key, word in _BOUNDS.items() if key in entry]
    return f" ({', '.join(limits)})" if limits else ""
