"""The lock on the reference module that the labs import: its digest is written down here, and checked."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from labkit import project

DIGEST = "6cae566f7a34dc093fe4c0f0365f830a98d5652d772050314b4dda1601c44e4c"  # `labkit lock` writes it, on purpose and never by accident


def digest_of_module() -> str:
    return hashlib.sha256(project.LOCKED_MODULE.read_bytes()).hexdigest()


def is_locked() -> bool:
    """Whether the module is the one that was locked."""
    return digest_of_module() == DIGEST


def lock() -> str:
    """Write the digest of the module as it is now into this file; return it."""
    path, digest = Path(__file__), digest_of_module()
    text = re.sub(r'^DIGEST = "[0-9a-f]*"', f'DIGEST = "{digest}"', path.read_text("utf-8"), flags=re.MULTILINE)
    path.write_text(text, "utf-8")
    return digest
