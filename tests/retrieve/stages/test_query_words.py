"""Whom "you" and "I" name: the one who spoke, in natural sentences; in doubt nobody."""

from __future__ import annotations

import pytest

from goldproof.retrieve.stages.query_words import query_words, sides_named

YOU, I = ("assistant",), ("user",)  # noqa: E741


@pytest.mark.parametrize(
    ("query", "sides"),
    [
        ("What did you say about superposition?", YOU),
        ("How does this relate to what you said about superposition?", YOU),
        ("Which restaurant had you recommended in Lisbon?", YOU),
        ("Remind me of the book you already mentioned.", YOU),
        ("You've suggested two hotels, which was cheaper?", YOU),
        ("Can you tell me what you explained earlier about qubits?", YOU),
        ("What were you saying about the budget?", YOU),
        ("Repeat your last two arguments", YOU),
        ("What was your answer to my question on visas?", YOU),
        ("What's your most recent suggestion for the garden?", YOU),
        ("Which of the tips you gave me was about sleep?", YOU),
        ("What advice on the roses came from you?", YOU),
        ("What did you yourself propose?", YOU),
        ("Which dishes were recommended by you?", YOU),
        ("Didn't you say that the train leaves at nine?", YOU),
        ("What did I tell you about my allergy?", I),
        ("Do you remember what I said about my sister?", I),
        ("Have I mentioned where I work?", I),
        ("I just told you my budget, what was it?", I),
        ("What was my first question?", I),
        ("Find my earlier request about the invoice", I),
        ("In my previous message, which city was it?", I),
        ("What did I originally ask for?", I),
        ("What was I saying about the tent?", I),
        ("Did I ever bring up my knee?", I),
        ("What did you reply when I asked about parking?", YOU),
        ("What did you reply when I told you about my knee?", ("assistant", "user")),
    ],
)
def test_a_pronoun_that_speaks_names_its_side(query: str, sides: tuple[str, ...]) -> None:
    assert sides_named(query_words(query)) == sides


@pytest.mark.parametrize(
    "query",
    [
        "Can you tell me where I live?",
        "Could you explain the plan again?",
        "What do you suggest for dinner?",
        "What would you recommend?",
        "Would you say that the plan is good?",
        "Do you know my name?",
        "Did you know that bees sleep?",
        "What is your advice on sleep?",
        "Give me your recommendation for a laptop",
        "My question is where the keys are",
        "I have one request: find my keys",
        "Please answer my question about visas",
        "What was the reply to my question about visas?",
        "What was I told about the deposit?",
        "What have I been advised to eat?",
        "Yesterday I asked about visas. What was the fee?",
        "If I told them about it, what would happen?",
        "If I asked for a refund, what would happen?",
        "What should I have told the doctor?",
        "Which train comes from you to the station?",
        "Where do I live?",
        "What car did I buy?",
        "Who did I talk to at the party?",
        "What did I give my sister?",
        "What did we discuss about costs?",
        'Who said "I told you so"?',
        "Who said \N{LEFT DOUBLE QUOTATION MARK}I told you so\N{RIGHT DOUBLE QUOTATION MARK}?",
        "Your Honour, what is the verdict?",
        "",
    ],
)
def test_a_pronoun_that_does_not_speak_names_nobody(query: str) -> None:
    assert sides_named(query_words(query)) == ()


def test_what_stands_outside_quotes_still_counts() -> None:
    assert sides_named(query_words('Where did you say "I told you so"?')) == YOU
