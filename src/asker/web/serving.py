"""Listening: one process, or several on the same port."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec
import uvicorn
from msgspec import Struct
from starlette.applications import Starlette

from asker.web.app import create
from asker.web.login import Door

PASSED = "ASKER_SERVE"  # a worker is a new process: this is how it learns what to serve


class Order(Struct):
    """What a worker has to know."""

    root: str
    door: Door | None
    hosts: tuple[str, ...]
    any_address: bool
    allow_programs: bool
    hidden: tuple[str, ...]
    help_line: str


def serve(
    root: Path, host: str, port: int, workers: int, *, door: Door | None, hosts: tuple[str, ...], any_address: bool,
    allow_programs: bool, hidden: tuple[str, ...], help_line: str,
) -> None:  # fmt: skip
    """Answer until interrupted. Runs that were started go on."""
    order = Order(str(root), door, hosts, any_address, allow_programs, hidden, help_line)
    os.environ[PASSED] = msgspec.json.encode(order).decode()
    where = f"[{host}]" if ":" in host else host
    print(f"Runs in {root}: http://{where}:{port}/  (end with Ctrl-C; runs that were started go on)", file=sys.stderr)
    uvicorn.run(
        "asker.web.serving:ordered",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_level="warning",
        access_log=False,
        timeout_keep_alive=75,  # people read for a minute; a post on a connection just closed under them would be lost
        timeout_worker_healthcheck=60,  # a machine that is busy judging is slow, not dead: nobody is cut off for that
        server_header=False,
        proxy_headers=False,  # else anyone could claim any address, and try passwords from each
    )


def ordered() -> Starlette:
    """What uvicorn calls in each worker."""
    order = msgspec.json.decode(os.environ[PASSED], type=Order)
    return create(
        Path(order.root),
        door=order.door,
        hosts=order.hosts,
        any_address=order.any_address,
        allow_programs=order.allow_programs,
        help_line=order.help_line,
        hidden=order.hidden,
    )
