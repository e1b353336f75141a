"""Odds fields: what a roll of a game asks for, read from the signature of its function (see `Parts.odds_tables`)."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from brickphys.odds.law import RollLaw

_LAW = "law"


@dataclass(frozen=True)
class OddsField:
    """A parameter of a roll.

    Attributes
    ----------
    name, about
        Of the parameter in Python; what it is, in a sentence.
    kind
        Its type: str, int, float or bool.
    choices
        The texts that it may be; empty if it may be any.
    is_many
        Whether it takes several values, as a tuple.
    is_needed
        Whether it has no default.
    default
        Used if no value is given.
    """

    name: str
    about: str
    kind: type
    choices: tuple[str, ...] = ()
    is_many: bool = False
    is_needed: bool = False
    default: Any = None


def odds_fields(tell: Callable[..., object]) -> tuple[OddsField, ...]:
    """Return the parameters of a roll, except for the law."""
    hints = get_type_hints(tell, include_extras=True)
    parameters = inspect.signature(tell).parameters
    return tuple(_field(one, hints[name]) for name, one in parameters.items() if name != _LAW)


def takes_law(tell: Callable[..., object]) -> bool:
    """Return whether a roll depends on a law of bricks."""
    return get_type_hints(tell).get(_LAW) is RollLaw


def _field(parameter: inspect.Parameter, hint: Any) -> OddsField:
    kind, about = get_args(hint)
    is_many = get_origin(kind) is tuple
    if is_many or (get_args(kind) and get_origin(kind) is not Literal):
        kind = get_args(kind)[0]  # of a tuple, or of a type or None
    choices = get_args(kind)
    is_needed = parameter.default is inspect.Parameter.empty
    default = None if is_needed else parameter.default
    return OddsField(
        parameter.name, about, str if choices else kind, choices, is_many, is_needed, default
    )
