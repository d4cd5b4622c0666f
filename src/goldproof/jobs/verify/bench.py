"""Run scripts against one library: the right sandbox for each, and the same script only once.

Two sandboxes may be open. Both have the library imported as `import NAME` does. In the second, the submodules that
proofs name are imported as well, which spares libraries that load them late a second and more per proof. Code that is
observed as it was written never runs there: `import pkg; pkg.sub` would work in it even if a fresh interpreter fails.

What is run again runs where the hash seed is another one, so that what depends on the order of a set is not the same
twice. Those sandboxes are opened when they are first needed, of the same level, with one worker.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Self

from goldproof.jobs.verify.trying import Runs
from goldproof.sandbox import open_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType

    from goldproof.corpus.libraries import Library, NameIndex
    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.settings import Isolating
    from goldproof.sandbox import Isolation, Limits, Run, Sandbox

_AS_WRITTEN = re.compile(r"^(?!\s*from goldproof_proof).*\bobserve_(?:code|import)\(", re.MULTILINE)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_MOST_MODULES = 64
_OTHER_SEED = 1


class Bench:
    """A library, its names, and the sandboxes that run scripts against it. Threads may share it."""

    def __init__(self, library: Library, names: NameIndex, isolating: Isolating) -> None:
        self.library = library
        self.names = names
        self._isolating = isolating
        self._open = ExitStack()
        self._plain: Sandbox | None = None
        self._warm: Sandbox | None = None
        self._warmed: tuple[str, ...] = ()
        self._reseeded: dict[tuple[str, ...], Sandbox] = {}  # what is imported besides -> where it is run again
        self._opening = Lock()
        self._runs = Runs(self._run)
        self._again = Runs(partial(self._run, again=True))

    def __enter__(self) -> Self:
        self._plain = self._open.enter_context(self._sandbox())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    @property
    def isolation(self) -> Isolation:
        """The isolation of the scripts."""
        return self._sure().isolation

    @property
    def scripts(self) -> int:
        """Number of scripts that were run."""
        return self._runs.made + self._again.made

    def warm_up(self, proofs: Iterable[Proof]) -> None:
        """Have the submodules imported that these proofs name, where there are some."""
        wanted = named_modules(proofs, self.names)
        if wanted and self._warm is None:
            self._warm = self._open.enter_context(self._sandbox(like=self._sure(), imports=wanted))
            self._warmed = wanted

    def run(
        self,
        script: str,
        *,
        name: str = "proof.py",
        files: Mapping[str, str] | None = None,
        again: int = 0,
        limits: Limits | None = None,
    ) -> Run:
        """Run a script, or return its earlier run. again: another number runs it once more."""
        runs = self._again if again else self._runs
        return runs(script, name=name, files=files, again=again, limits=limits)

    def _run(
        self,
        script: str,
        *,
        name: str = "proof.py",
        files: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        again: bool = False,
    ) -> Run:
        as_written = files or _AS_WRITTEN.search(script)
        sandbox = self._sure() if as_written or self._warm is None else self._warm
        if again:
            sandbox = self._other_seed(() if as_written else self._warmed)
        return sandbox.run(script, name=name, files=files, limits=limits)

    def _sure(self) -> Sandbox:
        if self._plain is None:
            raise RuntimeError("the bench is not open")
        return self._plain

    def _other_seed(self, imports: tuple[str, ...]) -> Sandbox:
        with self._opening:
            if imports not in self._reseeded:
                made = self._sandbox(like=self._sure(), imports=imports, workers=1, hash_seed=_OTHER_SEED)
                self._reseeded[imports] = self._open.enter_context(made)
            return self._reseeded[imports]

    def _sandbox(
        self,
        *,
        like: Sandbox | None = None,
        imports: Sequence[str] = (),
        workers: int | None = None,
        hash_seed: int = 0,
    ) -> Sandbox:
        """Open a sandbox. like: one that was attacked and held; this one is then of the same level and is not."""
        how = self._isolating
        return open_sandbox(
            self.library.interpreter,
            imports=imports,
            workers=workers or how.workers,
            limits=how.limits,
            level=how.level if like is None else like.isolation.level,
            container=how.container,
            unsafe=how.unsafe,
            probe=like is None,
            hash_seed=hash_seed,
        )


def named_modules(proofs: Iterable[Proof], names: NameIndex) -> tuple[str, ...]:
    """Return the submodules of the library that scripts name, those named most often first."""
    counts: dict[str, int] = {}
    for proof in proofs:
        for dotted in set(_DOTTED.findall(proof.script)):
            module = _module_of(dotted, names)
            if module:
                counts[module] = counts.get(module, 0) + 1
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:_MOST_MODULES])


def _module_of(dotted: str, names: NameIndex) -> str:
    """Return the longest beginning of a dotted name that is a module below an import name of the library."""
    parts = dotted.split(".")
    for end in range(len(parts), 1, -1):
        path = ".".join(parts[:end])
        if not any(path.startswith(f"{outer}.") for outer in names.import_names):
            return ""
        if any(one.kind == "module" and path in (one.path, one.defined) for one in names.find(path)):
            return path
    return ""
