"""Keys: lines that somebody types at a keyboard, one after the other, until the input ends."""

from collections.abc import Callable


def keys(*lines: str, shown: list[str] | None = None) -> Callable[[], str]:
    """Return a function that reads these lines as ``input`` does; each is noted among what is shown."""
    left = iter(lines)

    def read() -> str:
        line = next(left, None)
        if line is None:
            raise EOFError
        if shown is not None:
            shown.append(f"> {line}")
        return line

    return read
