"""Verify benchmark questions: every option is proven or refuted by running code against the installed library.

python examples/verify_questions.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import goldproof

QUIZ = """
benchmarks:
  - id: round-trip
    question: What does `yaml.safe_load("3:30")` return?
    options: {A: "`'3:30'`", B: "`210`", C: "`[3, 30]`"}
    correct_answer: A
  - id: loaders
    question: Which of these classes exists in `yaml`?
    options: {A: "`FastLoader`", B: "`FullLoader`", C: "`FirmLoader`"}
    correct_answer: B
"""

with tempfile.TemporaryDirectory() as folder:
    cases = Path(folder, "quiz.yaml")
    cases.write_text(QUIZ)
    result = goldproof.verify(cases, against="PyYAML")
    print(result)
    audit = result.save(Path(folder, "audit"))
    print((audit / "proofs/quiz_round-trip/verify_option_A.py").read_text())
    # When the next version is out: goldproof replay audit --against PyYAML==VERSION
    print("drift:", goldproof.replay(audit, against="PyYAML").drift)
