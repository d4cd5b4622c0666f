"""A server on loopback that speaks OpenAI's and Google's embedding protocols, with faults on request."""

from __future__ import annotations

import base64
import json
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Fault:
    """What is answered instead of vectors. status 0 cuts the connection; seconds: waits first."""

    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=lambda: {"error": {"message": "made to fail", "code": 500}})
    seconds: float = 0.0


@dataclass(frozen=True)
class Asked:
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    at: float


def two_numbers(text: str) -> list[float]:
    return [float(len(text)), 1.0]


class EmbeddingServer:
    """Answers one fault after the other, then vectors; keeps what it was asked."""

    def __init__(self, *faults: Fault, embed: Callable[[str], list[float]] = two_numbers, drop: int = 0) -> None:
        self.faults = list(faults)
        self.asked: list[Asked] = []
        self.embed = embed
        self.drop = drop
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, asked: Asked) -> dict[str, Any]:
        if asked.path == "/v1/embeddings":
            rows = [self.embed(text) for text in asked.body["input"]][self.drop :]
            data = [{"object": "embedding", "index": n, "embedding": _packed(row)} for n, row in enumerate(rows)]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            return {"object": "list", "model": asked.body["model"], "data": data, "usage": usage}
        texts = [one["content"]["parts"][0]["text"] for one in asked.body["requests"]]
        return {"embeddings": [{"values": self.embed(text)} for text in texts][self.drop :]}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked = Asked(self.path, body, dict(self.headers), time.monotonic())
                server.asked.append(asked)
                fault = server.faults.pop(0) if server.faults else None
                if fault is None:
                    self.reply(200, server.answer(asked), {})
                    return
                time.sleep(fault.seconds)
                if fault.status:
                    self.reply(fault.status, fault.body, fault.headers)
                else:
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)

            def reply(self, status: int, body: dict[str, Any], headers: dict[str, str]) -> None:
                content = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _packed(row: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode()
