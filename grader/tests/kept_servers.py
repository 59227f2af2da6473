"""Keep a command's fork server for later commands on the same course, because its imports take most of the time of a short grading.

Only commands forked by commands.py do this, and only for courses that no test changes. Each command, like each of its workers, has
a separate connection to the server, so its kernels end when it does.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile

import own_folder

SPARES = 40  # connections to a server; a command takes one for itself and one for each worker
KEPT = 2  # servers


class Keeper:
    """In the process that forks commands: the connections to kept servers."""

    def __init__(self) -> None:
        # By key: the data for a server handle, and its connections, with the owner's first.
        self.servers: dict[str, tuple[dict, list[int]]] = {}

    def serve(self, asked: socket.socket) -> None:
        """Answer a command's requests until it has ended."""
        while True:
            message, files, _, _ = socket.recv_fds(asked, 2**16, SPARES + 1)
            if not message:
                return
            request = json.loads(message)
            if files:
                self._keep(request["key"], request["server"], files)
            else:
                self._give(asked, request["key"], request["count"])

    def leave(self) -> None:
        """In a fork: close the connections, so that each one closes when the command using it ends."""
        for key in [*self.servers]:
            self._end(key)

    def _keep(self, key: str, server: dict, files: list[int]) -> None:
        for old in [key, *list(self.servers)[: len(self.servers) + 1 - KEPT]]:
            self._end(old)
        self.servers[key] = server, files

    def _give(self, asked: socket.socket, key: str, count: int) -> None:
        server, files = self.servers.get(key, ({}, []))
        given = files[-count:] if len(files) > count else []
        socket.send_fds(asked, [json.dumps(server if given else {}).encode()], given)
        for file in given:
            os.close(file)
            files.remove(file)

    def _end(self, key: str) -> None:
        """Close the owner's connection, and with it the server."""
        for file in self.servers.pop(key, ({}, []))[1]:
            os.close(file)


def use_kept(asked: socket.socket, courses: list[str]) -> None:
    """In a forked command: reuse the keeper's fork servers for these courses, and hand it any new ones."""
    from labkit.grade.batch import local_executor
    from labkit.grade.kernel import servers
    from labkit.grade.kernel.servers import ServerHandle

    start_new, command = servers.start_server, os.getpid()

    def start(project, layer, environment, clients=0) -> list[ServerHandle]:
        ordinary = tempfile.gettempdir() == os.environ.get(own_folder.NAME) and os.getpid() == command
        if str(project.root) not in courses or not ordinary:
            return start_new(project, layer, environment, clients)
        key, count = repr((str(project.root), layer, environment)), 1 + clients
        asked.send(json.dumps({"key": key, "count": count}).encode())
        message, files, _, _ = socket.recv_fds(asked, 2**16, count)
        server = json.loads(message)
        handles = [
            ServerHandle(socket.socket(fileno=file), servers.Path(server["folder"]), tuple(server["readable"]), layer, environment)
            for file in files
        ]  # fmt: skip
        if handles and handles[0].is_alive():
            return handles
        owner, *new = start_new(project, layer, environment, SPARES)
        owner.end.cancel()  # the keeper is the owner
        left = [owner, *new[count:]]
        server = {"folder": str(owner.folder), "readable": owner.readable}
        socket.send_fds(
            asked, [json.dumps({"key": key, "server": server}).encode()], [each.control.fileno() for each in left]
        )
        for each in left:
            each.control.close()
        return new[:count]

    servers.start_server = local_executor.start_server = start
