"""Inside the kernel: call an answer and send what it gives, as plain data in a display message."""

from __future__ import annotations

from labkit import wire
from labkit.calling import call_answer
from labkit.observation import Raised


def send_answer(request: str) -> None:
    """Answer one request, which `labkit.answers` writes: the answer's name and kind, and the arguments."""
    from IPython import get_ipython
    from IPython.display import display

    name, kind, inputs, twice = wire.loads(request)
    value = call_answer(get_ipython().user_ns, name, kind, tuple(inputs), twice)
    display({wire.MIME: reply(value)}, raw=True)


def reply(value: object) -> str:
    """The text that goes out: ["value", data], or ["raised", error, message]."""
    try:
        if isinstance(value, Raised):
            return wire.dumps(["raised", value.error[:80], value.message[:500]])
        return wire.dumps(["value", value])
    except (wire.Unsendable, ValueError, TypeError) as error:
        return wire.dumps(["raised", "Unsendable", f"it returned {error}"[:500]])
