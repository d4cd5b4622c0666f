"""Run every benchmark and write RESULTS.md: `make bench`, or `python benchmarks/run.py [NAME ...]`.

Each script measures ours and the named peer in one run and prints a markdown table. With names, only those are run, and
the other sections of RESULTS.md stay as they are.
"""

from __future__ import annotations

import ast
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
SCRIPTS = (
    *("bench_metrics", "bench_trec", "bench_intervals", "bench_permutation", "bench_traces", "bench_dedup"),
    *("bench_build", "bench_bm25", "bench_dense", "bench_minilm", "bench_package", "bench_models", "bench_startup"),
    *("bench_sandbox", "bench_memory"),
)
VERSIONS = (
    *("numpy", "scipy", "polars", "orjson", "pytrec_eval-terrier", "ranx", "typer"),
    *("datasets", "huggingface_hub", "bm25s", "numba", "onnxruntime", "usearch", "griffe"),
    *("pydantic-ai-slim", "openai"),
)
HEAD = """# Benchmarks

Ours and the named peer in one run, interleaved, CPU time, best of the rounds stated. Machines are shared and noisy: the
ratio is the result, the milliseconds are not. `make bench` measures again and rewrites this page.
"""


def section(name: str) -> str:
    script = HERE / f"{name}.py"
    text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or name
    print(f"{name} ...", file=sys.stderr, flush=True)
    done = subprocess.run([sys.executable, "-P", str(script)], stdout=subprocess.PIPE, text=True, check=True)
    return f"## {name}\n\n{facts()}\n\n{text}\n\n{done.stdout.strip()}\n"


def facts() -> str:
    day = datetime.now(UTC).date().isoformat()
    versions = ", ".join(f"{package} {version(package)}" for package in VERSIONS)
    return f"{day}, {platform.machine()}, Python {platform.python_version()}, {versions}."


def kept() -> dict[str, str]:
    """Return the sections of the last results by name."""
    if not RESULTS.exists():
        return {}
    parts = RESULTS.read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.partition("\n")[0]: f"## {part.strip()}\n" for part in parts}


def main() -> None:
    wanted = sys.argv[1:] or list(SCRIPTS)
    unknown = set(wanted) - set(SCRIPTS)
    if unknown:
        sys.exit(f"unknown benchmark {', '.join(sorted(unknown))}; known: {', '.join(SCRIPTS)}")
    sections = kept()
    for name in wanted:
        sections[name] = section(name)
        body = "\n".join(sections[name] for name in SCRIPTS if name in sections)
        RESULTS.write_text(f"{HEAD}\n{body}", encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
