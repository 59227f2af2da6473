"""Inside the kernel: call an answer and send what it gives, as plain data in a display message."""

from __future__ import annotations

from labkit.calls import wire
from labkit.calls.calling import call_answer, reply


def send_answer(request: str) -> None:
    """Answer one request, which `labkit.judge.answers` writes: the answer's name and kind, and the arguments."""
    from IPython import get_ipython
    from IPython.display import display

    name, kind, inputs, twice = wire.loads(request)
    value = call_answer(get_ipython().user_ns, name, kind, tuple(inputs), twice)
    display({wire.MIME: reply(value)}, raw=True)
