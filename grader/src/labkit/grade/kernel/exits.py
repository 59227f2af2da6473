"""Inside a kernel: let `exit` end its cell as `sys.exit` does, because the cells and calls after it need the kernel."""

from __future__ import annotations

from typing import NoReturn

from ipykernel.zmqshell import ZMQInteractiveShell


def exit_cell_only(shell: ZMQInteractiveShell) -> None:
    """Make `exit`, `quit`, `ask_exit()` and `exit_now = True` raise SystemExit.

    ipykernel would stop the event loop 0.1 s later, so that it depends on the machine's speed which calls are answered.
    """

    def leave(*_: object, **__: object) -> NoReturn:
        shell.set_trait("exit_now", False)
        raise SystemExit

    shell.exit_now = False
    shell.unobserve_all("exit_now")
    shell.observe(lambda change: change["new"] and leave(), "exit_now")
    shell.ask_exit = leave
