"""Inside a fork: send standard output and error to the grader."""

from __future__ import annotations

import codecs
import io
import os
import select
import threading
import time
from contextlib import suppress

from labkit.grade.kernel.child.channel import Channel

FLUSH_BYTES, FLUSH_SECONDS = 2**16, 0.2
PIECE = 2**20  # characters per message, so that the grader can count a long text as it arrives


class Stream(io.TextIOBase):
    """Standard output or error. Python's writes and direct writes to the file descriptor stay in order."""

    encoding, errors = "UTF-8", "strict"

    def __init__(self, channel: Channel, name: str, descriptor: int):
        self.name, self._channel, self._descriptor = name, channel, descriptor
        self._lock = threading.RLock()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._parts: list[str] = []
        self._size, self._flushed = 0, time.monotonic()
        self.pipe, end = os.pipe()
        os.set_blocking(self.pipe, False)
        os.dup2(end, descriptor)
        os.close(end)

    def fileno(self) -> int:
        return self._descriptor

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text)}")
        with self._lock:
            self.drain()
            self._add(text)
            if self._size > FLUSH_BYTES or time.monotonic() - self._flushed > FLUSH_SECONDS:
                self._send()
        return len(text)

    def flush(self) -> None:
        with self._lock:
            self.drain()
            self._send()

    def drain(self) -> None:
        """Read everything in the pipe."""
        with self._lock, suppress(OSError):  # the pipe is empty, or the submission closed it
            while data := os.read(self.pipe, 2**16):
                self._add(self._decoder.decode(data))
                if self._size > FLUSH_BYTES:
                    self._send()

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def _send(self) -> None:
        text, self._parts, self._size = "".join(self._parts), [], 0
        self._flushed = time.monotonic()
        for start in range(0, len(text), PIECE):
            self._channel.send("stream", {"name": self.name, "text": text[start : start + PIECE]})


def watch(*streams: Stream) -> None:
    """Keep the pipes empty, even while the submission runs no Python code."""
    by_pipe = {stream.pipe: stream for stream in streams}
    while True:
        for pipe in select.select(list(by_pipe), [], [])[0]:
            by_pipe[pipe].drain()
        time.sleep(0.001)
