"""Files of a Hugging Face dataset at one revision.

A revision is a commit; a branch, a tag or none at all is resolved to a commit, so that the card can name it. Files that
were fetched once are read without a network. No telemetry is sent, and progress is shown on a terminal only.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof import __version__
from goldproof.errors import InputError, MissingExtraError
from goldproof.io.storage.home import make_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

_PLACES = "Download it on a machine with network, or give a local path with --source ADAPTER=PATH."
_TRUE = ("1", "ON", "YES", "TRUE")
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class HubFiles:
    """Files of a dataset, their folder, and their commit."""

    folder: Path
    files: tuple[Path, ...]
    revision: str


def fetch(hub_id: str, *, revision: str | None, patterns: Sequence[str], endpoint: str | None = None) -> HubFiles:
    """Return the files of a dataset that match one of the patterns, downloading those that are not here yet.

    endpoint: another server with the hub's interface; by default what `HF_ENDPOINT` says.
    """
    hub = _library()
    with _clear_errors(hub, hub_id, revision), _quiet(hub):
        snapshot = hub.snapshot_download(
            hub_id,
            repo_type="dataset",
            revision=revision,
            cache_dir=make_home() / "hub",
            allow_patterns=list(patterns),
            local_files_only=_is_offline(),
            endpoint=endpoint,
            library_name="goldproof",
            library_version=__version__,
        )
    folder = Path(snapshot)
    files = tuple(path for path in _files(folder) if _matches(path.relative_to(folder).as_posix(), patterns))
    if not files:
        raise InputError(_no_file(hub, hub_id, commit=folder.name, patterns=patterns))
    return HubFiles(folder, files, folder.name)


def _library() -> ModuleType:
    """Import the hub's library, which reads its settings when it is imported."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        import huggingface_hub.constants  # noqa: PLC0415 - an extra
        import huggingface_hub.errors  # noqa: PLC0415
        import huggingface_hub.utils.logging  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MissingExtraError("reading datasets from the hub", "hub") from error
    huggingface_hub.constants.HF_HUB_DISABLE_TELEMETRY = True  # it may have been imported before
    return huggingface_hub


def _is_offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in _TRUE


@contextmanager
def _quiet(hub: ModuleType) -> Iterator[None]:
    """Keep the library's warnings off stderr, since real errors are raised, and its bars off when not on a terminal."""
    utils = hub.utils
    verbosity = utils.logging.get_verbosity()
    hide = not sys.stderr.isatty() and not utils.are_progress_bars_disabled()
    utils.logging.set_verbosity_error()
    if hide:
        utils.disable_progress_bars()
    try:
        yield
    finally:
        utils.logging.set_verbosity(verbosity)
        if hide:
            utils.enable_progress_bars()


@contextmanager
def _clear_errors(hub: ModuleType, hub_id: str, revision: str | None) -> Iterator[None]:
    """Turn the library's exceptions into an InputError of one sentence; subclasses are caught first."""
    errors = hub.errors
    dataset = f"dataset {hub_id!r} of the hub"
    try:
        yield
    except errors.HFValidationError as error:
        raise InputError(f"{hub_id!r} is not the id of a dataset on the hub; expected OWNER/NAME.") from error
    except errors.GatedRepoError as error:
        raise InputError(
            f"{dataset} is gated: accept its terms at {_page(hub_id)}, then give your token in HF_TOKEN."
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise InputError(f"{dataset} does not exist, or is private; check its name at {_page(hub_id)}.") from error
    except errors.RevisionNotFoundError as error:
        raise InputError(
            f"{dataset} has no revision {revision!r}; see {_page(hub_id)}/commits/main for those it has."
        ) from error
    except errors.LocalEntryNotFoundError as error:
        raise InputError(_not_here(error, dataset, revision)) from error
    except errors.HTTPError as error:
        raise InputError(f"{dataset} could not be fetched ({_first_line(error)}).\n  {_PLACES}") from error
    except OSError as error:
        raise InputError(
            f"{dataset} could not be stored ({_first_line(error)}); set GOLDPROOF_HOME to a folder with room for it."
        ) from error


def _not_here(error: BaseException, dataset: str, revision: str | None) -> str:
    """Say why a dataset that is not in the cache cannot be fetched."""
    answer = getattr(error.__cause__, "response", None)
    why = "there is no network" if answer is None else f"the hub answers with status {answer.status_code}"
    if _is_offline():
        why = "HF_HUB_OFFLINE is set"
    return (
        f"{dataset}: {why}, and there is no complete copy of revision {revision or 'main'!r} in the cache.\n  {_PLACES}"
    )


def _no_file(hub: ModuleType, hub_id: str, *, commit: str, patterns: Sequence[str]) -> str:
    tree = hub.get_cached_repo_tree(hub_id, repo_type="dataset", revision=commit, cache_dir=make_home() / "hub")
    names = sorted(entry.path for entry in tree)
    shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "") if names else "no file at all"
    wanted = " or ".join(patterns)
    return f"dataset {hub_id!r} of the hub has no file {wanted} at revision {commit}; it has {shown}."


def _files(folder: Path) -> list[Path]:
    """Return the files of a snapshot in an order that does not depend on the file system."""
    return sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda path: path.as_posix())


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _page(hub_id: str) -> str:
    return f"https://huggingface.co/datasets/{hub_id}"


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
