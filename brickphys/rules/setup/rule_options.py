"""Rule options: the options of the rules that a setup of a game may set, for those who are asked for them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

if TYPE_CHECKING:
    from brickphys.rules.setup.setup_schema import RuleOptionsDocument


@dataclass(frozen=True)
class RuleOption:
    """An option of the rules.

    Attributes
    ----------
    name, about
        Its key in a setup, and what it decides, as a sentence.
    default
        Its value where a setup does not give it.
    choices
        Its values, if it is a text; empty if it is true or false.
    """

    name: str
    about: str
    default: bool | str
    choices: tuple[str, ...] = ()


def rule_options(document: "type[RuleOptionsDocument]") -> tuple[RuleOption, ...]:
    """Return the options of a game, given their form."""
    return tuple(
        RuleOption(name, field.description or "", field.default, get_args(field.annotation))
        for name, field in document.model_fields.items()
    )
