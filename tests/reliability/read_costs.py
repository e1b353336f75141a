"""Read files with a reader, by its name; print the seconds of the processor for each, and the memory of the process."""

import json
import resource
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))

from readers import READERS

from brickphys.errors import InvalidValueError


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
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(json.dumps({"cpu_s": spent, "mb": round(memory)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
