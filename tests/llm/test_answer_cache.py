"""Answers on disk: nothing lost, the first one stays, what is damaged counts as not there."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.io.storage.keyed_store import KeyedStore
from goldproof.llm.answer_cache import AnswerCache, KeptReply, shared_cache

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REPLY = KeptReply("yes", 10, 2, 0.001, "model", "length")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[AnswerCache]:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    yield cache
    cache.close()


def put(cache: AnswerCache, key: bytes, reply: KeptReply) -> KeptReply:
    return asyncio.run(cache.put(key, reply))


def test_what_was_put_is_got_also_by_another_cache_of_the_file(cache: AnswerCache) -> None:
    assert cache.get(b"key") is None
    assert put(cache, b"key", REPLY) == REPLY
    assert cache.get(b"key") == REPLY
    other = AnswerCache(cache.path)
    assert other.get(b"key") == REPLY
    other.close()


def test_the_first_answer_stays_and_is_what_a_later_put_returns(cache: AnswerCache) -> None:
    other = AnswerCache(cache.path)
    put(cache, b"key", REPLY)
    assert put(other, b"key", KeptReply("no")) == REPLY
    assert cache.get(b"key") == other.get(b"key") == REPLY
    other.close()


def test_two_puts_of_one_batch_agree_on_the_first(cache: AnswerCache) -> None:
    async def both() -> tuple[KeptReply, KeptReply]:
        return await asyncio.gather(cache.put(b"key", KeptReply("first")), cache.put(b"key", KeptReply("second")))

    assert {reply.text for reply in asyncio.run(both())} == {"first"}


@given(
    text=st.text(st.characters(exclude_categories=())),
    tokens=st.integers(0, 2**40),
    cost=st.none() | st.floats(0, 1e6),
    model=st.text(max_size=20),
)
def test_every_answer_comes_back_as_it_was(
    text: str, tokens: int, cost: float | None, model: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("cache") / "answers.sqlite"
    reply = KeptReply(text, tokens, tokens + 1, cost, model)
    cache = AnswerCache(path)
    assert put(cache, b"key", reply) == reply
    assert cache.get(b"key") == reply
    assert cache.damaged == 0
    cache.close()


def test_values_are_plain_json(cache: AnswerCache) -> None:
    put(cache, b"key", REPLY)
    with KeyedStore(cache.path) as store:
        value = store.get(b"key")
    assert value is not None
    assert json.loads(value) == {
        "text": "yes",
        "tokens_in": 10,
        "tokens_out": 2,
        "cost": 0.001,
        "model": "model",
        "ended": "length",
    }


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b'{"text": "ye',
        b"\xff\x00",
        b"[]",
        b"null",
        b"{}",
        b'{"text": 1, "tokens_in": 1, "tokens_out": 1, "cost": null, "model": ""}',
    ],
)
def test_a_damaged_entry_counts_as_not_there_and_is_replaced(tmp_path: Path, value: bytes) -> None:
    with KeyedStore(tmp_path / "answers.sqlite") as store:
        store.put_many([(b"key", value)])
    cache = AnswerCache(tmp_path / "answers.sqlite")
    assert cache.get(b"key") is None
    assert cache.damaged == 1
    assert put(cache, b"key", REPLY) == REPLY
    assert cache.get(b"key") == REPLY
    assert put(cache, b"key", KeptReply("later")) == REPLY
    assert cache.damaged == 1
    cache.close()


def test_concurrent_puts_share_transactions(cache: AnswerCache) -> None:
    async def many() -> None:
        await asyncio.gather(*(cache.put(str(number).encode(), REPLY) for number in range(500)))

    wal = cache.path.with_name(cache.path.name + "-wal")
    asyncio.run(many())
    # A transaction of its own would write some pages of 4 kB for each: 500 of them, 4 MB and more before a checkpoint.
    assert len(cache_keys(cache)) == 500
    assert wal.stat().st_size < 2_000_000


def cache_keys(cache: AnswerCache) -> list[bytes]:
    with sqlite3.connect(cache.path) as plain:
        keys = [row[0] for row in plain.execute("SELECT key FROM items")]
    plain.close()
    return keys


def test_the_loop_goes_on_while_somebody_else_holds_the_file(cache: AnswerCache) -> None:
    blocker = sqlite3.connect(cache.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")

    async def others_go_on() -> bool:
        waiting = asyncio.create_task(cache.put(b"key", REPLY))
        for _ in range(20):
            await asyncio.sleep(0.005)
            cache.get(b"another")
        was_waiting = not waiting.done()
        blocker.execute("ROLLBACK")
        assert await waiting == REPLY
        return was_waiting

    assert asyncio.run(others_go_on())
    blocker.close()


def test_an_answer_is_kept_though_its_caller_was_cancelled(cache: AnswerCache) -> None:
    async def cancelled() -> None:
        task = asyncio.create_task(cache.put(b"key", REPLY))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    cache.close()
    assert AnswerCache(cache.path).get(b"key") == REPLY


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")

    async def leave() -> None:
        tasks = [asyncio.create_task(cache.put(str(number).encode(), REPLY)) for number in range(50)]
        await asyncio.sleep(0)
        cache.close()
        assert await asyncio.gather(*tasks) == [REPLY] * 50

    asyncio.run(leave())
    assert len(cache_keys(cache)) == 50


def test_a_closed_cache_says_so(cache: AnswerCache) -> None:
    put(cache, b"key", REPLY)
    cache.close()
    cache.close()
    with pytest.raises(InputError, match="closed"):
        cache.get(b"key")
    with pytest.raises(InputError, match="closed"):
        put(cache, b"key", REPLY)


def test_a_cache_that_nobody_uses_any_more_ends_its_thread(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite")
    put(cache, b"key", REPLY)
    writers = [thread for thread in threading.enumerate() if thread.name == "goldproof-writer"]
    before = len(writers)
    assert before >= 1
    del cache
    gc.collect()
    for thread in writers:
        thread.join(0.2)
    assert sum(thread.is_alive() for thread in writers) < before


def test_models_of_one_process_share_one_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path))
    one, two = shared_cache(), shared_cache()
    assert one is two
    assert one.path == tmp_path / "answers.sqlite"
    one.close()
    three = shared_cache()
    assert three is not one
    assert three.get(b"key") is None
    three.close()


def test_a_claim_is_waited_for_and_brings_the_answer(cache: AnswerCache) -> None:
    paid: list[str] = []

    async def ask(name: str) -> KeptReply:
        async with cache.claim(b"key") as kept:
            if kept is not None:
                return kept
            paid.append(name)
            await asyncio.sleep(0.03)
            return await cache.put(b"key", KeptReply(f"by {name}"))

    async def all_at_once() -> list[KeptReply]:
        return await asyncio.gather(*(ask(name) for name in "abcd"))

    assert asyncio.run(all_at_once()) == [KeptReply("by a")] * 4
    assert paid == ["a"]


def test_whoever_gets_a_claim_too_late_gets_the_answer_with_it(cache: AnswerCache) -> None:
    async def claimed() -> KeptReply | None:
        async with cache.claim(b"key") as kept:
            return kept

    put(cache, b"key", REPLY)  # after the caller has looked for it, before it claims
    assert asyncio.run(claimed()) == REPLY


def test_one_who_holds_a_claim_and_does_nothing_is_not_waited_for_without_end(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers.sqlite", patience=0.05)
    holder = AnswerCache(tmp_path / "answers.sqlite")

    async def impatient() -> KeptReply | None:
        async with holder.claim(b"key"):
            async with cache.claim(b"key") as kept:
                assert kept is None
                await cache.put(b"key", REPLY)
            async with cache.claim(b"key") as kept:
                return kept

    assert asyncio.run(impatient()) == REPLY
    cache.close()
    holder.close()


def test_a_claim_is_given_back_where_the_file_cannot_be_read(cache: AnswerCache) -> None:
    other = AnswerCache(cache.path)
    cache.close()

    async def claimed(which: AnswerCache) -> KeptReply | None:
        async with which.claim(b"key") as kept:
            return kept

    with pytest.raises(InputError, match="closed"):
        asyncio.run(claimed(cache))
    assert asyncio.run(asyncio.wait_for(claimed(other), 5)) is None
    other.close()


def test_a_claim_whose_holder_fails_goes_to_the_next(cache: AnswerCache) -> None:
    async def ask(*, fails: bool) -> bool:
        async with cache.claim(b"key") as kept:
            await asyncio.sleep(0.01)
            if fails:
                raise TimeoutError
            return kept is None

    async def both() -> tuple[bool | BaseException, bool | BaseException]:
        return await asyncio.gather(ask(fails=True), ask(fails=False), return_exceptions=True)

    first, second = asyncio.run(both())
    assert isinstance(first, TimeoutError)
    assert second is True


FULL_DISK = """
import asyncio, resource, signal, sys
from pathlib import Path
from goldproof.errors import InputError
from goldproof.llm.answer_cache import AnswerCache, KeptReply

async def main():
    cache = AnswerCache(Path(sys.argv[1]))
    await cache.put(b"before", KeptReply("kept"))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    puts = [cache.put(str(number).encode(), KeptReply("x" * 20_000)) for number in range(100)]
    outcomes = await asyncio.gather(*puts, return_exceptions=True)  # on a busy machine the first few may still fit
    for error in {str(one) for one in outcomes if isinstance(one, BaseException)}:
        print(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(cache.get(b"before").text, (await cache.put(b"after", KeptReply("too"))).text)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no RLIMIT_FSIZE on Windows")
def test_on_a_full_disk_every_caller_hears_of_it_and_the_cache_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / "answers.sqlite")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    error, after = done.stdout.splitlines()
    assert f"{tmp_path / 'answers.sqlite'}: cannot be used: " in error
    assert after == "kept too"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is a folder that nobody may write to")
def test_a_home_that_cannot_be_written_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", "/proc/goldproof")
    with pytest.raises(
        InputError, match=r"^/proc/goldproof: the cache cannot be written there \(.*\); set GOLDPROOF_HOME to [^\n]*$"
    ):
        AnswerCache()


READ_ONLY = """
import os, sys
from pathlib import Path
from goldproof.errors import InputError
from goldproof.llm.answer_cache import AnswerCache
if os.geteuid() == 0:
    os.setresuid(65534, 65534, 65534)
try:
    AnswerCache(Path(sys.argv[1]) / "answers.sqlite")
except InputError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have other permissions on Windows")
@pytest.mark.parametrize("is_new", [True, False])
def test_a_read_only_folder_is_one_sentence(tmp_path: Path, *, is_new: bool) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    if not is_new:
        AnswerCache(folder / "answers.sqlite").close()
    # The child may not be allowed to walk to the folder by its name; from inside it can look around.
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        command = [sys.executable, "-c", READ_ONLY, "."]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    finally:
        folder.chmod(0o755)
    assert "cannot be used" in done.stdout
    assert "check the folder's permissions" in done.stdout
    assert done.stdout.count("\n") == 1


FORKING = """
import asyncio, os, sys
from pathlib import Path
from goldproof.llm.answer_cache import AnswerCache, KeptReply
cache = AnswerCache(Path(sys.argv[1]))
asyncio.run(cache.put(b"parent", KeptReply("1")))
child = os.fork()
if child == 0:
    asyncio.run(cache.put(b"child", KeptReply("2")))
    os._exit(0 if cache.get(b"parent") else 1)
assert os.waitpid(child, 0)[1] == 0
asyncio.run(cache.put(b"later", KeptReply("3")))
print(*(cache.get(key).text for key in (b"parent", b"child", b"later")))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_has_a_writer_of_its_own(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKING, str(tmp_path / "answers.sqlite")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["1", "2", "3"], done.stderr


EXIT = """
import asyncio, sys
from pathlib import Path
from goldproof.llm.answer_cache import AnswerCache, KeptReply
cache = AnswerCache(Path(sys.argv[1]))

async def leave():
    for number in range(200):
        asyncio.create_task(cache.put(str(number).encode(), KeptReply("paid")))
    await asyncio.sleep(0)

asyncio.run(leave())
"""


def test_a_process_that_ends_writes_what_waits(tmp_path: Path) -> None:
    command = [sys.executable, "-c", EXIT, str(tmp_path / "answers.sqlite")]
    subprocess.run(command, timeout=60, check=True)
    with KeyedStore(tmp_path / "answers.sqlite") as store:
        assert len(store) == 200


def test_a_put_from_a_loop_that_has_ended_harms_nobody(cache: AnswerCache) -> None:
    async def leave() -> None:
        task = asyncio.ensure_future(cache.put(b"first", REPLY))
        await asyncio.sleep(0)
        task.cancel()

    asyncio.run(leave())
    assert put(cache, b"second", REPLY) == REPLY
    deadline = time.monotonic() + 10
    while cache.get(b"first") is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert cache.get(b"first") == REPLY
