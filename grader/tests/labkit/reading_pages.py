"""The pages of `labkit read`, served by the command and used by a program instead of a person."""

import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from processes import PATIENCE, first_line, started

LABKIT = Path(sys.executable).with_name("labkit")


def post(address: str, path: str, body: dict) -> dict:
    """Send a change to the page. Errors: ValueError if it is refused."""
    host, token, *_ = address.removeprefix("http://").split("/")
    link = http.client.HTTPConnection(host, timeout=PATIENCE)
    try:
        link.request("POST", f"/{token}/{path}", json.dumps(body), {"Content-Type": "application/json"})
        reply = link.getresponse()
        said = json.loads(reply.read())
        if reply.status != 200:
            raise ValueError(said["problem"])
        return said
    finally:
        link.close()


def confirmed_by_killed_pages(
    out: Path, kills: int, path: str, asked: Callable[[int, int], tuple[str, dict]]
) -> Iterator[dict[str, dict]]:
    """Kill page after page while it saves changes. Yields, after each, the last change that it confirmed, by its subject.

    `asked` makes the subject and the change from the numbers of the page and of the change.
    """
    moments, confirmed = random.Random(9), {}
    for page in range(kills):
        with started(LABKIT, "read", out, stdout=subprocess.PIPE, text=True) as process:
            first_line(process)
            address, number = process.stdout.readline().strip(), 0
            killer = threading.Timer(moments.uniform(0, 0.3), process.kill)
            killer.start()
            while process.poll() is None:
                number += 1
                subject, change = asked(page, number)
                try:
                    post(address, path, change)
                except (OSError, http.client.HTTPException, ValueError):
                    time.sleep(0.01)  # killed meanwhile, so it may or may not be saved
                    confirmed.pop(subject, None)
                else:
                    confirmed[subject] = change
            killer.join(PATIENCE)
            assert not killer.is_alive()
        yield confirmed
