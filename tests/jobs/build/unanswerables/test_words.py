"""Which words belong to one subject, and which to all."""

from __future__ import annotations

import random

from goldproof.jobs.build.unanswerables.words import Vocabulary, VocabularyBuilder


def _built(questions: list[tuple[str, list[str]]]) -> Vocabulary:
    builder = VocabularyBuilder()
    for subject, words in questions:
        builder.add("company", subject, words)
    return builder.build()


_MANY = [(f"c{n}", ["revenue", *(["lease"] if n < 6 else []), *(["eggs"] if n < 5 else [])]) for n in range(40)]


def test_a_word_is_ordinary_from_six_subjects_on() -> None:
    # 40 subjects: min(6, 40 // 4) = 6 are needed; "lease" has 6, "eggs" 5
    found = _built(_MANY)
    assert found.all_ordinary("company", ["revenue", "lease"])
    assert not found.all_ordinary("company", ["revenue", "eggs"])
    assert not found.all_ordinary("company", ["unheard"])


def test_other_forms_of_an_ordinary_word_are_ordinary() -> None:
    assert _built(_MANY).all_ordinary("company", ["leases", "revenues"])


def test_of_few_subjects_a_quarter_suffices_and_fewer_than_eight_tell_nothing() -> None:
    # 12 subjects: 12 // 4 = 3 are needed
    twelve = _built([(f"c{n}", ["eggs"] if n < 3 else ["hens"] if n < 5 else []) for n in range(12)])
    assert twelve.all_ordinary("company", ["eggs"])
    assert not twelve.all_ordinary("company", ["hens"])
    seven = _built([(f"c{n}", [f"word{n}"]) for n in range(7)])
    assert seven.all_ordinary("company", ["word1"])


def test_a_word_is_peculiar_where_four_questions_of_one_subject_hold_it_and_no_other() -> None:
    found = _built([*[("a", ["blueprint", "stream"])] * 4, ("b", ["stream"]), *[("b", ["fixture"])] * 3])
    assert found.any_peculiar("company", ["stream", "blueprint"], subject="a")
    assert not found.any_peculiar("company", ["blueprint"], subject="b")
    assert not found.any_peculiar("company", ["stream"], subject="a")
    assert not found.any_peculiar("company", ["fixture"], subject="b")


def test_the_order_of_the_questions_does_not_matter() -> None:
    questions = [(f"c{n % 9}", [f"w{n % 4}", f"v{n % 11}", f"u{n % 3 * (n % 9 == 0)}"]) for n in range(90)]
    first = _built(questions)
    for seed in range(4):
        assert _built(random.Random(seed).sample(questions, len(questions))) == first
