"""Mutants of a module: its text with one small change, made by the operators of mutmut and two of our own.

Not mutated, because no behaviour depends on it or only texts do: annotations and type aliases, decorators, imports,
``__all__``, ``if TYPE_CHECKING``, strings and f-strings, ``raise`` and ``assert`` statements, notes and warnings,
``cast``, and the ``strict`` of a ``zip``.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import zip_longest
from typing import Any

import libcst as cst
from libcst import matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation import mutators

_NOTE = m.Call(func=m.Attribute(value=m.Name("NOTES") | m.Name("warnings")))
Operator = Callable[[Any], Iterable[cst.CSTNode]]


def negated_condition(node: cst.If | cst.While | cst.CompIf) -> Iterator[cst.CSTNode]:
    """Negate a condition, unless another operator does it: ``==``, ``is``, ``in`` and ``not`` have their opposites."""
    has_opposite = m.UnaryOperation(operator=m.Not()) | m.Comparison(
        comparisons=[
            m.ComparisonTarget(
                operator=m.Equal() | m.NotEqual() | m.Is() | m.IsNot() | m.In() | m.NotIn()
            )
        ]
    )
    if not m.matches(node.test, has_opposite):
        bare = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        yield node.with_changes(test=cst.UnaryOperation(cst.Not(), bare))


def removed_call(node: cst.Expr) -> Iterator[cst.CSTNode]:
    """Leave out a statement that is a call, such as ``found.append(x)``."""
    if isinstance(node.value, cst.Call) and not m.matches(node.value, _NOTE):
        yield cst.Pass()


def dropped_keyword(node: cst.Call) -> Iterator[cst.CSTNode]:
    """Leave out an argument given by its name; one without a name would nearly always be a TypeError."""
    for mutated in mutators.operator_arg_removal(node):
        if len(mutated.args) < len(node.args):
            gone = next(a for a in node.args if not any(a is kept for kept in mutated.args))
            if gone.keyword is not None and gone.keyword.value != "strict":
                yield mutated


_OPERATIONS = (
    cst.BinaryOperation,
    cst.UnaryOperation,
    cst.BooleanOperation,
    cst.ComparisonTarget,
    cst.AugAssign,
)
_KEYWORDS = (cst.Is, cst.IsNot, cst.In, cst.NotIn, cst.Break, cst.Continue)

OPERATORS: tuple[tuple[type | tuple[type, ...], Operator], ...] = (
    (cst.BaseNumber, mutators.operator_number),
    (cst.Name, mutators.operator_name),
    (cst.AugAssign, mutators.operator_augmented_assignment),
    (cst.UnaryOperation, mutators.operator_remove_unary_ops),
    (cst.Call, mutators.operator_symmetric_string_methods_swap),
    (cst.Call, mutators.operator_unsymmetrical_string_methods_swap),
    (cst.Call, dropped_keyword),
    (_KEYWORDS, mutators.operator_keywords),
    (_OPERATIONS, mutators.operator_swap_op),
    (cst.Match, mutators.operator_match),
    (cst.IfExp, mutators.operator_if_exp),
    ((cst.If, cst.While, cst.CompIf), negated_condition),
    (cst.Expr, removed_call),
)

_NOT_MUTATED = (
    cst.Annotation,
    cst.Decorator,
    cst.Import,
    cst.ImportFrom,
    cst.AssignTarget,
    cst.FormattedString,
    cst.Raise,
    cst.Assert,
)
_NOT_MUTATED_IF = (
    m.Call(func=m.Name("isinstance") | m.Name("cast") | m.Name("TypeVar") | m.Name("NewType"))
    | _NOTE
    | m.If(test=m.Name("TYPE_CHECKING"))
    | m.Assign(targets=[m.AssignTarget(m.Name("__all__"))])
    | m.Arg(keyword=m.Name("strict"))
)
_ALIAS = m.Assign(value=m.BinaryOperation(operator=m.BitOr()) | m.Subscript())


@dataclass(frozen=True)
class Mutant:
    """One change of a module."""

    path: str
    """Of the module, from the root."""
    lines: tuple[int, int]
    """First and last line of the statement that is changed, or of the condition of a compound one."""
    module: cst.Module
    old: cst.CSTNode
    new: cst.CSTNode

    @cached_property
    def text(self) -> str:
        """The module's text with the change."""
        changed = self.module.deep_replace(self.old, self.new)
        assert isinstance(changed, cst.Module)
        return changed.code

    @cached_property
    def change(self) -> tuple[str, str]:
        """The first line that differs, before and after, without indentation."""
        texts = (self.module.code.splitlines(), self.text.splitlines())
        before, after = next((a, b) for a, b in zip_longest(*texts, fillvalue="") if a != b)
        return before.strip(), after.strip()

    def rank(self, seed: int) -> bytes:
        """Return where it stands in a random order that the other mutants do not change."""
        code = (self.module.code_for_node(node) for node in (self.old, self.new))
        key = "\0".join([str(seed), self.path, *code, str(self.lines[0])])
        return sha256(key.encode()).digest()


class _Collector(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, path: str, module: cst.Module) -> None:
        super().__init__()
        self.mutants: list[Mutant] = []
        self._path, self._module = path, module
        self._statements: list[tuple[int, int]] = []  # lines of the statements around, from outside
        self._functions = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        if self._is_left_out(node):
            return False
        self._functions += isinstance(node, cst.FunctionDef)
        if isinstance(node, cst.SimpleStatementLine):
            self._statements.append(self._lines(node))
        for kinds, operator in OPERATORS:
            if isinstance(node, kinds):
                lines = self._statements[-1] if self._statements else self._lines(node)
                self.mutants += [
                    Mutant(self._path, lines, self._module, node, new) for new in operator(node)
                ]
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        self._functions -= isinstance(original_node, cst.FunctionDef)
        if isinstance(original_node, cst.SimpleStatementLine) and self._statements:
            self._statements.pop()

    def _is_left_out(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Call | cst.If | cst.Assign | cst.Arg):
            alias = not self._functions and m.matches(node, _ALIAS)
            return alias or m.matches(node, _NOT_MUTATED_IF)
        return isinstance(node, _NOT_MUTATED)

    def _lines(self, node: cst.CSTNode) -> tuple[int, int]:
        part = node.test if isinstance(node, cst.If | cst.While) else node
        at = self.get_metadata(PositionProvider, part, None)
        return (at.start.line, at.end.line) if at else (0, 0)


def mutants_of(path: str, text: str) -> list[Mutant]:
    """Return all mutants of a module, in the order of its text.

    Parameters
    ----------
    path
        Of the module, from the root.
    text
        The module.
    """
    wrapper = MetadataWrapper(cst.parse_module(text))
    collector = _Collector(path, wrapper.module)
    wrapper.visit(collector)
    return collector.mutants


def sample(mutants: Iterable[Mutant], size: int, seed: int) -> list[Mutant]:
    """Draw mutants without replacement. A change of the sources moves only the mutants of the lines that it changes."""
    return sorted(mutants, key=lambda mutant: mutant.rank(seed))[:size]
