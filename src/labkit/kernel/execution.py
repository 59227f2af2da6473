"""Run one piece of code in a kernel, and take what it displays."""

from __future__ import annotations

from labkit.kernel.stock import SubmissionKernel

OUTPUT_SECONDS = 10.0  # how long outputs may lag behind the reply on a machine that does much else


def execute(kernel: SubmissionKernel, source: str, seconds: float) -> list[dict]:
    """Run code and return the contents of its display messages. Raises Empty when it takes too long, and KernelDied."""
    return outputs_of(kernel, kernel.execute_cell_input(source, allow_stdin=False), seconds)


def outputs_of(kernel: SubmissionKernel, message: str, seconds: float) -> list[dict]:
    """The same for what was asked of the kernel by this message."""
    outputs: list[dict] = []
    kernel.await_reply(message, timeout=seconds)
    while True:
        received = kernel.get_message("iopub", timeout=OUTPUT_SECONDS)
        if received["parent_header"].get("msg_id") != message:
            continue
        if received["msg_type"] == "status" and received["content"].get("execution_state") == "idle":
            return outputs
        if received["msg_type"] in ("display_data", "stream", "error"):
            outputs.append(received["content"])
