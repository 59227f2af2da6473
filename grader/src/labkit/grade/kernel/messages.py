"""Messages between a fork and its client. A fork may be hostile: its messages are limited in size and form, and never executed."""

from __future__ import annotations

import struct

from labkit.grade.kernel.meter import MAX_PARTS, Meter, NoMessage, OverBudget
from labkit.student.model.text import TooDeep, TooManyParts, read_json

HELLO = b"!"  # sent before any message: the kernel is ready for requests
LENGTH = struct.Struct(">I")  # the length that precedes each message
MAX_MESSAGE = 16 * 2**20  # the largest answer that wire.py reads, in base64, with its envelope

FORMS = {
    "status": {"execution_state": str},
    "execute_input": {"code": str},
    "execute_reply": {"status": str},
    "stream": {"name": str, "text": str},
    "display_data": {"data": dict, "metadata": dict},
    "update_display_data": {"data": dict, "metadata": dict},
    "execute_result": {"data": dict, "metadata": dict, "execution_count": int},
    "error": {"ename": str, "evalue": str, "traceback": list},
    "clear_output": {"wait": bool},
    "input_request": {"prompt": str},
}


def read_message(data: bytes, meter: Meter) -> dict:
    """Parse a message into the Jupyter protocol's form. Errors: NoMessage and OverBudget."""
    try:
        message = read_json(data, parts=MAX_PARTS, levels=meter.budgets.json_depth)
        identity, kind, content = message["id"], message["type"], message["content"]
        if not isinstance(identity, str):
            raise ValueError
        check_form(kind, content)
    except TooManyParts:
        raise OverBudget("made an output of more than a million parts") from None
    except TooDeep:
        raise meter.too_deep() from None
    except (ValueError, TypeError, KeyError):
        raise NoMessage from None
    if "data" in content:
        meter.count_parts(data)
    return {"parent_header": {"msg_id": identity}, "msg_type": kind, "content": content}


def check_form(kind: str, content: object) -> None:
    """Check that a message of this kind can have this content. Errors: ValueError, TypeError or KeyError."""
    fits = isinstance(content, dict) and isinstance(content.get("data", {}), dict)
    fits = fits and all(isinstance(content[name], expected) for name, expected in FORMS.get(kind, {}).items())
    if not fits or not all(isinstance(line, str) for line in content.get("traceback", ())):
        raise ValueError
