"""Sentences that know their message id: read as English, kept whole, told apart from what users wrote."""

from __future__ import annotations

import copy
import pickle

import pytest

from memory.text.sentences import Say, dumps, join_sentences, loads, say, say_number

LOST = say("%(path)s can’t be read: %(reason)s.", path="a%s.md", reason=say("the disk quota is used up"))


def parts(text):
    """All that a sentence is made of."""
    if not isinstance(text, Say):
        return text
    return text.msgid, text.many, {name: parts(value) for name, value in text.parameters.items()}


@pytest.mark.parametrize(
    ("sentence", "english"),
    [
        (say("100 % sure."), "100 % sure."),
        (LOST, "a%s.md can’t be read: the disk quota is used up."),
        (say_number("%(count)s line", "%(count)s lines", count=1), "1 line"),
        (say_number("%(count)s line", "%(count)s lines", count=0), "0 lines"),
        (join_sentences(LOST, "", "50 %"), f"{LOST} 50 %"),
        (join_sentences("a.md", LOST, by=" % "), f"a.md % {LOST}"),
        (join_sentences(join_sentences("a", "b"), "c"), "a b c"),
    ],
)
def test_a_sentence_is_its_english_and_stays_whole(sentence, english):
    assert sentence == english
    assert hash(sentence) == hash(english)
    for again in (
        str(sentence),
        str(ValueError(sentence)),
        loads(dumps(sentence)),
        copy.deepcopy(sentence),
        pickle.loads(pickle.dumps(sentence)),
    ):
        assert parts(again) == parts(sentence)
        assert again == english


def test_nothing_joined_is_nothing():
    assert join_sentences() == join_sentences("", "") == ""


@pytest.mark.parametrize("text", ["", "plain", LOST[:], "\x1e", '\x1e["a", "", {}]', '\x1e"a"', '["a", "", {}]', "{}"])
def test_what_somebody_wrote_is_kept_as_it_is(text):
    """Also if it looks like what a sentence is kept as."""
    assert loads(dumps(text)) == text
    assert not isinstance(loads(dumps(text)), Say)
    kept = loads(dumps(say("Added %(text)s", text=text)))
    assert parts(kept) == ("Added %(text)s", "", {"text": text})
    assert dumps("plain") == "plain"
