"""What a submission does to take more of the disk than is seen by its files' names, and to leave it behind for good.

`python overruns.py LAYER KERNEL` makes each attempt in a kernel of its own and prints, as JSON, what came of it: why the kernel was
ended, and what was left of its folder. `run` does so as another user too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from users import as_user

MIB = 2**20
WAIT = "\nimport time; time.sleep(20)"
FILL = "import os, mmap\nkept = []\nfor n in range(9):\n    file = open(str(n), 'wb+'); file.write(bytes(2**20)); file.flush()\n"
OVERRUNS = {
    "a folder that its owner may not list": "import os\nos.mkdir('d', 0o300)\nfor n in range(9): open(f'd/{n}', 'wb').write(bytes(2**20))",
    "files without a name": FILL + "    os.remove(file.name); kept.append(file)",
    "memory of files without a name": FILL
    + "    kept.append(mmap.mmap(file.fileno(), 0)); os.remove(file.name); file.close()",
    "folders deeper than a path can say": "import os\nfor n in range(40): os.mkdir('a' * 200); os.chdir('a' * 200)\n"
    "os.mkdir('d', 0o300); open('d/f', 'wb').write(bytes(2**20))",
    "folders deeper than Python recurses": "import os\nfor n in range(1200): os.mkdir('a'); os.chdir('a')\nos.mkdir('d', 0o300)\n"
    "for n in range(9): open(f'd/{n}', 'wb').write(bytes(2**20))",
}


def attempt(stock: bool) -> dict[str, list[str]]:
    """For each, the words with which its kernel was ended, and the names of folders that were left."""
    from labkit.budgets import Budgets
    from labkit.course import Environment
    from labkit.kernel.fork_server.process import server_for
    from labkit.kernel.meter import OverBudget
    from labkit.kernel.start import execute, start_kernel

    found, budgets = {}, Budgets(stock_kernel=stock, disk_bytes=4 * MIB)
    for name, source in OVERRUNS.items():
        kernel = start_kernel(Environment(), budgets)
        try:
            found[name] = [f"it could: {execute(kernel, source + WAIT, 8.0)}"]
        except OverBudget as error:
            found[name] = [str(error)]
        finally:
            kernel.stop()
        found[name] += [kernel.folder.name] if kernel.folder.exists() else []
    if not stock:
        server_for(Environment()).close()
    return found


def run(layer: str, kernel: str, user: bool = False) -> tuple[dict[str, list[str]], list[str]]:
    """All of them in a process of its own, as whoever this is or as an ordinary user; and what is left on the disk then."""
    with tempfile.TemporaryDirectory(prefix="lk-", dir="/tmp") as home:
        os.chmod(home, 0o777)
        command = [sys.executable, __file__, layer, kernel]
        own = {"HOME": home, "TMPDIR": home, "LABKIT_LAYER": layer, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            as_user(command) if user else command, env={**os.environ, **own}, capture_output=True, text=True, timeout=200, cwd="/"
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stderr[-3000:])
        left = [path.name for path in Path(home).iterdir() if path.name.startswith("labkit")]
        return json.loads(done.stdout.splitlines()[-1]), left


if __name__ == "__main__":
    print(json.dumps(attempt(stock=sys.argv[2] == "stock")))
