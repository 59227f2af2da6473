"""Commands forked by tests share fork servers. Each command has separate connections, and only a few servers are kept."""

import json
import os
import socket
import threading

from kept_servers import KEPT, Keeper


def connections(count: int) -> tuple[list[socket.socket], list[int]]:
    """The server's ends of new connections, and descriptors of the other ends."""
    pairs = [socket.socketpair() for _ in range(count)]
    return [theirs for theirs, _ in pairs], [ours.detach() for _, ours in pairs]


def ask(command: socket.socket, key: str, count: int) -> tuple[dict, list[int]]:
    command.send(json.dumps({"key": key, "count": count}).encode())
    message, files, _, _ = socket.recv_fds(command, 2**16, count)
    return json.loads(message), files


def ended(connection: socket.socket) -> bool:
    connection.settimeout(0.05)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False


def test_each_command_gets_its_own_connections_until_only_the_owners_is_left():
    keeper, (command, theirs) = Keeper(), socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ends, files = connections(4)
    keeper._keep("course", {"folder": "here"}, files)
    serving = threading.Thread(target=keeper.serve, args=(theirs,))
    serving.start()
    assert ask(command, "another course", 1) == ({}, [])
    server, given = ask(command, "course", 2)
    assert server == {"folder": "here"} and len(given) == 2
    assert len(ask(command, "course", 2)[1]) == 0, "the owner's connection was given to another command"
    for file in given:
        os.close(file)
    command.close()
    serving.join(60)
    assert not serving.is_alive() and [ended(end) for end in ends] == [False, False, True, True]
    keeper.leave()
    assert all(map(ended, ends[:2]))


def test_the_oldest_server_ends_when_there_are_too_many():
    keeper, ends = Keeper(), []
    for number in range(KEPT + 1):
        end, files = connections(1)
        ends += end
        keeper._keep(str(number), {}, files)
    assert [ended(end) for end in ends] == [True, *[False] * KEPT]
    keeper.leave()
