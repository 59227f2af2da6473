"""The way to a Dask cluster: an address, and with tls:// the certificates that Dask's own configuration names."""

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

from labkit.sandbox.faults import MachineFailed

TIMEOUT = "distributed.comm.timeouts.connect"
GO_ON = "what was judged is kept; the same command with --resume goes on from there"


class ClusterProblem(ValueError):
    """A cluster that cannot be used as it is; the message says why, in one line."""


def patience() -> float:
    """Seconds that Dask waits for a connection: TIMEOUT in its configuration."""
    return parse_timedelta(dask.config.get(TIMEOUT))


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the scheduler at this address. Errors: ClusterProblem when there is none, MachineFailed when it goes."""
    for logger in ("distributed", "distributed.client"):  # a problem is one line, and it is ours
        logging.getLogger(logger).setLevel(logging.CRITICAL + 1)
    warnings.simplefilter("ignore", VersionMismatchWarning)  # what has to be the same is looked at elsewhere
    quiet = {"distributed.admin.large-graph-warning-threshold": "1GiB"}  # a batch is bounded where it is made
    with dask.config.set(quiet):
        try:
            asyncio.run(_reach(address))  # a client that cannot begin would not end either
            client = Client(address, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise ClusterProblem(f"{address}: no scheduler can be reached there: {error}") from None
        try:
            yield client
        except (ClosedClientError, CancelledError):
            raise MachineFailed(f"{address}: the scheduler is gone; {GO_ON}") from None
        finally:
            with suppress(TimeoutError):  # what is unsent need not arrive, and hides no error
                client.close(timeout=5)


async def _reach(address: str) -> None:
    comm = await connect(address, timeout=patience(), **Security().get_connection_args("client"))
    comm.abort()
