"""Connect to a Dask cluster by address; tls:// uses the certificates in Dask's configuration."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress

import dask
from dask.utils import parse_timedelta
from distributed import Client
from distributed.client import ClosedClientError
from distributed.comm import connect
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.errors import UserError

TIMEOUT = "distributed.comm.timeouts.connect"
GO_ON = "graded results are kept; run the same command with --resume to continue"


def patience() -> float:
    """How many seconds Dask waits for a connection: the value of TIMEOUT in its configuration."""
    return parse_timedelta(dask.config.get(TIMEOUT))


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """Connect a client to the scheduler. Errors: UserError if there is none, MachineFailed if it disappears."""
    for logger in ("distributed", "distributed.client"):  # we report problems in one line instead
        logging.getLogger(logger).setLevel(logging.CRITICAL + 1)
    warnings.simplefilter("ignore", VersionMismatchWarning)  # version.py compares the versions that matter
    quiet = {"distributed.admin.large-graph-warning-threshold": "1GiB"}  # batches.py bounds the size of a batch
    with dask.config.set(quiet):
        try:
            asyncio.run(_reach(address))  # a client that fails to start cannot be closed
            client = Client(address, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise UserError(f"{address}: cannot reach a scheduler: {error}") from None
        try:
            yield client
        except (ClosedClientError, CancelledError):
            raise MachineFailed(f"{address}: the scheduler is gone; {GO_ON}") from None
        finally:
            with suppress(TimeoutError):  # a timeout here must not hide an earlier error
                client.close(timeout=5)


async def _reach(address: str) -> None:
    comm = await connect(address, timeout=patience(), **Security().get_connection_args("client"))
    comm.abort()
