"""Chain: JSON Lines in which every line has a checksum of its content and of the line before it.

A line that was edited, lost, moved or added is found without any other source. The checks guard against accidents and
careless edits, not against forgery.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

CHECK = "check"
"""Key of the check."""
START = ""
"""The check before the first line."""
_DIGITS = 16


def digest(text: str) -> str:
    """Return 16 hexadecimal digits that tell texts apart."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def sealed(before: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a line with its check.

    Parameters
    ----------
    before
        Check of the line before, or `START`.
    body
        The content.

    Raises
    ------
    TypeError, ValueError
        If the content is no JSON.
    """
    return {**body, CHECK: _check(before, body)}


def is_sealed(before: str, content: Mapping[str, Any]) -> bool:
    """Return whether a line, as `content_of` reads it, follows the line with the check `before`."""
    body = {key: value for key, value in content.items() if key != CHECK}
    return bool(content[CHECK] == _check(before, body))


def written(content: Mapping[str, Any]) -> str:
    """Return a line without its end."""
    return json.dumps(content, allow_nan=False)


def content_of(line: str) -> dict[str, Any] | None:
    """Return the content of a line without its end; None if it was not `written` or has no check."""
    try:
        content = json.loads(line)
        again = written(content)
    except (ValueError, RecursionError):  # ValueError: also NaN, and numbers of thousands of digits
        return None
    is_checked = isinstance(content, dict) and isinstance(content.get(CHECK), str)
    return content if is_checked and again == line else None


def _check(before: str, body: Mapping[str, Any]) -> str:
    return digest(f"{before}\n{written(body)}")
