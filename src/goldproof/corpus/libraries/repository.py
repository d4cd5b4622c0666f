"""Fetch the files of a git repository at one commit into a given folder.

git fetches the one commit into a bare repository and packs its files; they are unpacked as plain files. No hook runs,
nothing is asked for on the terminal, submodules are not fetched, and links that lead out of the tree are refused.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import tarfile
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_URL = re.compile(r"(?:https?|ssh|git|file)://[^\s@]*(?:@[^\s@/]+/[^\s@]*)?", re.ASCII)
_SECONDS = 600
_COMMIT = re.compile(r"[0-9a-f]{7,64}", re.ASCII)


class Address(NamedTuple):
    """A repository and a ref in it; ref is empty for its main branch."""

    url: str
    ref: str


def parse_address(place: str) -> Address:
    """Read `git+URL[@REF]`."""
    url = place.removeprefix("git+")
    scheme, _, rest = url.partition("://")
    # The part before a slash may hold a user (`ssh://git@host/path`), so only an @ in the path begins a ref.
    host, slash, path = rest.partition("/")
    path, _, ref = path.partition("@")
    url = f"{scheme}://{host}{slash}{path}"
    if not _URL.fullmatch(url) or ref.startswith("-") or any(sign.isspace() for sign in ref):
        raise InputError(f"{place}: expected git+https://HOST/REPOSITORY@REF, or ssh, git or file instead of https.")
    return Address(url, ref)


def fetch_files(address: Address, *, folder: Path, spec: str) -> str:
    """Put the files of a commit into `folder/tree` and return the commit. folder: new and empty; spec: for messages."""
    bare = folder / "repository"
    _git(["init", "--quiet", "--bare", str(bare)], spec=spec)
    commit = _fetch(address, bare=bare, spec=spec)
    packed = _git(["-C", str(bare), "archive", "--format=tar", commit], spec=spec)
    (folder / "tree").mkdir()
    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder / "tree", filter="data")
    except (tarfile.TarError, OSError) as error:
        raise InputError(f"{spec}: its files cannot be unpacked: {error}.") from error
    return commit


def _fetch(address: Address, *, bare: Path, spec: str) -> str:
    fetch = ["-C", str(bare), "fetch", "--quiet", "--no-tags", "--no-recurse-submodules"]
    try:
        _git([*fetch, "--depth=1", "--", address.url, address.ref or "HEAD"], spec=spec)
        found = "FETCH_HEAD"
    except InputError:
        if not _COMMIT.fullmatch(address.ref):
            raise
        # Only whole names can be asked for: a short one is looked up in everything.
        _git([*fetch, "--", address.url, "+refs/*:refs/goldproof/*"], spec=spec)
        found = address.ref
    return _git(["-C", str(bare), "rev-parse", "--verify", f"{found}^{{commit}}"], spec=spec).decode("ascii").strip()


def _git(arguments: list[str], *, spec: str) -> bytes:
    command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never", "-c", "gc.auto=0", *arguments]
    quiet = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
        "LC_ALL": "C",
    }
    kept = {
        name: value for name, value in os.environ.items() if name not in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
    }
    try:
        done = subprocess.run(  # noqa: S603 - git with checked arguments
            command, env={**kept, **quiet}, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except FileNotFoundError as error:
        raise InputError(f"{spec}: needs git, which is not installed; give a folder or a wheel instead.") from error
    except subprocess.TimeoutExpired as error:
        raise InputError(f"{spec}: git gave no answer within {_SECONDS} seconds.") from error
    if done.returncode != 0:
        said = (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["nothing"])[-1]
        raise InputError(f'{spec}: cannot be fetched; check the address and the ref.\n  git: "{said[:300]}"')
    return done.stdout
