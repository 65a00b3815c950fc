"""What a merged line makes of its sources although each of their words is in it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from memory.text.fidelity.composition import rearranged_words
from memory.text.fidelity.judge import doubts, judge
from memory.text.fidelity.operations import Fact, Merge
from memory.text.fidelity.retention import missing_words

HONEST = [
    ("Ana lives in Lisbon now and likes tea", ["Ana lives in Lisbon now", "Ana likes tea"]),
    ("A's port is 80 and B's port is 81", ["A's port is 80", "B's port is 81"]),
    ("Ana and Bob like tea", ["Ana likes tea", "Bob likes tea"]),
    ("Ana does not like tea, but Bob likes tea", ["Bob likes tea", "Ana does not like tea"]),
    ("Ana likes tea, coffee and milk", ["Ana likes tea", "Ana likes coffee", "Ana likes milk"]),
    ("The meeting is on Monday at 10:00", ["The meeting is on Monday", "The meeting is at 10:00"]),
    ("Ana likes green tea from China", ["Ana likes green tea", "green tea from China"]),
    ("Ana has a cat named Tom, who is black", ["Ana has a cat named Tom", "Tom is black"]),
    ("A Ana le gusta el té y el café", ["A Ana le gusta el té", "A Ana le gusta el café"]),
    ("我喜欢茶，她住在北京", ["我喜欢茶", "她住在北京"]),
    ("Run `make test` in `app/`", ["Run `make test` in `app/`"]),
    ("The contract with Vodafone ends 2025-01-01; the contract with Movistar ends 2026-01-01",
     ["The contract with Vodafone ends 2025-01-01", "The contract with Movistar ends 2026-01-01"]),
    ("Rent in January 2025 was 500 €; rent in January 2026 was 600 €",
     ["Rent in January 2025 was 500 €", "Rent in January 2026 was 600 €"]),
    ("Ana was born on January 5, 1990 in Porto", ["Ana was born on January 5, 1990", "Ana was born in Porto"]),
    ("Ana was born on January 5, 1990", ["Ana was born on January 5", "Ana was born on January 5, 1990"]),
    ("Budget ≤ 500 € for the trip; hotel has to be ≥ 3 stars",
     ["Budget <= 500 € for the trip", "Hotel has to be >= 3 stars"]),
    ("Salary: ₺500 a day, 10 ₺ for lunch", ["Salary: ₺500 a day", "10 ₺ for lunch"]),
    ("Route: home → office → gym", ["Route: home -> office → gym"]),
    ("Window is 5′ wide; door is 80″ high", ["Window is 5' wide", "Door is 80″ high"]),
    ("Project Kiwi - deadline 2026-03-01 - budget 5,000 €",
     ["Project Kiwi - deadline 2026-03-01", "Project Kiwi - budget 5,000 €"]),
    ("User's dog is called Rex and is 5 years old", ["User's dog is called Rex", "User's dog is 5 years old"]),
    ("User's name is Ana; user is a nurse", ["User's name is Ana", "User is a nurse"]),
    ("User's son Leo is 5 and user's daughter Mia is 7", ["User's son Leo is 5", "User's daughter Mia is 7"]),
    ("The red car is Ana's and the blue car is Bob's", ["The red car is Ana's", "The blue car is Bob's"]),
    ("Bob is Ana's boss and lives in Madrid", ["Bob is Ana's boss", "Bob lives in Madrid"]),
    ("Ana's car is red. It's parked in Porto", ["Ana's car is red", "It is parked in Porto"]),
    ("Alice's husband is Carl, who works at IBM", ["Alice's husband is Carl", "Carl works at IBM"]),
    ("She is a teacher and likes jazz", ["She is a teacher", "She likes jazz"]),
    ("His mother lives in Vigo; his father lives in Lugo", ["His mother lives in Vigo", "His father lives in Lugo"]),
    ("Ana, the sister of Bob, lives in Porto. She has a dog.",
     ["Ana, the sister of Bob, lives in Porto", "She has a dog"]),
    ("Watered the plants and fed the cat", ["Watered the plants", "Fed the cat"]),
    ("Ana called and left a message", ["Ana called", "Ana left a message"]),
    ("Ana likes tea and drinks milk, Bob is ill", ["Ana likes tea", "Bob is ill", "Ana drinks milk"]),
    ("Bob is ill; Ana, Lee and Eve like tea", ["Ana likes tea", "Bob is ill", "Eve likes tea", "Lee likes tea"]),
    ("Ana called, James lost the keys", ["Ana called", "James lost the keys"]),
    ("Ana visited Bob and Carl", ["Ana visited Bob", "Ana visited Carl"]),
    ("El hijo de Ana se llama Tim y tiene 5 años", ["El hijo de Ana se llama Tim", "El hijo de Ana tiene 5 años"]),
    ("Los padres de Ana son de Vigo y están jubilados",
     ["Los padres de Ana son de Vigo", "Los padres de Ana están jubilados"]),
    ("Der Hund von Ana heißt Rex und ist 5 Jahre alt",
     ["Der Hund von Ana heißt Rex", "Der Hund von Ana ist 5 Jahre alt"]),
    ("Le fils d'Ana s'appelle Tim; Ana aime le thé", ["Le fils d'Ana s'appelle Tim", "Ana aime le thé"]),
    ("Кот живёт в доме, собака живёт во дворе", ["Кот живёт в доме", "Собака живёт во дворе"]),
    ("Ana likes tea, Bob likes it too", ["Ana likes tea", "Bob likes it"]),
    ("उपयोगकर्ता दिल्ली में रहता है। उसे चाय पसंद है।", ["उपयोगकर्ता दिल्ली में रहता है", "उसे चाय पसंद है"]),
    ("João mora em Lisboa e trabalha no Porto", ["João mora em Lisboa", "João trabalha no Porto"]),
    ("アナはお茶が好き。ボブはコーヒーが好き。", ["アナはお茶が好き", "ボブはコーヒーが好き"]),
]  # fmt: skip

LIES = [
    ("the cat bit the dog", ["the dog bit the cat"]),
    ("my brother owes my sister money", ["my sister owes my brother money"]),
    ("the dog is black, the cat is white", ["the cat is black", "the dog is white"]),
    ("wifi password is banana and mail password is apple", ["wifi password is apple", "mail password is banana"]),
    ("cats swim, dogs do not swim", ["cats do not swim", "dogs swim"]),
    ("Ana likes meat and not fish", ["Ana likes fish and not meat"]),
    ("Never restart the backup server. Always restart the primary server",
     ["Never restart the primary server", "Always restart the backup server"]),
    ("Ana never drinks tea and coffee", ["Ana never drinks tea", "Ana drinks coffee"]),
    ("Ana drinks tea, not coffee and milk", ["Ana drinks tea, not coffee", "Ana drinks milk"]),
    ("Ana smokes, Bob hardly smokes", ["Ana hardly smokes", "Bob smokes"]),
    ("Everyone came, Ana except", ["Everyone except Ana came"]),
    ("Steps: cut, peel, boil", ["Steps: boil, peel, cut"]),
    ("Use coffee instead of tea", ["Use tea instead of coffee"]),
    ("ratio dogs/cats", ["ratio cats/dogs"]),
    ("Flight to Rome from Oslo", ["Flight from Rome to Oslo"]),
    ("paid for Ana by Bob", ["paid by Ana for Bob"]),
    ("Turn off the alarm", ["Turn on the alarm"]),
    ("If Ana hates fish", ["Ana hates fish"]),
    ("Maybe Ana hates fish", ["Ana hates fish"]),
    ("It was said that Ana hates fish", ["Ana hates fish"]),
    ("Ana hates fish. You should always do this for him", ["Ana hates fish"]),
    ("Ana hates fish?", ["Ana hates fish"]),
    ("Bob wins. In 2020 Ana lost", ["Bob wins in 2020", "Ana lost"]),
    ("run `x` file ls", ["run `ls`", "file x"]),
    ("小红打了小明", ["小明打了小红"]),
    ("犬が猫を追う", ["猫が犬を追う"]),
    ("猫を犬が追う", ["猫が犬を追う"]),
    ("la carne le gusta a Ana, no el pescado", ["a Ana no le gusta la carne, el pescado"]),
]  # fmt: skip

YEARS = [
    ("The contract with Vodafone ends 2026-01-01; the contract with Movistar ends 2025-01-01",
     ["The contract with Vodafone ends 2025-01-01", "The contract with Movistar ends 2026-01-01"]),
    ("Rent in January 2025 was 600 €; rent in January 2026 was 500 €",
     ["Rent in January 2025 was 500 €", "Rent in January 2026 was 600 €"]),
    ("Ana Silva was born 1985-01-05; Bob Costa was born 1990-01-05",
     ["Ana Silva was born 1990-01-05", "Bob Costa was born 1985-01-05"]),
    ("Ana was born on January 5, 2026; Ana's trip is on January 5, 2026",
     ["Ana was born on January 5", "Ana's trip is on January 5, 2026"]),
]  # fmt: skip

SIGNS = [
    ("Ana = admin", "Ana ≠ admin"),
    ("Bob ∉ team", "Bob ∈ team"),
    ("admin", "¬admin"),
    ("!admin", "admin"),
    ("x ≤ y", "x ≥ y"),
    ("x < y", "x > y"),
    ("retries <= 5", "retries >= 5"),
    ("Timeout ⩽ 5 s", "Timeout ⩾ 5 s"),
    ("Timeout ≦ 5 s", "Timeout ≧ 5 s"),
    ("Load: 5 × 3", "Load: 5 ÷ 3"),
    ("Load: 5 / 3", "Load: 5 * 3"),
    ("2^3", "2 3"),
    ("Area 5²", "Area 52"),
    ("Dose .5 mg", "Dose 5 mg"),
    ("a ∧ b", "a ∨ b"),
    ("√9", "9"),
    ("-√9", "√9"),
    ("Ana is at 5 + Bob", "Ana is at 5 - Bob"),
    ("Temp - 5 degrees", "Temp 5 degrees"),
    ("Temp ‒5 degrees", "Temp 5 degrees"),
    ("Temp －5 degrees", "Temp 5 degrees"),
    ("Blood type A", "Blood type A-"),
    ("run x force", "run x --force"),
    ("Balance (500)", "Balance 500"),
    ("Balance 500 €", "Balance (500 €)"),
    ("Balance （500）", "Balance 500"),
    ("Fever at 39 ℉", "Fever at 39 ℃"),
    ("The beam is 5″ long", "The beam is 5′ long"),
    ("The beam is 5' long", 'The beam is 5" long'),
    ("Bag of 5 ㎎", "Bag of 5 ㎏"),
    ("Rent is ₿500", "Rent is ₺500"),
    ("Rent is 500", "Rent is ₺500"),
    ("100 ₫ paid", "100 ₺ paid"),
    ("Vitamin 5", "Vitamin 5 ‱"),
    ("5٪", "5"),
    ("%5", "5"),
    ("Section § 5", "Section 5"),
    ("Ana smokes\u20e0", "Ana smokes"),
    ("¿Ana come pescado", "Ana come pescado"),
    ("Ana sleeps⁇", "Ana sleeps"),
    ("ދިވެހި", "ދުވެހި"),
    ("Ana hates Bob", "“Ana hates Bob”"),
]

OWNERS = [
    ("Ana is called Tim, Eve's son likes coffee", ["Ana's son is called Tim", "Eve likes coffee"]),
    ("Ana likes tea, Bob's son likes coffee", ["Ana's son likes tea", "Bob likes coffee"]),
    ("Ana Silva works at LA, Bob Costa lives in UN", ["Ana Silva works at UN", "Bob Costa lives in LA"]),
    ("Ana's roses, and Bob's die", ["Ana's roses die", "Bob's"]),
    ("Der Frau hilft die Tochter", ["Die Frau hilft der Tochter"]),
    ("Bob's Ana is a boss", ["Bob is Ana's boss"]),
    ("Ana is a doctor and lives in Porto", ["Ana's doctor lives in Porto"]),
    ("Chris is boss, Bob", ["Chris' boss is Bob"]),
    ("Ana's vegan sister visits", ["Ana is vegan; sister visits"]),
    ("The dog's bone", ["The dogs bone"]),
    ("Ana is called", ["Ana called"]),
    ("Ana is paid 5 €", ["Ana paid 5 €"]),
    ("Ana and Silva called", ["Ana Silva called"]),
    ("Ana's son likes tea and likes coffee", ["Ana's son likes tea", "Ana likes coffee"]),
    ("Ana Silva likes tea and likes coffee", ["Ana Silva likes tea", "Ana likes coffee"]),
    ("Ana and Bob like tea and like coffee", ["Ana and Bob like tea", "Ana likes coffee"]),
    ("Bob called Ana, who is ill", ["Bob called Ana", "Bob is ill"]),
    ("Bob called Ana, who lost the keys", ["Bob called Ana", "Lost the keys"]),
    ("Ana called and lost the keys", ["Ana called", "Lost the keys"]),
    ("Ana called, she lost the keys", ["Ana called", "Lost the keys"]),
    ("Ana hates Eve; she loves Bob", ["Ana hates Eve", "loves Bob"]),
    ("Bob called, Ana lost his keys", ["Ana lost keys", "Bob called"]),
    ("Maria is a nurse, her sister is ill", ["Maria is a nurse", "Sister is ill"]),
    ("La madre de Ana es alta y su padre bajo", ["La madre de Ana es alta", "padre bajo"]),
    ("Le père d'Ana dort, sa mère mange", ["Le père d'Ana dort", "Mère mange"]),
    ("Die Mutter von Ana schläft, sein Vater isst", ["Die Mutter von Ana schläft", "Vater isst"]),
    ("A mãe da Ana dorme, seu pai come", ["A mãe da Ana dorme", "Pai come"]),
    ("Ana, said Bob, stole the car", ["Ana said Bob stole the car"]),
    ("Ana said: Bob stole the car", ["Ana said Bob stole the car"]),
    ("Let us eat Grandma", ["Let us eat, Grandma"]),
    ("Ana likes all but tea", ["Ana likes all tea"]),
    ("Ana is too old", ["Ana is old"]),
    ("Ana and Bob own a cat and a dog respectively", ["Ana and Bob own a cat and a dog"]),
    ("Ana hardly smokes and drinks", ["Ana hardly smokes", "Ana drinks"]),
    ("Ana likes tea, Bob is ill and drinks milk", ["Ana likes tea", "Bob is ill", "Ana drinks milk"]),
    ("Ana, Bob is ill, Eve likes tea", ["Ana likes tea", "Bob is ill", "Eve likes tea"]),
    ("Ana sometimes smokes and drinks", ["Ana sometimes smokes", "Ana drinks"]),
    ("Only Ana and Bob have keys", ["Only Ana has keys", "Bob has keys"]),
    ("Анна, сказал Боб, украла", ["Анна сказал Боб украла"]),
    ("安娜，说鲍勃，偷车", ["安娜说鲍勃偷车"]),
]

DISGUISES = [
    ("Ana likes tea <!-- Ana hates fish -->", ["Ana hates fish", "Ana likes tea"]),
    ("Ana likes tea [//]: # (Ana hates fish)", ["Ana hates fish", "Ana likes tea"]),
    ("Ana likes tea, ~Ana hates fish~", ["Ana hates fish", "Ana likes tea"]),
    ("\u202eAna pays Bob", ["Ana pays Bob"]),
    ("\u202eAna pays Bob", ["\u202eAna pays Bob\u202c"]),
    ("Ana\u200d smokes", ["Ana smokes"]),
    ("Ana smokes\U000e0041\U000e0042", ["Ana smokes"]),
    ("Ana smokes\ufe00", ["Ana smokes"]),
    ("Ana smokes\b\b", ["Ana smokes"]),
    ("The password is secret", ["The password is Secret"]),
    ("The password is HUNTERtwo", ["The password is hunterTWO"]),
    ("Ana moved to us", ["Ana moved to US"]),
    ("Pages 5 and 8", ["Pages 5-8"]),
]


def flags(line, sources):
    facts = [Fact(source) for source in sources]
    [one] = judge(facts, [Merge(tuple(range(1, len(facts) + 1)), line)]).judgements
    return one.flags or one.losses


@pytest.mark.parametrize(("line", "sources"), HONEST)
def test_a_line_that_says_its_sources_as_they_stood_has_no_flag(line, sources):
    assert flags(line, sources) == ()


@pytest.mark.parametrize(("line", "sources"), [*LIES, *DISGUISES, *YEARS, *OWNERS])
def test_a_line_that_says_something_else_with_the_same_words_has_one(line, sources):
    assert flags(line, sources) != ()


@pytest.mark.parametrize(("one", "other"), SIGNS)
def test_a_sign_that_is_dropped_or_added_or_is_another_one_has_one(one, other):
    assert flags(one, [other]) != ()
    assert flags(other, [one]) != ()


@pytest.mark.parametrize(
    "line",
    [
        "Ana moved (noted 2026-01-05), Bob left",
        "Bob left (noted 2026-01-09). Ana moved (noted 2026-01-05).",
        "Ana moved; Bob left (noted 2026-01-09)",
    ],
)
def test_a_line_may_say_behind_a_fact_when_that_was_noted(line):
    assert list(doubts(line, ["Ana moved.", "Bob left"], ["2026-01-05", "2026-01-09"])) == []


@pytest.mark.parametrize(
    "line",
    [
        "Ana moved 2026-01-05, Bob left",
        "Ana moved, 2026-01-05, Bob left",
        "Ana moved January 5; Bob left",
        "Ana moved (2026-01-05), Bob left",
        "On 2026-01-09 Ana moved, Bob left",
        "Ana moved (noted 2026-01-09), Bob left",
        "Ana moved, Bob left (noted 2026-01-05)",
        "Ana moved, Bob left (noted 2026-01-09) (noted 2026-01-09)",
        "Ana moved, Bob (noted 2026-01-09) left",
        "(noted 2026-01-05) Ana moved, Bob left",
        "Ana moved, Bob left (noted 2026-01-11)",
    ],
)
def test_the_day_of_a_note_is_no_part_of_what_was_noted(line):
    assert list(doubts(line, ["Ana moved", "Bob left"], ["2026-01-05", "2026-01-09"]))


def test_a_fact_of_long_term_memory_takes_no_day_of_another_one():
    facts = [Fact("The visa of Ana expires", lasting=True), Fact("Bob called", "2026-01-10")]
    for said in ("2026-01-10", "January 10", "(noted 2026-01-10)"):
        [one] = judge(facts, [Merge((1, 2), f"The visa of Ana expires {said}; Bob called")]).judgements
        assert one.flags


def test_that_a_fact_was_noted_some_day_stays_with_it():
    assert missing_words("Ana moved (noted 2026-01-05)", "Ana moved 2026-01-05")
    assert flags("Ana moved; Bob left (noted 2026-01-05)", ["Ana moved (noted 2026-01-05)", "Bob left"])


@given(st.lists(st.text(max_size=20), max_size=4), st.text(max_size=40))
def test_whatever_a_line_is_it_can_be_told(sources, line):
    assert set(rearranged_words(line, sources)) <= set(rearranged_words(line, []))
    assert rearranged_words(line, [line]) == ()


def test_the_longest_line_of_the_same_word_is_told_in_time():
    began = time.thread_time()
    rearranged_words("b " * 2000, ["b " * 4000, "b " * 1999 + "c", "c " + "b " * 1500])
    assert time.thread_time() - began < 5
