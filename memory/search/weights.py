"""What each thing counts when facts are ranked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Fitted on conversations, three of five at a time and read on the other two; round numbers do nearly as well. `whole` is
    set so that three words of a fact find it as surely as bm25 does."""

    k1: float = 1.05  # how soon a word that is repeated stops counting
    b: float = 0.47  # how much a long fact is held against it
    usual: float = 13.0  # words of a fact, without function words: what b measures by
    about: float = 0.75  # a word in the heading, against one in the text
    alike: float = 0.4  # another form of a word, or one that only begins alike
    filler: float = 0.5  # a word that questions are made of
    name: float = 0.35  # the name of somebody who speaks, as a word
    before: float = 0.45  # a match in the fact before; in each further one, `before_step` of it
    before_step: float = 0.55
    answer: float = 0.35  # more, where the fact before asks
    after: float = 0.4
    after_step: float = 0.5
    coverage: float = 0.4  # that much of the question stands in a fact and beside it
    whole: float = 1.5  # all of it stands in the fact itself; where a part is missing, that much to the `whole_power`
    whole_power: float = 10.0
    document: float = 0.45  # or anywhere in its document
    speaker: float = 0.13  # said by the one whom the question names, or by another
    speaker_factor: float = 0.17
    date: float = 0.8  # of a day that the question names
    date_factor: float = 0.7
    asks: float = 0.2  # less, for a fact that asks itself
    answers: float = 0.1  # more, for one that follows a question
    telling: float = 0.27  # more, for names, numbers, times and what is past
    when: float = 0.24  # more, for a time where the question asks for one
    pair: float = 0.11  # more, for two words that follow each other as in the question
    recent: float = 0.03  # of the last days, where all else is equal
    fades: float = 90.0  # days


WEIGHTS = Weights()
