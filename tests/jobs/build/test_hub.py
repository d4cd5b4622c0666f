"""Datasets of the hub, from a server on loopback that answers as the hub does: fetched, cached, refused."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError, MissingExtraError
from goldproof.io.record_files import read_records
from goldproof.jobs.build.hub import HubFiles, fetch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NEWEST = "b" * 40
OLDER = "a" * 40
FILES = {
    OLDER: {"README.md": b"# old", "data/train.jsonl": b'{"question": "old?"}\n'},
    NEWEST: {
        "README.md": b"# new",
        "data/train.jsonl": b'{"question": "new?"}\n',
        "data/dev.jsonl": b'{"question": "dev?"}\n',
    },
}


class Hub(ThreadingHTTPServer):
    """What the hub offers, as far as a download asks for it; `asked` are the requests that came."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked: list[str] = []
        self.agents: set[str] = set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answer(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        path = self.path.split("?")[0]
        self.server.asked.append(path)
        self.server.agents.add(self.headers.get("User-Agent", ""))
        status, headers, content = reply(path)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


def reply(path: str) -> tuple[int, dict[str, str], bytes]:
    parts = path.strip("/").split("/")
    if parts[:3] == ["api", "datasets", "org"]:
        return api_reply(parts[3], parts[4], parts[5])
    if parts[:2] == ["datasets", "org"] and parts[3] == "resolve":
        content = FILES[parts[4]]["/".join(parts[5:])]
        if parts[2] == "half":
            return 403, {}, b"{}"
        etag = hashlib.sha1(content, usedforsecurity=False).hexdigest()
        return 200, {"ETag": f'"{etag}"', "X-Repo-Commit": parts[4]}, content
    return 404, {"X-Error-Code": "RepoNotFound"}, b"{}"


def api_reply(name: str, verb: str, revision: str) -> tuple[int, dict[str, str], bytes]:
    if name == "gated":
        return 403, {"X-Error-Code": "GatedRepo"}, b"{}"
    if name == "down":
        return 500, {}, b"{}"
    if name not in ("tiny", "half"):
        return 404, {"X-Error-Code": "RepoNotFound"}, b"{}"
    commit = NEWEST if revision == "main" else revision
    if commit not in FILES:
        return 404, {"X-Error-Code": "RevisionNotFound"}, b"{}"
    if verb == "revision":
        return 200, {}, json.dumps({"id": "org/tiny", "sha": commit, "siblings": []}).encode()
    tree = [
        {"type": "file", "path": path, "size": len(content), "oid": hashlib.sha1(content).hexdigest()}  # noqa: S324
        for path, content in FILES[commit].items()
    ]
    return 200, {}, json.dumps(tree).encode()


@pytest.fixture
def hub() -> Iterator[Hub]:
    server = Hub()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    return tmp_path / "home"


def questions(found: HubFiles) -> list[object]:
    return [at.record["question"] for path in found.files for at in read_records(path)]


def test_without_a_revision_the_newest_is_fetched_and_its_commit_named(hub: Hub, home: Path) -> None:
    found = fetch("org/tiny", revision=None, patterns=["data/*.jsonl"], endpoint=hub.address)
    assert found.revision == NEWEST
    assert [path.relative_to(found.folder).as_posix() for path in found.files] == ["data/dev.jsonl", "data/train.jsonl"]
    assert questions(found) == ["dev?", "new?"]
    assert found.folder.is_relative_to(home / "hub")
    assert not any("README" in path for path in hub.asked)


def test_a_pinned_revision_is_fetched_whatever_is_newest(hub: Hub) -> None:
    found = fetch("org/tiny", revision=OLDER, patterns=["data/*.jsonl"], endpoint=hub.address)
    assert (found.revision, questions(found)) == (OLDER, ["old?"])


def test_only_files_that_match_are_given_though_more_are_in_the_cache(hub: Hub) -> None:
    fetch("org/tiny", revision=None, patterns=["*"], endpoint=hub.address)
    found = fetch("org/tiny", revision=None, patterns=["data/train*"], endpoint=hub.address)
    assert questions(found) == ["new?"]


def test_a_pinned_revision_in_the_cache_needs_no_network_at_all(hub: Hub) -> None:
    fetch("org/tiny", revision=NEWEST, patterns=["data/*"], endpoint=hub.address)
    hub.asked.clear()
    assert questions(fetch("org/tiny", revision=NEWEST, patterns=["data/*"], endpoint=hub.address)) == ["dev?", "new?"]
    assert hub.asked == []


@pytest.mark.parametrize("revision", [None, NEWEST])
@pytest.mark.parametrize("offline", [False, True])
def test_what_is_cached_is_read_when_the_hub_is_out_of_reach(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, revision: str | None, offline: bool
) -> None:
    fetch("org/tiny", revision=None, patterns=["data/*"], endpoint=hub.address)
    hub.shutdown()
    hub.socket.close()
    if offline:
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    found = fetch("org/tiny", revision=revision, patterns=["data/*"], endpoint=hub.address)
    assert (found.revision, questions(found)) == (NEWEST, ["dev?", "new?"])


NOT_HERE = (
    "dataset 'org/tiny' of the hub: {why}, and there is no complete copy of revision 'main' in the cache.\n"
    "  Download it on a machine with network, or give a local path with --source ADAPTER=PATH."
)


def test_without_network_and_cache_one_sentence_says_so() -> None:
    with pytest.raises(InputError) as caught:
        fetch("org/tiny", revision=None, patterns=["*"], endpoint="http://127.0.0.1:9")
    assert str(caught.value) == NOT_HERE.format(why="there is no network")


def test_offline_by_choice_and_without_cache_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch, hub: Hub) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError) as caught:
        fetch("org/tiny", revision=None, patterns=["*"], endpoint=hub.address)
    assert str(caught.value) == NOT_HERE.format(why="HF_HUB_OFFLINE is set")
    assert hub.asked == []


def test_a_cache_that_lacks_a_file_is_not_taken_for_complete(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    fetch("org/tiny", revision=None, patterns=["data/train*"], endpoint=hub.address)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError, match="there is no complete copy of revision 'main' in the cache"):
        fetch("org/tiny", revision=None, patterns=["data/*"], endpoint=hub.address)


@pytest.mark.parametrize(
    ("hub_id", "revision", "message"),
    [
        ("org/other", None, "dataset 'org/other' of the hub does not exist, or is private"),
        ("org/gated", None, "dataset 'org/gated' of the hub is gated: accept its terms at .*, then give .* HF_TOKEN"),
        ("org/tiny", "c" * 40, f"dataset 'org/tiny' of the hub has no revision '{'c' * 40}'"),
        ("org/tiny", "v9", "dataset 'org/tiny' of the hub has no revision 'v9'"),
        (
            "org/down",
            None,
            "dataset 'org/down' of the hub: the hub answers with status 500, and there is no complete copy",
        ),
        ("org/half", None, "dataset 'org/half' of the hub: the hub answers with status 403, and there is no complete"),
        ("a/b/c", None, "'a/b/c' is not the id of a dataset on the hub; expected OWNER/NAME"),
    ],
)
def test_what_the_hub_refuses_is_one_sentence(hub: Hub, hub_id: str, revision: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        fetch(hub_id, revision=revision, patterns=["*"], endpoint=hub.address)


def test_a_cache_that_cannot_be_written_is_one_sentence(hub: Hub, home: Path) -> None:
    home.mkdir()
    (home / "hub").write_text("in the way", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"dataset 'org/tiny' of the hub could not be stored \(.*Not a dir.*GOLDPROOF_HOME"
    ):
        fetch("org/tiny", revision=None, patterns=["*"], endpoint=hub.address)


def test_a_pattern_that_no_file_matches_shows_the_files_there_are(hub: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError) as caught:
        fetch("org/tiny", revision=OLDER, patterns=["*.parquet", "x/*"], endpoint=hub.address)
    assert str(caught.value) == (
        "dataset 'org/tiny' of the hub has no file *.parquet or x/* "
        f"at revision {OLDER}; it has README.md, data/train.jsonl."
    )
    assert capsys.readouterr().err == ""


def test_fetching_prints_nothing_and_tells_the_hub_nothing_of_this_machine(
    hub: Hub, capsys: pytest.CaptureFixture[str]
) -> None:
    fetch("org/tiny", revision=None, patterns=["*"], endpoint=hub.address)
    assert capsys.readouterr() == ("", "")
    assert [agent.split("/")[0] for part in hub.agents for agent in part.split("; ")] == [
        "goldproof",
        "hf_hub",
        "python",
    ]


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match=r"reading datasets from the hub needs the extra 'hub': pip install"):
        fetch("org/tiny", revision=None, patterns=["*"])


def test_importing_the_module_does_not_import_the_library() -> None:
    code = "import sys, goldproof.jobs.build.hub; print('huggingface_hub' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
