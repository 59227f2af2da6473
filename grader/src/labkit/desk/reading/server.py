"""Serve the grading pages on this machine only, to users who know the address. Other web pages cannot read them.

The address contains a random token, new at each start. The Host header must name this server, as a defence against DNS
rebinding. The pages may load only their own scripts and styles.
"""

from __future__ import annotations

import json
import secrets
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

from labkit.desk.pages.render import TEMPLATES
from labkit.desk.reading.regrades import RegradeDesk
from labkit.desk.reading.written import ReadingDesk
from labkit.student.model.errors import UserError

LONGEST = 100_000  # bytes of a request
HERE = Path(__file__).parent
PARTS = {"": HERE / "page.html", "base.css": TEMPLATES / "base.css"} | {
    name: HERE / name for name in ("page.css", "page.js", "common.js", "requests.html", "requests.js")
}
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class ReadingServer(ThreadingHTTPServer):
    """Serves the pages for one class."""

    daemon_threads = True

    def __init__(self, desk: ReadingDesk, regrades: RegradeDesk, port: int = 0):
        super().__init__(("127.0.0.1", port), _Handler)
        self.desk, self.regrades, self.token = desk, regrades, secrets.token_urlsafe(24)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def address(self) -> str:
        return f"http://{self.host}/{self.token}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors, such as those from a page that was closed during a reply."""


@cache
def _part(name: str) -> tuple[bytes, str]:
    return PARTS[name].read_bytes(), f"{KINDS[PARTS[name].suffix]}; charset=utf-8"


class _Handler(BaseHTTPRequestHandler):
    server: ReadingServer
    server_version, sys_version = "labkit", ""
    protocol_version = "HTTP/1.1"
    timeout = 60  # seconds without data on a connection

    def do_GET(self) -> None:
        asked = self._asked()
        if asked in PARTS:
            self._say(200, *_part(asked))
        elif asked == "exercises":
            self._say(200, self.server.desk.exercises())
        elif asked and asked.startswith("texts/"):
            exercise, _, start = asked.removeprefix("texts/").rpartition("/")
            self._say(200, self.server.desk.texts(unquote(exercise), int(start[:9]) if start.isdecimal() else 0))
        elif asked == "requests":
            self._say(200, self.server.regrades.requests())
        elif asked is not None:
            self._say(404, {"problem": "there is no such page"})

    def do_POST(self) -> None:
        asked, length = self._asked(), self.headers.get("Content-Length", "")
        if asked is None:
            return
        self.close_connection = True  # the body of a refused request is not read
        if asked not in ("give", "undo", "answer"):
            self._say(404, {"problem": "there is no such page"})
        elif self.headers.get("Origin", f"http://{self.server.host}") != f"http://{self.server.host}":
            self._say(403, {"problem": "this request comes from another page"})
        elif self.headers.get_content_type() != "application/json" or not length.isdecimal():
            self._say(415, {"problem": "the request must be JSON"})
        elif int(length) > LONGEST:
            self._say(413, {"problem": "the request is too long"})
        else:
            self._change(asked, self.rfile.read(int(length)))

    def _change(self, asked: str, body: bytes) -> None:
        desk, regrades = self.server.desk, self.server.regrades
        change = {"give": desk.give, "undo": lambda _: desk.undo(), "answer": regrades.answer}[asked]
        try:
            self._say(200, change(json.loads(body)))
        except UserError as problem:
            self._say(409, {"problem": str(problem)})
        except OSError as error:
            self._say(500, {"problem": f"the change could not be saved ({error.strerror})"})
        except (ValueError, RecursionError):
            self._say(400, {"problem": "the request is not valid JSON"})

    def _asked(self) -> str | None:
        """The requested path after the token. Returns None if the request was refused for a wrong host or token."""
        token, _, rest = self.path[1:].partition("/")
        right = secrets.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode())
        if right and self.headers.get_all("Host") == [self.server.host]:
            return rest.partition("?")[0]
        self.close_connection = True
        self._say(403, {"problem": "use the address that `labkit read` printed"})
        return None

    def _say(self, status: int, content: bytes | object, kind: str = "application/json") -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing, because paths contain the token."""
