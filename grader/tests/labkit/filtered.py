"""Run code in a process under the system-call filter."""

import subprocess
import sys


def in_the_filter(source: str, *arguments: str) -> str:
    """Run code in a process under the filter. Returns its output."""
    code = (
        "import ctypes, errno, fcntl, json, os, sys\nfrom labkit.grade.sandbox import privileges, seccomp\n"
        f"privileges.no_new_privileges(); seccomp.restrict()\nlibc = ctypes.CDLL(None, use_errno=True)\n{source}"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
