"""A server that answers every request with the same bytes, well formed or not."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

USAGE = {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}


def chat(content: str, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a good answer, with some of its fields changed."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
    good = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": USAGE}
    return {**good, **changes}


@contextmanager
def canned(body: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """Serve a body (text as it is, anything else as JSON) and yield the address of the model."""
    sent = (body if isinstance(body, str) else json.dumps(body)).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1#model=m"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
