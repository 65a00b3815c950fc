from __future__ import annotations

import pytest
from hypothesis import assume, example, given, strategies as st

from memory.text.fidelity.atoms import AtomKind, atoms
from memory.text.fidelity.retention import added_words, content_words, invented_words, missing_words, shared_words
from memory.text.fidelity.swapped_words import swapped_words
from memory.text.words.function_words import NEGATIONS

# (fact, line that says it)
SAID = [
    ("Ana likes tea", "Ana likes tea."),
    ("Ana likes tea", "Ana likes tea and coffee; Bob likes water."),
    ("Ana likes tea", "Ana and Bob like tea"),
    ("Ana has a cat", "Ana and Bob have cats"),
    ("The cities are large", "A city is large"),
    ("He watches movies", "They and he watch a movie"),
    ("The house is in Porto", "houses of Porto"),
    ("Likes tea", "Ana likes tea"),
    ("Ana's dog is Rex", "Rex is the dog of Ana"),
    ("Ana doesn't like tea", "Ana does not like tea"),
    ("Ana can’t swim", "Ana cannot swim"),
    ("We'll meet at 5", "We will meet at 5"),
    ("Ana has two cats", "Ana has 2 cats"),
    ("Ana has 12 cats", "Ana has twelve cats"),
    ("costs 1,000 euros", "costs 1000 euros"),
    ("costs 3,5 euros", "costs 3.5 euros"),
    ("costs 80 €", "costs €80"),
    ("costs $ 80", "it costs $80 in all"),
    ("runs 5 km", "runs 5km"),
    ("disk 80 % full", "disk 80% full"),
    ("port 80", "port 80."),
    ("port 80", "ports 80, 81 and 82"),
    ("open 9-17", "open 9 to 17"),
    ("born 2026-01-05", "born on January 5, 2026"),
    ("born 5 January 2026", "born 2026-01-05"),
    ("nació el 5 de enero de 2026", "nació 2026-01-05"),
    ("Das Fest ist am 5. Januar 2026", "Fest: 2026-01-05"),
    ("She was born on January 5", "She was born January 5, 2026"),
    ("since May 2026", "since 2026-05-03"),
    ("in 2026", "on January 5, 2026"),
    ("on 25/12/2026", "on December 25, 2026"),
    ("on 05.01.2026", "on 5 Jan 2026"),
    ("2026年1月5日", "2026-01-05"),
    ("at 2:30 pm", "at 14:30"),
    ("at 2pm", "at 14:00"),
    ("at 14h30", "at 14:30"),
    ("see https://a.b/c?d=e.", "see more at https://a.b/c?d=e"),
    ("mail ana@x.org", "her mail is ana@x.org, he said"),
    ("run `make test`", "you run `make test` first"),
    ("run `make  test`", "you run make test first"),
    ("he said “never again”", 'he said "never again", twice'),
    ("uses v1.2.3", "he uses V1.2.3 now"),
    ("host 192.168.0.1", "the host is 192.168.0.1"),
    ("call +34 600 123 456", "call +34600123456"),
    ("tea/coffee", "coffee and tea"),
    ("a well-known place", "a place that is well known"),
    ("我喜欢茶", "我喜欢咖啡和茶"),
    ("他住在东京", "他和她住在东京"),
    ("東京に住んでいる", "アナは東京に住んでいる"),
    ("커피를 좋아해요", "커피는 좋아해요"),
    ("Ana 👍", "👍 from Ana"),
    ("❤️ Ana", "❤ Ana"),
    ("**Name:** Ana", "Name is Ana"),
    ("ANA LIKES TEA", "ana likes tea"),
    ("Straße in Köln", "STRASSE in KÖLN"),
    ("Cafe\u0301", "Café"),
    ("Der Hund ist im Garten", "ein Hund, der Garten"),
    ("Keine Milch für Ana", "Ana mag kein Milch für"),
    ("El perro está en la casa", "perro y casa"),
    ("Ana vit à Lyon", "Lyon est où Ana vit"),
    ("Кот живёт в доме", "В доме живёт кот"),
    ("[X] water the plants", "[x] water the plants"),
]  # fmt: skip

# (fact, line, what it does not say)
LOST = [
    ("port 80", "port 8080", "80"),
    ("port 80", "port 80.5", "80"),
    ("port 80", "80% on the port", "80"),
    ("port 80", "localhost:80 port", "80"),
    ("runs 5 km", "runs 5 kg", "5 km"),
    ("runs 5 km", "runs 5", "5 km"),
    ("costs $80", "costs €80", "$80"),
    ("costs 1.000", "costs 1000", "1.000"),
    ("Python 3.10", "Python 3.1", "3.10"),
    ("uses v1.2.3", "uses v1.2", "v1.2.3"),
    ("uses v1.2.3", "uses v1.2.30", "v1.2.3"),
    ("agent 007", "agent 7", "007"),
    ("-5 °C", "5 °C", "-5 °C"),
    ("about ~5 cats", "about 5 cats", "~5"),
    ("ticket #42", "ticket 42", "#42"),
    ("at 2:30 pm", "at 2:30 am", "2:30 pm"),
    ("at 14:30", "at 14:03", "14:30"),
    ("born 2026-01-05", "born 2026-05-01", "2026-01-05"),
    ("born January 5, 2026", "born January 5", "January 5, 2026"),
    ("on 1/5/2026", "on 2026-01-05", "1/5/2026"),
    ("see https://a.b/c", "see https://a.b/cd", "https://a.b/c"),
    ("see https://a.b/C", "see https://a.b/c", "https://a.b/C"),
    ("mail ana@x.org", "mail banana@x.org", "ana@x.org"),
    ("in ~/notes/a.md", "in ~/notes/a.md.bak", "~/notes/a.md"),
    ("run `make test`", "run `make tests`", "`make test`"),
    ("run `rm -v`", "run `rm -verbose`", "`rm -v`"),
    ("he said “never again”", "he never said again", "“never again”"),
    ("the file a_B.py", "the file a_b.py", "a_B.py"),
    ("knows C++", "knows C", "C++"),
    ("Ana likes tea", "Ana liked tea", "likes"),
    ("Ana lived in Porto", "Ana lives in Porto", "lived"),
    ("Ana was the lead", "Ana is the lead", "was"),
    ("Ana sold the car", "Ana sells the car", "sold"),
    ("likes Go", "likes Google", "Go"),
    ("Mr Jones", "Mr Jone", "Jones"),
    ("the news for Ana", "the new for Ana", "news"),
    ("mother of Ana", "mom of Ana", "mother"),
    ("the rose of Ana", "Ana did rise", "rose"),
    ("She likes tea", "Ana likes tea", "She"),
    ("from Porto", "to Porto", "from"),
    ("tea or coffee", "tea and coffee", "or"),
    ("Ana does not like tea", "Ana does like tea", "not"),
    ("Ana doesn't like tea", "Ana does like tea", "not"),
    ("never call Ana", "call Ana", "never"),
    ("no milk, no sugar", "no milk, sugar", "no"),
    ("coffee without milk", "coffee with milk", "without"),
    ("neither tea nor milk", "tea, milk", "neither"),
    ("Ana mag nicht schwimmen", "Ana mag schwimmen", "nicht"),
    ("Ana hat keinen Hund", "Ana hat Hund", "keinen"),
    ("café sin leche", "café con leche", "sin"),
    ("nunca llames", "llames", "nunca"),
    ("Ana n'aime pas le thé", "Ana aime le thé", "pas"),
    ("Ана не любит чай", "Ана любит чай", "не"),
    ("não gosta de chá", "gosta de chá", "não"),
    ("我不喜欢茶", "我喜欢茶", "我不喜欢茶"),
    ("他住在东京", "他住在京东", "他住在东京"),
    ("お茶は好きではない", "お茶は好きではある", "お茶は好きではない"),
    ("차를 마시지 않아요", "차를 마셔요", "않아요"),
    ("sí", "si", "sí"),
    ("el año", "el ano", "año"),
    ("plants die", "plants", "die"),
    ("Ana's son is 5", "Ana is 5", "son"),
    ("after the war", "after", "war"),
    ("Vitamin A", "Vitamin", "A"),
    ("👍 Ana", "👎 Ana", "👍"),
    ("👍🏽 Ana", "👍🏿 Ana", "👍🏽"),
    ("[ ] water the plants", "[x] water the plants", "[ ]"),
    ("Ana likes tea?", "Ana likes tea", "?"),
    ("~~tea~~ coffee", "tea coffee", "~~tea~~"),
    ("Ana has two cats", "Ana has three cats", "two"),
    ("thé à la menthe", "thé à la mente", "menthe"),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "line"), SAID)
def test_a_line_says_a_fact_in_other_forms(fact, line):
    assert missing_words(fact, line) == ()


@pytest.mark.parametrize(("fact", "line", "lost"), LOST)
def test_what_a_line_does_not_say_is_named(fact, line, lost):
    assert lost in missing_words(fact, line)


INVENTED = [
    ("Zaphod paid 4,711 dollars on 1978-03-08.", ["Ana paid dollars"], ("Zaphod", "4,711", "1978-03-08")),
    ("Ana likes tea in Paris", ["Ana likes tea"], ("Paris",)),
    ("The tea is for Ana", ["tea, Ana"], ()),
    ("Also, Ana likes tea", ["ana likes tea"], ()),
    ("Prefers tea", ["likes tea"], ("Prefers",)),
    ("Ana has three cats", ["Ana has 2 cats"], ("three",)),
    ("one of the cats", ["cats"], ()),
    ("Ana does not like tea", ["Ana likes tea"], ("not",)),
    ("Ana likes tea without milk", ["Ana likes tea", "milk"], ("without",)),
    ("Ana runs 5 kg", ["Ana runs 5 km"], ("5 kg",)),
    ("see https://evil.example/x", ["see https://a.b"], ("https://evil.example/x",)),
    ("run `rm -rf /`", ["run `ls`"], ("`rm -rf /`",)),
    ('he said "burn it"', ["he said it"], ('"burn it"',)),
    ("on January 5, 2026", ["on 2026-01-05"], ()),
    ("born in 2027", ["born 2026-01-05"], ("2027",)),
    ("我不喜欢茶", ["我喜欢茶"], ("不",)),
    ("Der Hund mag Ana", ["Hund, Ana", "Der mag"], ()),
    ("Ana and Bob like tea", ["Ana likes tea", "Bob likes tea"], ()),
]  # fmt: skip


@pytest.mark.parametrize(("line", "sources", "found"), INVENTED)
def test_what_no_source_has_is_named(line, sources, found):
    assert invented_words(line, sources) == found


def test_other_words_that_no_source_has_are_named_apart():
    assert added_words("Ana both likes tea and is allergic to coffee", ["Ana likes tea", "coffee"]) == ("allergic",)


SWAPPED = [
    ("A's port is 81 and B's port is 80", ["A's port is 80", "B's port is 81"], {"81", "80"}),
    ("Ana's host is web on 81; Bob's is db on 80.", ["Ana's host is web on 80; Bob's is db on 81."], {"81", "80"}),
    ("Ana likes coffee, Bob likes tea", ["Ana likes tea", "Bob likes coffee"], {"Ana", "Bob"}),
    ("The call moved from 14:00 to 10:00", ["The call moved from 10:00 to 14:00"], {"10:00", "14:00"}),
    ("Ana flew from Lisbon to Porto", ["Ana flew from Porto to Lisbon"], {"Lisbon", "Porto"}),
    ("2 cats and 3 dogs", ["3 cats and 2 dogs"], {"2", "3"}),
    ("Ana lives in Lisbon and works in Porto", ["Ana lives in Porto and works in Lisbon"], {"Lisbon", "Porto"}),
    ("Ana does not like tea, Bob likes tea", ["Ana likes tea", "Bob does not like tea"], {"Ana", "Bob"}),
    ("甲的端口是81,乙的端口是80", ["甲的端口是80", "乙的端口是81"], {"81", "80"}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "sources", "found"), SWAPPED)
def test_what_was_turned_round_is_named(line, sources, found):
    assert found <= set(swapped_words(line, sources))


@pytest.mark.parametrize(
    ("line", "sources"),
    [
        ("A's port is 80 and B's port is 81", ["A's port is 80", "B's port is 81"]),
        ("The ports are 80 for A and 81 for B", ["A's port is 80", "B's port is 81"]),
        ("Ana likes tea, Bob likes coffee", ["Ana likes tea", "Bob likes coffee"]),
        ("Ana and Bob like tea", ["Ana likes tea", "Bob likes tea"]),
        ("Ana does not like tea, but Bob likes tea", ["Bob likes tea", "Ana does not like tea"]),
        ("Ana likes tea and coffee", ["Ana likes tea", "Ana likes coffee"]),
        ("The call moved from 10:00 to 14:00, says Ana", ["The call moved from 10:00 to 14:00"]),
        ("", ["Ana likes tea"]),
    ],
)
def test_what_stands_as_it_stood_is_not_named(line, sources):
    assert swapped_words(line, sources) == ()


def test_what_two_facts_share_are_words_and_neither_numbers_nor_little_words():
    assert shared_words("Ana moved to Lisbon in 2025", "Ana is in Porto since 2025, never moved") == ("Ana", "moved")
    assert shared_words("the tea is not here", "the cat is not there") == ()
    assert content_words("Ana is not in Porto, 80") == ("Ana", "Porto")
    assert shared_words("我喜欢茶", "茶我喜欢") == ("我喜欢茶",)


BITS = st.sampled_from(
    [fact for fact, _line in SAID]
    + [fact for fact, _line, _lost in LOST]
    + [" ", ". ", "\n", ", ", '"', "“", "`", "~~", "'", "Ana", "80", "8.0", "not ", "-", "(", ")", "不", "é", "\u0301"]
    + ["👍", "v1", "/", ":"]
)
TEXTS = st.one_of(st.lists(BITS, max_size=8).map("".join), st.text(max_size=60))


@given(TEXTS)
@example("a" * 5000)
@example("'" * 3000 + '"' * 3000)
def test_a_fact_is_said_by_itself_and_nothing_in_it_is_invented(fact):
    assert missing_words(fact, fact) == ()
    assert missing_words(fact, f"  {fact}\n") == ()
    assert invented_words(fact, [fact]) == ()
    assert added_words(fact, [fact]) == ()
    assert swapped_words(fact, [fact]) == ()


@given(st.sampled_from([fact for fact, _line in SAID]), st.sampled_from([fact for fact, _, _ in LOST]))
def test_a_fact_is_said_by_a_line_that_it_stands_in_beside_another(fact, other):
    assume('"' not in other)
    assert missing_words(fact, f"{fact}\n{other}") == ()
    assert missing_words(fact, f"{other}\n{fact}") == ()


WORDS = "ana bob tea milk porto rex 80 8080 5km not never from she lived 2026-01-05 a.py"


@given(st.lists(st.sampled_from(WORDS.split(" ")), min_size=1, max_size=8, unique=True), st.data())
def test_each_word_that_is_dropped_is_noticed(words, data):
    dropped = data.draw(st.sampled_from(words))
    line = " ".join(word for word in words if word != dropped)
    assert missing_words(" ".join(words), line) != ()


@given(TEXTS)
def test_every_atom_stands_in_its_text(text):
    for atom in atoms(text):
        assert atom.kind in AtomKind
        assert atom.form


def test_every_negation_is_noticed_when_it_goes():
    for word in NEGATIONS:
        fact = f"Ana {word}Rex" if word.endswith("'") else f"Ana {word} Rex"
        assert missing_words(fact, "Ana Rex"), word
        assert invented_words(fact, ["Ana Rex"]), word
