"""Whoever meets a public class or method first is told what it is; what overrides it need not say it again."""

import importlib
import inspect
import pkgutil

import pytest

import brickphys

MODULES = [
    found.name
    for found in pkgutil.walk_packages(brickphys.__path__, "brickphys.")
    if not found.name.endswith("__main__")
]


def said(kind: type, name: str) -> bool:
    """Whether a class, or one that it derives from, tells what a name is."""
    return any(inspect.getdoc(vars(base)[name]) for base in kind.__mro__ if name in vars(base))


@pytest.mark.parametrize("module", MODULES)
def test_public_methods_say_what_they_do_where_they_are_defined_first(module):
    loaded = importlib.import_module(module)
    kinds = [each for each in vars(loaded).values() if inspect.isclass(each)]
    own = [each for each in kinds if each.__module__ == module and each.__name__[0] != "_"]
    methods = (
        (kind, name)
        for kind in own
        for name, value in vars(kind).items()
        if name[0] != "_" and (inspect.isroutine(value) or isinstance(value, property))
    )
    assert [f"{kind.__name__}.{name}" for kind, name in methods if not said(kind, name)] == []
