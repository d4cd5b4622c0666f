from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from goldproof.jobs.verify.output.placing import observer_texts, place_proofs
from tests.jobs.verify.found import case, finding, option, tried

if TYPE_CHECKING:
    from pathlib import Path


def test_an_option_has_its_script_under_its_letter() -> None:
    placed = place_proofs([finding()])
    assert set(placed.texts) == {"proofs/quiz_01/verify_option_A.py", "proofs/quiz_01/verify_option_B.py"}


def test_the_proof_that_decides_comes_first_and_the_others_are_numbered() -> None:
    weak = tried("A", "no verdict", script="weak = 1\n")
    strong = tried("A", "refuted", script="strong = 1\n")
    placed = place_proofs([finding("incorrect", option("A", "refuted", weak, strong))])
    assert placed.texts["proofs/quiz_01/verify_option_A.py"] == "strong = 1\n"
    assert placed.texts["proofs/quiz_01/verify_option_A_2.py"] == "weak = 1\n"


def test_equal_scripts_of_two_versions_are_kept_once() -> None:
    placed = place_proofs([finding(library="PyYAML==5.4.1"), finding(library="PyYAML==6.0.3")])
    assert len(placed.texts) == 2


def test_cases_whose_names_differ_only_by_odd_characters_or_capitals_keep_apart() -> None:
    found = [finding(of=case(name)) for name in ("quiz:01", "quiz/01", "Quiz:01")]
    placed = place_proofs(found)
    folders = {path.split("/")[1].lower() for path in placed.texts}
    assert len(folders) == 3


def test_a_name_that_climbs_out_stays_inside() -> None:
    placed = place_proofs([finding(of=case("../../etc:passwd"))])
    assert all(path.startswith("proofs/") and ".." not in path for path in placed.texts)


def test_a_kept_script_runs_by_hand_and_prints_what_it_observes(tmp_path: Path) -> None:
    from goldproof.jobs.verify.rules.scripts import proof_script

    script = proof_script('observe_name("json.loads")', says='It "exists".', uses=("observe_name",))
    placed = place_proofs([finding("valid", option("A", "holds", tried(script=script)))])
    for name, text in {**placed.texts, **observer_texts()}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, tmp_path / "proofs/quiz_01/verify_option_A.py"], capture_output=True, text=True, check=True
    )
    assert '"json.loads"' in done.stdout
