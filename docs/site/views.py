"""Pages on what a bot sees and does: the views and the actions of each game, made of their docstrings."""

import inspect
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import brickphys
from brickphys.rules.game import AnyGame
from brickphys.rules.turn_state import Pending
from docs.site.formats import docstrings

_INTRO = """
A bot chooses by the *view*: all that its player may know. [Write a bot](../../how-to/bot.md) has an example that reads
it. The views of the shipped games are states, in which things that the player may not know are covered. They are frozen
values: a bot may keep them, and cannot change them. These pages list the attributes of everything in a view. Methods
that only the rules need are left out.
"""


def view_pages() -> dict[str, str]:
    """Return a page for each game, by file: what a bot sees and can do; and a list of all."""
    pages, rows = {}, []
    games = {name: brickphys.game(name) for name in brickphys.games()}
    views = {view_class(game): name for name, game in games.items()}
    for view, name in views.items():
        game, others = games[name], views.keys() - {view}
        known = classes((view, *_given(game)), others)
        links = {kind: f"#{kind.__name__.lower()}" for kind in known}
        links |= {kind: f"{views[kind]}.md" for kind in others}
        first, _, rest = _docstring(sys.modules[view.__module__]).partition("\n\n")
        sees = first.partition(": ")[2]
        about = _docstring(type(game)).partition("\n")[0]
        parts = [f"# What a bot of {name} sees", f"{sees[:1].upper()}{sees[1:]}", rest]
        parts += [part for kind in known for part in _class_part(kind, links)]
        parts += ["## Actions", _ACTIONS, _action_table(game, links)]
        pages[f"{name}.md"] = "\n\n".join([*parts, ""])
        rows.append(f"- [{name}]({name}.md): {about}")
    return {"index.md": "\n".join(["# What a bot sees", _INTRO, *rows, ""]), **pages}


_ACTIONS = (
    "An action has a `word`, and an attribute for each of its arguments. `game.format_action(action)` writes it as it "
    "is typed. Big choices are split, so a bot may be asked for the type of an action first (`do`), and then for its "
    "arguments."
)


def view_class(game: AnyGame) -> type[Any]:
    """Return the class of the views of a game."""
    setup = next(iter(game.setups.values()))
    return type(game.observe(game.initial(setup), 0))


def classes(first: Sequence[type[Any]], others: Collection[type[Any]] = ()) -> list[type[Any]]:
    """Return some classes of ours and all that their attributes may hold, and those that these may hold.

    What only `others` hold is left out, and they are.
    """
    found: dict[type[Any], None] = {}
    ahead = [*first]
    while ahead:
        kind = ahead.pop(0)
        if kind not in found and kind not in others and _is_shown(kind):
            found[kind] = None
            if is_dataclass(kind):
                hints = get_type_hints(kind)
                ahead += [part for field in fields(kind) for part in _types(hints[field.name])]
            ahead += [sub for sub in kind.__subclasses__() if sub.__module__ == kind.__module__]
    return list(found)


def meanings(kind: type[Any]) -> dict[str, str]:
    """Return what is said of the attributes of a class: fields, members of an enumeration, and properties."""
    said: dict[str, str] = {}
    for base in reversed([one for one in kind.__mro__ if _is_ours(one)]):
        said |= _attributes(_docstring(base)) | docstrings(base.__module__).get(base.__name__, {})
    if issubclass(kind, Enum):
        names = [*kind.__members__]
    else:
        names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(kind._fields)
    found = {name: said.get(name, "") for name in names}
    for base in kind.__mro__:
        for name, value in vars(base).items() if _is_ours(base) else ():
            if isinstance(value, property | cached_property) and not name.startswith("_"):
                found.setdefault(name, _first(_docstring(value)))
    return found


def _class_part(kind: type[Any], links: Mapping[type[Any], str]) -> Iterator[str]:
    """Yield a heading, what the class is, and a table of what it holds and tells."""
    yield f"## {kind.__name__}"
    about = _docstring(kind)
    yield re.split(r"\n(?=\w+\n-{3,}\n)", about)[0]
    said = meanings(kind)
    if issubclass(kind, Enum):
        rows = [(f"`{name}`", said[name]) for name in kind.__members__]
        yield _table(("member", "meaning"), rows)
        return
    hints = get_type_hints(kind)
    rows = [
        (f"`{name}`", _words(hints.get(name) or _returned(kind, name), links), text)
        for name, text in said.items()
    ]
    if rows:
        yield _table(("attribute", "type", "meaning"), rows)
    methods = [
        (f"`{name}({', '.join(list(inspect.signature(method).parameters)[1:])})`", returned, text)
        for name, method, returned, text in _methods(kind, links)
    ]
    if methods:
        yield _table(("method", "returns", "meaning"), methods)


def _methods(
    kind: type[Any], links: Mapping[type[Any], str]
) -> Iterator[tuple[str, Any, str, str]]:
    """Yield the methods that tell something of a value; those that return a changed one are of the rules."""
    for name, method in vars(kind).items():
        if inspect.isfunction(method) and not name.startswith("_"):
            returned = inspect.signature(method).return_annotation
            text = _first(_docstring(method))
            is_told = text.startswith(("Return", "Tell", "Whether", "Yield"))
            own = (kind, kind.__name__, "Self", f'"{kind.__name__}"')
            if is_told and returned not in own and name not in ("problems", "lapses"):
                hint = get_type_hints(method).get("return")
                yield name, method, _words(hint, links), text


def _given(game: AnyGame) -> Iterator[type[Any]]:
    """Yield the classes of the attributes of actions."""
    for kind in game.action_types:
        hints = get_type_hints(kind)
        yield from (part for one in fields(kind) for part in _types(hints[one.name]))


def _action_table(game: AnyGame, links: Mapping[type[Any], str]) -> str:
    """Return the table of the actions of a game by word, with their attributes."""
    rows = []
    for kind in game.action_types:
        hints = get_type_hints(kind)
        given = ", ".join(f"`{one.name}`: {_words(hints[one.name], links)}" for one in fields(kind))
        rows.append((f"`{kind.word}`", given, _first(_docstring(kind))))
    return _table(("word", "attributes", "what it does"), rows)


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in lines
    )


def _types(hint: Any) -> Iterator[type[Any]]:
    """Yield the classes that a type mentions."""
    if isinstance(hint, type) and not get_args(hint):
        yield hint
    origin = get_origin(hint)
    if isinstance(origin, type) and _is_ours(origin):
        yield origin
    for part in get_args(hint):
        yield from _types(part)


def _is_ours(kind: type[Any]) -> bool:
    return kind.__module__.startswith("brickphys.")


def _is_shown(kind: type[Any]) -> bool:
    """Whether a class gets a section: values and enumerations of ours; what is pending is asked by the actions."""
    is_value = is_dataclass(kind) or issubclass(kind, Enum) or hasattr(kind, "_fields")
    return _is_ours(kind) and is_value and not issubclass(kind, Pending)


def _words(hint: Any, links: Mapping[type[Any], str]) -> str:
    """Return a type in words; classes with a section are links to it."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint in (None, NoneType):
        return "None"
    if origin in (Union, UnionType):
        return " or ".join(_words(part, links) for part in parts)
    if origin is tuple and parts[-1:] == (...,):
        return f"tuple of {_words(parts[0], links)}"
    if origin is tuple:
        return f"({', '.join(_words(part, links) for part in parts)})"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"{_words(parts[0], links)} -> {_words(parts[1], links)}"
    if isinstance(origin, type) and not _is_ours(origin):
        return f"{origin.__name__.lower()} of {_words(parts[0], links)}"
    kind = origin or hint
    if isinstance(kind, TypeVar) or not isinstance(kind, type):
        return str(getattr(kind, "__name__", "any")).lower()
    return f"[{kind.__name__}]({links[kind]})" if kind in links else kind.__name__


def _returned(kind: type[Any], name: str) -> Any:
    """Return the type of a property."""
    found = inspect.getattr_static(kind, name)
    method = found.fget if isinstance(found, property) else found.func
    return get_type_hints(method)["return"]


def _attributes(text: str) -> dict[str, str]:
    """Return what the section ``Attributes`` of a docstring says, by name."""
    _, _, section = text.partition("Attributes\n----------\n")
    section = re.split(r"\n\n(?=\w+\n-{3,}\n)", section)[0]
    found = {}
    for names, said in re.findall(
        r"^(\w[\w, ]*)\n((?: {4}.*\n?|\n)+)", f"{section}\n", re.MULTILINE
    ):
        for name in names.split(", "):
            found[name] = _first(inspect.cleandoc(said))
    return found


def _first(text: str) -> str:
    """Return the first paragraph of a text in a line."""
    return " ".join(text.split("\n\n")[0].replace("``", "`").split())


def _docstring(found: Any) -> str:
    return inspect.cleandoc(getattr(found, "__doc__", "") or "").replace("``", "`")
