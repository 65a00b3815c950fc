"""One fact reworded, cut out or added: everything else keeps its bytes, or the change is refused."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from hypothesis import assume, given, strategies as st

from memory.text.markdown.blocks import decode, encode
from memory.text.markdown.entries import log_facts, memory_facts
from memory.text.markdown.rewrite import append_bullets, remove_facts, replace_fact

LINES = st.sampled_from(
    [
        *("# 2026-02-07", "## 10:30 — Own form", "## 10:30 - Hyphen", "### 11:05: Colon", "#### Deep", "## Untimed"),
        *("## Call (14:05)", "## ✅ 09:00 — Done", "## 10:30", "## [10:31] Bracket", "## Standup at 9:15 with Bob"),
        *(
            "- plain",
            "- 10:30 timed",
            "- **11:00** bold",
            "* star",
            "12. numbered",
            "- [ ] box",
            "  nested",
            "  - inner",
        ),
        *(
            "prose",
            "[10:17] said",
            "---",
            "```",
            "~~~",
            "<!-- c -->",
            "| a | b |",
            "|---|---|",
            "\\## kept",
            "",
            "",
            " ",
        ),
        *("caf\udce9", "日本語の行", "\t- tab", "trailing  ", "- ```", "  code", "-"),
    ]
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n"])
DOCUMENTS = st.builds(
    lambda lines, bom, ended: bom + "".join(line + end for line, end in lines)[: None if ended else -1],
    st.lists(st.tuples(LINES, ENDS), max_size=14),
    st.sampled_from(["", "\ufeff"]),
    st.booleans(),
)
WORDS = st.lists(LINES.map(str.strip) | st.text("ab #-1.:\n", max_size=8), min_size=1, max_size=4).map("\n".join)
READERS = st.sampled_from([log_facts, memory_facts])


def said(facts):
    return [(fact.time, fact.text) for fact in facts]


def plain(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("## 10:30 — Likes tea\n\n", "Likes coffee", "## 10:30 — Likes coffee\n\n"),
        ("## 10:30 — Likes tea\r\n\r\n", "Likes\ncoffee", "## 10:30 — Likes\r\ncoffee\r\n\r\n"),
        ("### 10:30 - Title\n\nbody  \n\n---\n", "Title\n\nother", "### 10:30 - Title\n\nother\n\n---\n"),
        ("## Call (14:05)\nbody\n", "Ring\nbody", "## Ring (14:05)\nbody\n"),
        ("## ✅ 09:00 — Done\n", "✅ Gone", "## ✅ 09:00 — Gone\n"),
        ("## ✅ 09:00 — Done\n", "Gone", "## 09:00 — Gone\n"),
        ("## 10:30\n\nbody\n", "other", "## 10:30\n\nother\n"),
        ("## 10:30\n\n30\n", "31", "## 10:30\n\n31\n"),
        ("## Standup at 9:15 with Bob", "Standup at 9:30 with Bob", "## Standup at 9:30 with Bob"),
        ("# Day\n- 10:30 text\n  more\n- b\n", "new\nmore", "# Day\n- 10:30 new\n  more\n- b\n"),
        ("* **10:30** text\n", "new", "* **10:30** new\n"),
        ("- [ ] buy milk\n", "[x] buy milk", "- [x] buy milk\n"),
        ("[10:30] one\n[10:31] two\n", "new", "[10:30] new\n[10:31] two\n"),
        ("prose\nover two lines\n", "new prose", "new prose\n"),
        ("## 10:30 — x\n", "y\n## 11:00 — no entry\n# nor this", "## 10:30 — y\n\\## 11:00 — no entry\n\\# nor this\n"),
    ],
)
def test_first_entry_of_a_log_is_reworded_in_its_own_form(before, new, after):
    assert replace_fact(before, log_facts(before)[0], new, log_facts) == after


def test_lines_that_stay_keep_their_bytes_within_the_entry():
    before = "## 10:30 - Title\r\nfirst  \r\n  second\nthird\r\n"
    after = replace_fact(before, log_facts(before)[0], "Title\nfirst  \nmiddle\n  second\nthird!", log_facts)
    assert after == "## 10:30 - Title\r\nfirst  \r\nmiddle\r\n  second\nthird!\r\n"


def test_nested_lines_of_a_list_item_keep_their_indent():
    before = "1.  one\n    - inner\n\n    more\n2. two"
    assert replace_fact(before, memory_facts(before)[0], "uno\n- inner\nnew\n\nmore", memory_facts) == (
        "1.  uno\n    - inner\n    new\n\n    more\n2. two"
    )


@pytest.mark.parametrize("new", ["", " \n\t", "a\n\nb", "# title", "- item", "a\n- item", "nul\0", "half \ud800"])
def test_paragraph_takes_only_what_reads_as_one_paragraph(new):
    with pytest.raises(ValueError, match=r"\.$"):
        replace_fact("prose\n\nmore\n", memory_facts("prose\n\nmore\n")[0], new, memory_facts)


def test_entry_does_not_take_a_deeper_heading_that_would_end_it():
    text = "### 10:30 — a\n\n### 11:00 — b\n"
    with pytest.raises(ValueError, match="The text wouldn’t stay one fact here"):
        replace_fact(text, log_facts(text)[0], "a\n### 10:45 — c", log_facts)


@given(DOCUMENTS, st.integers(0, 20), WORDS, READERS)
def test_reworded_document_reads_the_same_but_for_that_fact(text, number, new, read):
    facts = read(text)
    assume(facts)
    fact = facts[number % len(facts)]
    try:
        after = replace_fact(text, fact, new, read)
    except ValueError:
        return
    there = read(after)
    assert plain(there[facts.index(fact)].text) == new.strip()
    assert said(there[: facts.index(fact)]) == said(facts[: facts.index(fact)])
    assert said(there[facts.index(fact) + 1 :]) == said(facts[facts.index(fact) + 1 :])
    assert after.startswith(text[: fact.start])
    assert after.endswith(text[fact.end :])
    assert encode(after) == encode(decode(encode(after)))


@given(DOCUMENTS, st.integers(0, 20), st.text("abcxyz", min_size=1, max_size=12))
def test_plain_words_can_stand_in_any_entry_of_a_log(text, number, new):
    interrupts = ("[1", "```", "~~~", "\\#")  # a list goes on with plain words where these ended it
    facts = log_facts(text)
    assume(facts and not any(mark in text for mark in interrupts))
    fact = facts[number % len(facts)]
    now = log_facts(replace_fact(text, fact, new, log_facts))[facts.index(fact)]
    assert now.text == new
    assert now.time == fact.time or fact.time.lstrip("0") in fact.text


@given(DOCUMENTS, st.integers(0, 20), READERS)
def test_a_fact_reworded_and_back_is_what_it_was(text, number, read):
    facts = read(text)
    assume(facts)
    fact = facts[number % len(facts)]
    assume(plain(fact.text) == fact.text and not any("\ud800" <= sign <= "\udfff" for sign in fact.text))
    try:
        there = replace_fact(text, fact, "changed", read)
        back = replace_fact(there, read(there)[facts.index(fact)], fact.text, read)
    except ValueError:
        return
    assert said(read(back))[facts.index(fact)][1] == fact.text


@given(DOCUMENTS, st.sets(st.integers(0, 20), min_size=1), READERS)
def test_forgotten_facts_are_gone_and_the_others_stay(text, numbers, read):
    facts = read(text)
    going = [fact for at, fact in enumerate(facts) if at in numbers]
    assume(going)
    try:
        after = remove_facts(text, going, read, may_surface=read is log_facts)
    except ValueError:
        return
    staying = Counter(said(fact for fact in facts if fact not in going))
    assert not staying - Counter(said(read(after)))
    for fact in facts:
        if fact not in going:
            assert text[fact.start : fact.end].strip() in after
    if read is memory_facts:
        assert Counter(said(read(after))) == staying


@pytest.mark.parametrize(
    ("before", "number", "after"),
    [
        ("- a\n- b\n- c\n", 1, "- a\n- c\n"),
        ("- a\r\n- b", 1, "- a\r\n"),
        ("A\n- x\n\nB\n", 1, "A\n\nB\n"),
        ("A\n1. x\n2. y\n", 1, "A\n\n2. y\n"),
        ("\ufeff- a\n  - n\n\n- b\n", 0, "\ufeff- b\n"),
    ],
)
def test_fact_is_cut_out_of_a_long_term_memory(before, number, after):
    assert remove_facts(before, [memory_facts(before)[number]], memory_facts) == after


def test_a_title_of_a_log_with_a_clock_may_surface_when_the_last_entry_below_it_goes():
    text = "# 10:00 Plan\n### 10:30 — x\n\n"
    assert remove_facts(text, log_facts(text), log_facts, may_surface=True) == "# 10:00 Plan\n"
    with pytest.raises(ValueError, match=r"Removing this would change the text next to it\."):
        remove_facts(text, log_facts(text), log_facts)


def test_a_title_of_a_log_without_a_clock_stays_a_title_when_the_last_entry_below_it_goes():
    text = "## Work\n### 10:30 — x\n\n"
    assert remove_facts(text, log_facts(text), log_facts) == "## Work\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("## Standup at 9:15 with Bob\n", "## 09:15 — A standup\n"),
        ("## Work\n- with Bob\n", "- A standup\n"),
        ("## Home\nb\n## Work\n- with Bob\n", "## Home\nb\n##\nA standup\n"),
    ],
    ids=["its clock stood in the text", "a list item", "below another title"],
)
def test_a_title_of_a_log_stays_a_fact_when_its_text_is_one_line_without_a_clock(before, after):
    assert replace_fact(before, log_facts(before)[-1], "A standup", log_facts) == after


def test_prose_of_a_log_is_mended_and_forgotten_beside_its_entries():
    text = "# 2026-09-14\n\nSome prose,\r\nof two.\n\n## 10:30 — x\n\n"
    prose, entry = log_facts(text)
    assert replace_fact(text, prose, "Other prose.", log_facts) == "# 2026-09-14\n\nOther prose.\n\n## 10:30 — x\n\n"
    assert remove_facts(text, [prose], log_facts) == "# 2026-09-14\n\n## 10:30 — x\n\n"
    assert remove_facts(text, [entry], log_facts) == "# 2026-09-14\n\nSome prose,\r\nof two.\n\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "- new\n  line\n"),
        ("\ufeff", "\ufeff- new\n  line\n"),
        ("# T\n- a\n", "# T\n- a\n- new\n  line\n"),
        ("# T\r\n- a", "# T\r\n- a\r\n- new\r\n  line"),
        ("- a\n\n\n", "- a\n- new\n  line\n\n\n"),
        ("prose\n", "prose\n\n- new\n  line\n"),
        ("```\ncode\n```", "```\ncode\n```\n\n- new\n  line"),
    ],
)
def test_bullet_is_added_in_the_manner_of_the_document(before, after):
    assert append_bullets(before, ["new\r\nline"], memory_facts) == after


def test_bullet_that_would_be_swallowed_is_refused():
    with pytest.raises(ValueError, match="a code fence or comment may be left open"):
        append_bullets("- a\n\n```\nnever closed\n", ["new"], memory_facts)


@given(DOCUMENTS, WORDS)
def test_added_bullet_is_one_more_fact_and_nothing_else_moves(text, new):
    try:
        after = append_bullets(text, [new], memory_facts)
    except ValueError:
        return
    assert said(memory_facts(after)) == [*said(memory_facts(text)), ("", new.strip())]
    assert len(after) > len(text)
    assert after.startswith(text.rstrip())


@pytest.mark.parametrize(
    "new", ["x\n\n\ny", "fact 20 of Ana and her boat\n# a heading", "```\nnever closed", "- a\n- b\n\n# c"]
)
@pytest.mark.parametrize(
    "line",
    ["fact {} of Ana and her boat in the harbour of Lisbon, long and quiet\n\n", "10:{} fact of Ana\nand her boat\n\n"],
)
def test_a_refused_edit_reads_the_document_once_as_it_is_and_once_or_twice_as_it_would_be(line, new):
    text = "".join(line.format(number) for number in range(10, 60))
    reads = []

    def read(whole):
        reads.append(whole)
        return memory_facts(whole)

    with pytest.raises(ValueError):
        replace_fact(text, memory_facts(text)[10], new, read)
    assert len(reads) <= 3


@pytest.mark.slow
def test_half_of_very_many_facts_are_cut_out_in_time():
    lines = [f"- fact {number} of a file that holds very many\n" for number in range(30_000)]
    text = "".join(lines)
    facts, start = memory_facts(text), time.process_time()
    assert remove_facts(text, facts[::2], memory_facts) == "".join(lines[1::2])
    assert time.process_time() - start < 15  # two seconds; a minute when all is counted for each of them
