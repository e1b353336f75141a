"""Read files with a reader, by its name; print the seconds of the processor for each, and the memory of the process."""

import json
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from brickphys.errors import InvalidValueError
from tests.reliability.readers import READERS


def main(name: str, *paths: str) -> None:
    warnings.simplefilter("ignore")
    reader = READERS[name]
    first = Path(paths[0]).with_name(f"example.{reader.ending}")
    first.write_bytes(reader.example())
    reader.read(first)  # libraries are loaded, kernels compiled
    spent = []
    for path in paths:
        begin = time.process_time()
        with suppress(InvalidValueError):
            reader.read(Path(path))
        spent.append(round(time.process_time() - begin, 2))
    # the most of this process alone: ru_maxrss begins with that of the process that started it
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    most_kb = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    sys.stdout.write(json.dumps({"cpu_s": spent, "mb": int(most_kb) // 1024}))


if __name__ == "__main__":
    main(*sys.argv[1:])
