"""One host of an all-to-all in stages, over TCP. Runs as a program inside a namespace, and imports
nothing of this package, so that many start quickly.

Standard input: one line of JSON (`Plan`), then a line for each run to begin. Standard output: a
line "ready" once everybody is connected, then a line for each run with its begin and end by the
monotonic clock, which all namespaces share.
"""

from __future__ import annotations

import json
import select
import socket
import sys
import time

_CHUNK = 1 << 16
_READY, _DONE = b"r", b"d"


def main() -> None:
    plan = json.loads(sys.stdin.readline())
    me, addresses = plan["me"], plan["addresses"]
    outgoing, incoming = connect_all(me, addresses, plan["port"])
    print("ready", flush=True)
    for _ in sys.stdin:
        begin = time.monotonic()
        for target, source in zip(plan["targets"], plan["sources"], strict=True):
            stage(outgoing.get(target), incoming.get(source), plan["bytes"])
        print(json.dumps([begin, time.monotonic()]), flush=True)


def connect_all(me: int, addresses: list[str], port: int):
    """Two connections per pair of hosts: each is used for the data of the one that made it. They
    begin at the host's chosen address, so that acknowledgements come back by its chosen root."""
    listener = socket.create_server(("0.0.0.0", port), backlog=len(addresses))
    outgoing: dict[int, socket.socket] = {}
    incoming: dict[int, socket.socket] = {}
    for step in range(1, len(addresses)):
        peer = (me + step) % len(addresses)
        link = retry_connect(addresses[me], addresses[peer], port)
        link.sendall(me.to_bytes(4, "big"))
        outgoing[peer] = link
        other, _ = listener.accept()
        incoming[int.from_bytes(other.recv(4, socket.MSG_WAITALL), "big")] = other
    for link in (*outgoing.values(), *incoming.values()):
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.setblocking(False)
    return outgoing, incoming


def retry_connect(own: str, address: str, port: int) -> socket.socket:
    for _ in range(300):
        try:
            return socket.create_connection((address, port), 20, source_address=(own, 0))
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"cannot connect to {address}")


def stage(target: socket.socket | None, source: socket.socket | None, size: int) -> None:
    """Sends `size` bytes to one and receives as many from another, by rendezvous: data flows when
    the receiver is in the stage, and the stage ends when both messages have arrived."""
    if source is not None:
        source.sendall(_READY)
    to_send = memoryview(bytearray(size)) if target is not None else memoryview(b"")
    to_receive = size if source is not None else 0
    may_send, acknowledged = False, target is None
    buffer = bytearray(_CHUNK)
    while to_receive or not acknowledged:
        readable = [
            link
            for link, wanted in ((source, to_receive), (target, not acknowledged))
            if link is not None and wanted
        ]
        writable = [target] if may_send and len(to_send) else []
        ready_to_read, ready_to_write, _ = select.select(readable, writable, [], 60)
        if not ready_to_read and not ready_to_write:
            raise SystemExit("nothing has moved for a minute")
        for link in ready_to_read:
            if link is source and to_receive:
                got = link.recv_into(buffer, min(to_receive, _CHUNK))
                to_receive -= got
                if got == 0:
                    raise SystemExit("a peer has ended")
                if to_receive == 0:
                    link.sendall(_DONE)
            else:
                for word in link.recv(2):
                    may_send = True
                    acknowledged = acknowledged or word == _DONE[0]
        if ready_to_write:
            to_send = to_send[target.send(to_send[:_CHUNK]) :]


if __name__ == "__main__":
    main()
