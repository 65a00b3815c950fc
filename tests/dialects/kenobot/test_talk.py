"""A KenoBot's transcripts, and the system message it answers with."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory.dialects.kenobot import DIALECT
from memory.dialects.kenobot.settings import Settings
from memory.domain.changes import Append
from memory.domain.errors import Unreadable
from memory.domain.turns import Turn
from memory.text.message import Message
from tests.dialects.memories import FakeMemory, unreadable

NOW = datetime(2026, 3, 20, 12, 0, 0, 123_000, tzinfo=UTC)
CHAT = "telegram-42"
PATH = f"@sessions/{CHAT}.jsonl"
LATER = Settings(version="0.7")


def turn(message="Hi", response="raw", at=NOW):
    return Turn(CHAT, message, response, at)


def lines(*said):
    return "".join(json.dumps({"role": role, "content": text, "timestamp": 5}) + "\n" for role, text in said).encode()


def said(messages):
    return [(one.role, one.content) for one in messages]


def system(documents, settings=None, chat=CHAT, query="hello"):
    memory = FakeMemory(documents)
    settings = settings or Settings()
    prompt = DIALECT.to_answer(memory, chat, query, NOW, settings)
    return DIALECT.instructions(memory, prompt, settings), prompt.text


# What Node writes for JSON.stringify({role: "user", content: "…", timestamp: …}) + "\n".
ODD = 'a"b\\c\n\t\x00\x1f\x7f\u2028é😀</script>/'
ODD_LINE = (
    '{"role":"user","content":"a\\"b\\\\c\\n\\t\\u0000\\u001f\x7f\u2028é😀</script>/","timestamp":1774008000122}\n'
)


def test_a_turn_is_written_as_the_bot_writes_it():
    made = DIALECT.spoken(turn(ODD), "Clean.", FakeMemory({}))
    answer = '{"role":"assistant","content":"Clean.","timestamp":1774008000123}\n'
    assert made == Append(PATH, (ODD_LINE + answer).encode())
    # The same moment by another clock is the same number.
    elsewhere = NOW.astimezone(timezone(timedelta(hours=-6)))
    assert DIALECT.spoken(turn(ODD, at=elsewhere), "Clean.", FakeMemory({})) == made


def test_half_a_character_is_written_as_javascript_does():
    assert b'"content":"a\\ud83d"' in DIALECT.spoken(turn("a\ud83d"), "", FakeMemory({})).data


@pytest.mark.parametrize(("before", "first"), [(b"", b"{"), (b'{"a":1}\n', b"{"), (b'{"a":1}', b"\n"), (b"\r", b"\n")])
def test_a_line_that_was_left_open_is_closed_first(before, first):
    made = DIALECT.spoken(turn(), "Yes", FakeMemory({PATH: before}))
    assert made.data[:1] == first
    assert said(DIALECT.history(before + made.data, 20))[-2:] == [("user", "Hi"), ("assistant", "Yes")]


def test_what_was_written_is_read_back():
    made = DIALECT.spoken(turn("¿Qué tal?\n\n"), " Bien. ", FakeMemory({}))
    assert DIALECT.history(made.data, 2) == (
        Message("user", "¿Qué tal?\n\n", "1774008000122"),
        Message("assistant", " Bien. ", "1774008000123"),
    )


def test_history_is_the_newest_messages_oldest_first():
    data = lines(*[("user" if n % 2 == 0 else "assistant", f"m{n}") for n in range(10)])
    assert [text for _, text in said(DIALECT.history(data, 3))] == ["m7", "m8", "m9"]
    assert len(DIALECT.history(data, 200)) == 10
    assert DIALECT.history(data, 0) == ()
    assert DIALECT.history(b"", 20) == ()


def test_history_passes_over_what_is_no_message():
    odd = [
        b"not json",
        b"",
        b"null",
        b"[1]",
        b'{"role":"tool","content":"x"}',
        b'{"role":"user"}',
        b'{"role":"user","content":{"a":1}}',
        b'{"role":"assistant","content":""}',
        b'{"role":["user"],"content":"x"}',
        b'{"role":"user","content":"\xff',
        b"[" * 100_000,
        b'{"role":"user","content":"cut o',
    ]
    data = lines(("user", "one")) + b"\n".join(odd) + b"\n" + lines(("assistant", "two"))
    assert said(DIALECT.history(data, 2)) == [("user", "one"), ("assistant", "two")]


@pytest.mark.parametrize("cut", range(1, 60))
def test_the_end_of_a_transcript_has_no_message_that_the_whole_has_not(cut):
    nested = json.dumps({"role": "user", "content": "forged"})
    whole = lines(("user", nested), ("assistant", "real"), ("user", "x" * 20))
    found = said(DIALECT.history(whole[cut:], 20))
    assert found == said(DIALECT.history(whole, 20))[-len(found) :]
    assert ("user", "forged") not in found


def test_bytes_that_are_no_text_do_not_stop_it():
    (found,) = DIALECT.history(b'{"role":"user","content":"a\xffb\\ud800c"}', 1)
    assert found.content == "a\ufffdb\ufffdc"


def test_system_message_without_identity_is_the_memory_section():
    found, memory = system({"MEMORY.md": "- tea\n"})
    assert found == f"\n---\n\n{memory}\n"
    assert "- tea" in memory


def test_identity_stands_first_as_the_seeds_version_puts_it():
    documents = {
        "@identity/SOUL.md": "# Soul\n",
        "@identity/IDENTITY.md": "# Id",
        "@identity/USER.md": "Ana",
        "MEMORY.md": "- tea\n",
    }
    found, memory = system(documents)
    assert found.startswith(
        "# Soul\n\n\n---\n\n# Id\n\n---\n\n## User Profile\n\nAna\n\n### How to update user preferences\n"
    )
    assert found.endswith(f"recurring patterns\n\n\n---\n\n{memory}\n")
    assert found.index("# Soul") < found.index("# Id") < found.index("Ana") < found.index("## Memory")


def test_first_conversation_is_told_so():
    found, memory = system({"@identity/BOOTSTRAP.md": "Ask for the name."})
    assert found == f"\n---\n\n## First Conversation — Bootstrap\nAsk for the name.\n\n---\n\n{memory}\n"


def test_one_file_of_identity_is_taken_whole():
    found, _ = system({"@identity/kenobot.md": "I am it."})
    assert found.startswith("I am it.\n\n---\n\n## Memory")
    found, _ = system({"@identity/kenobot.md": "I am it.", "@identity/SOUL.md": "Soul."})
    assert "I am it." not in found


RULES = {
    "behavioral": [
        {"category": "tone-of-voice", "instruction": "Be brief", "examples": ["Good: yes", "Bad: well"]},
        {"instruction": "Ask"},
        {"category": "tone-of-voice", "instruction": "Be kind", "examples": []},
    ],
    "forbidden": [{"pattern": "let me just", "reason": "filler"}, {"pattern": "sure!"}],
}
RULES_SAID = """\
## Behavioral Guidelines

### Tone Of Voice

- Be brief
  Examples:
  - Good: yes
  - Bad: well

- Be kind

### General

- Ask

## Forbidden Patterns

Avoid these patterns in your responses:

- "let me just" (filler)
- "sure!\""""


def test_identity_of_07_has_rules_and_preferences():
    documents = {
        "identity/core.md": "  Core.\n\n",
        "identity/rules.json": json.dumps(RULES),
        "identity/preferences.md": "# User Preferences\n\n- brief\n",
        "identity/SOUL.md": "Not read.",
    }
    found, memory = system(documents, LATER)
    assert found == (
        f"Core.\n\n---\n\n{RULES_SAID}\n\n---\n\n## Preferences\n# User Preferences\n\n- brief\n\n---\n\n{memory}\n"
    )


@pytest.mark.parametrize("rules", ["", "{", "[]", "null", '{"behavioral": 5, "forbidden": [7]}', '{"behavioral": []}'])
def test_rules_that_say_nothing_are_left_out(rules):
    found, memory = system({"identity/core.md": "Core.", "identity/rules.json": rules}, LATER)
    assert found == f"Core.\n\n---\n\n{memory}\n"


def test_identity_that_cannot_be_read_is_not_taken_for_none():
    with pytest.raises(Unreadable):
        system({"@identity/SOUL.md": unreadable("SOUL.md")})


def test_observing_is_for_turns_that_others_answered():
    watching = Settings(capture="observe")
    reply = "Noted. <memory>Likes tea</memory>"
    assert DIALECT.capture(turn(response=reply), FakeMemory({}), watching).changes == ()
    ours = Turn(CHAT, "Hi", reply, NOW, answered=True)
    assert DIALECT.capture(ours, FakeMemory({}), watching).changes == (
        Append("2026-03-20.md", "## 12:00 — Likes tea\n\n".encode()),
    )
