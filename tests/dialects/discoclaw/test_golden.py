"""Byte for byte what the bot's own code gives over seven weeks of its files: sections, prompts, replies, and what it writes."""

from __future__ import annotations

from memory.dialects.discoclaw import DIALECT, commands, durable, javascript, layout, shortterm
from memory.dialects.discoclaw.budget import selected
from memory.dialects.discoclaw.durable import Malformed
from memory.dialects.discoclaw.prompt import FILES, NO_SERVER
from memory.domain.changes import Delete
from memory.domain.turns import Turn
from memory.text import utf16
from tests.dialects.discoclaw.bot import EVERYTHING_ON, GOLDEN, NOW, memory, print_of

MEMORY = memory()
MS = GOLDEN["now"]


def store_of(user):
    return durable.read(MEMORY.read(f"durable/{user}.json"))


def test_sections_of_facts_at_every_budget():
    for user, budget, length, sha in GOLDEN["sections"]:
        try:
            text = "\n".join(line.text for line in selected(durable.lines(store_of(user)), budget))
        except Malformed:
            text = ""
        assert (user, utf16.count_units(text), print_of(text)) == (user, length, sha)


def test_sections_of_what_happened_lately_at_every_budget_and_age():
    for name, budget, hours, length, sha in GOLDEN["lately"]:
        store = shortterm.read(MEMORY.read(f"shortterm/{name}.json"))
        text = "\n".join(line.text for line in selected(shortterm.lines(store, MS, hours * 3_600_000), budget))
        assert (name, utf16.count_units(text), print_of(text)) == (name, length, sha)


def test_prompts_of_every_user_in_every_conversation():
    assert len(GOLDEN["prompts"]) == 66
    for user, chat, server, length, sha in GOLDEN["prompts"]:
        read = DIALECT.prompt(MEMORY, chat, "", NOW, EVERYTHING_ON, user)
        text = "".join(section.text for section in read.sections if section.heading != FILES)
        assert not server or NO_SERVER not in read.unsure
        assert (user, chat, utf16.count_units(text), print_of(text)) == (user, chat, length, sha)


def test_what_is_shown_to_every_user_in_every_conversation():
    for user, chat, sha in GOLDEN["shows"]:
        shown = commands.shown(MEMORY, chat, layout.USER + user, EVERYTHING_ON)
        assert (user, chat, print_of(shown)) == (user, chat, sha)


def test_what_is_forgotten_for_which_words():
    assert sum(count for _, _, count, _ in GOLDEN["forgets"]) > 30
    for user, needle, count, sha in GOLDEN["forgets"]:
        store = store_of(user)
        going = durable.matches(store, needle)
        durable.forget(store, going, MS)
        assert (needle, len(going), print_of(javascript.written(store))) == (needle, count, sha)


def test_ids_of_texts():
    for kind, text, own in GOLDEN["ids"]:
        assert (text, durable.item_id(kind, text)) == (text, own)


def test_files_after_facts_were_added_up_to_every_cap():
    texts = list(dict.fromkeys(text for _, text, _ in GOLDEN["ids"]))
    for user, most, sha in GOLDEN["adds"]:
        try:
            store = store_of(user)
        except Malformed:
            store = durable.new()
        for number, text in enumerate(texts, 1):
            durable.add(store, text, {"type": "manual", "channelId": "9"}, MS + 1000 * number, most)
        assert (user, most, print_of(javascript.written(store))) == (user, most, sha)


def test_every_file_is_written_as_it_was_read():
    for path, data in MEMORY.documents.items():
        if path.endswith(".json") and not path.endswith("66.json"):
            assert javascript.written(javascript.read(data.decode())) == data


def test_commands_are_read_to_the_letter():
    is_none = ["hello !memory", "! memory", "!memory remember", "!memory remember\tx", "!memory SHOW", "!Memory show"]
    assert [one for one in [*is_none, "!memory reset  rolling", "!memory forgetx"] if commands.parse(one)] == []
    assert commands.parse("!memory") == commands.parse(" !memoryshow\n") == commands.ChatCommand("show")
    assert commands.parse("!memoryremember  I  like tea ") == commands.ChatCommand("remember", "I  like tea")
    assert commands.parse("!memory forget Acme\ufeff") == commands.ChatCommand("forget", "Acme")
    assert commands.parse("!memory remember   ") is None
    assert commands.parse("!memory reset rolling") == commands.ChatCommand("reset-rolling")


def said(message, chat="discord:channel:820000000000000001", user="710000000000000011", **more):
    turn = Turn(chat, message, "", NOW, answered=True, sender=user, **more)
    return DIALECT.capture(turn, MEMORY, EVERYTHING_ON)


def test_what_is_answered_to_each_command():
    remembered = said("!memory remember Likes tea", message_id="7", group_id="61", chat_name="dev")
    assert remembered.clean_text == "Remembered: Likes tea"
    item = durable.read(remembered.changes[0].data)["items"][-1]
    told = {"type": "manual", "channelId": "820000000000000001", "messageId": "7", "guildId": "61"}
    assert item["source"] == {**told, "channelName": "dev"}
    assert said("!memory forget nothing like it").clean_text == "No matching items found."
    assert said("!memory forget nothing like it").changes == ()
    assert said("!memory remember x", user="a/b").clean_text == ""
    assert "user_id" in said("!memory remember x", user="").clean_text
    cleared = said("!memory reset rolling")
    assert cleared.clean_text == "Rolling summary cleared for this session."
    assert isinstance(cleared.changes[0], Delete)
    assert said("!memory reset rolling", "discord:channel:1").changes == ()


def test_a_malformed_file_is_never_replaced():
    for message in ("!memory remember x", "!memory forget x"):
        told = said(message, user="710000000000000066")
        assert told.changes == ()
        assert told.clean_text.startswith("Memory command error: The file isn’t valid")
