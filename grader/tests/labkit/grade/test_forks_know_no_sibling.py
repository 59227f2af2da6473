"""A forked kernel finds nothing about the other kernels of its server, neither in its memory nor, in bubblewrap, in /proc."""

import pytest
from kernel_outputs import said
from needs import needs

from labkit.grade.sandbox.confine import CHOICE

pytestmark = needs("landlock")  # without it, each kernel has a process namespace of its own

NAMES = r"""
import ctypes, re
found = set()
for line in open("/proc/self/maps"):
    (begin, end), rights = (int(place, 16) for place in line.split()[0].split("-")), line.split()[1]
    if rights.startswith("rw"):
        found |= set(re.findall(rb"workdir-[0-9a-f]{12}", ctypes.string_at(begin, end - begin)))
print(*sorted(name.decode() for name in found))
"""
IDS = """
import gc, socket
kept = {1: socket.socketpair()[0]}

def known(each):
    return isinstance(each, dict) and any(type(key) is int and isinstance(kept, socket.socket) for key, kept in [*each.items()])

print([each is kept for each in gc.get_objects() if known(each)], [each for each in gc.get_objects() if type(each).__name__ == "Server"])
"""


@pytest.fixture
def attacker(monkeypatch, start_kernel):
    """A kernel whose server has forked others before: some are still in use, and others have ended."""
    monkeypatch.setenv(CHOICE, "landlock")  # forks are the same in bubblewrap, but cannot list their memory there
    others = [start_kernel() for _ in range(6)]
    for each in others[::2]:
        said(each, "1")
        each.stop()
    return start_kernel()


def test_the_memory_of_a_fork_has_no_folder_name_but_its_own(attacker):
    assert said(attacker, NAMES).split() == [attacker.folder.name]


@needs("bubblewrap")
def test_bubblewrap_has_no_proc(monkeypatch, start_kernel):
    monkeypatch.setenv(CHOICE, "bubblewrap")
    seen = "import os; print([name for name in ('cpuinfo', 'self', os.getpid(), os.getppid()) if os.path.lexists(f'/proc/{name}')])"
    assert said(start_kernel(), seen) == "['cpuinfo']\n"


def test_no_object_of_a_fork_belongs_to_the_server(attacker):
    """The server's record of its kernels has their process ids. The search finds a record like it that the kernel made itself."""
    assert said(attacker, IDS) == "[True] []\n"
