"""The parts of a fact that may be facts themselves, and what is long enough to be known again."""

from __future__ import annotations

import re

MOST = 40  # parts of one text
LONGEST = 4000  # characters of a text that are looked at
LETTERS = 16  # of a telling text; in scripts that need fewer, SIGNS
SIGNS = 6
ENOUGH = 400  # characters that are counted
EVERYDAY = 48  # characters; who says more says something of their own

_LINES = re.compile(r"[\r\n]+")
_SENTENCES = re.compile(r"(?<=[.!?])\s+|;\s+|；|(?<=[。！？])")
_CLAUSES = re.compile(r",\s+|，")
_MARKS = re.compile(r"(?:#[^\s#]+\s+|\[[ xX]\]\s+)+")
_OWNER = re.compile(r"\W{0,3}([^\s\[\](){}:：]++)(?:\s*+(?:[\])}]\s*+[:：\])}]|[:：\])}])|\s++[—–-]\s)\s*")
_LABEL = re.compile(r"[^:：]{1,60}[:：]\s*")
# where a text may be parted: one without is one piece
_JOINTS = re.compile(r"[\r\n.!?;,:：)\]}）。！？；，]|\s[—–-]\s")
_ASIDE = re.compile(r"(?<!\s)\s*+[(（\[][^()（）\[\]]{0,80}[)）\]]\s*\.?$")

# What many people say alike: how they want to be answered, and courtesies. It is nobody's secret.
_BEFORE = r"(?:the )?(?:user(?:['’]s)?:? |nutzer |usuario )?(?:primary |preferred )?"
_MANNERS = re.compile(
    _BEFORE
    + r"(?:(?:prefers?|preferences?|likes?|time ?zone|language|tone|units|answers?|repl(?:y|ies)|responds?|responses?"
    r"|prefiere|preferencias?|le gustan?|zona horaria|idioma|tono|responde|contesta"
    r"|mag|bevorzugt|zeitzone|sprache|ton|antworte"
    r"|thanks?|thank you|good (?:morning|afternoon|evening|night)|hello|please|yes"
    r"|(?:muchas )?gracias|buen[oa]s (?:días|tardes|noches)|hola|por favor"
    r"|danke|vielen dank|gute[nr]? (?:morgen|tag|abend|nacht)|hallo|bitte)\b"
    r"|喜欢|偏好|时区|语言|语气|回答|谢谢|你好|早上好|晚安|请)",
    re.IGNORECASE,
)


def is_telling(text: str, times: float = 1) -> bool:
    """Whether a text is long enough that two of it are no accident, and says more than what everybody says; with `times`, so many
    times longer than usual."""
    return _is_long(text, times) and not _is_everyday(text)


def _is_everyday(text: str) -> bool:
    """Whether a text is short and says only what everybody says, as far as its first words tell."""
    return len(text) <= EVERYDAY and _MANNERS.match(text.lstrip("-*_ ")) is not None


def _is_long(text: str, times: float) -> bool:
    start = text[:ENOUGH]
    if sum(map(str.isalnum, start)) >= LETTERS * times:
        return True
    return not start.isascii() and sum(sign.isalnum() and sign > "⺀" for sign in start) >= SIGNS * times


def pieces(text: str) -> list[str]:
    """The telling parts of a text beside the whole of it: lines, sentences and clauses, each also without what stands before its
    colon, without tags and a box before it, and without a remark in brackets at its end."""
    if not _JOINTS.search(text) and not _MARKS.match(text.lstrip()):
        return []
    found: dict[str, None] = {}
    for line in _LINES.split(text[:LONGEST]):
        for sentence in dict.fromkeys((line, *_SENTENCES.split(line))):
            for part in dict.fromkeys((sentence, *_CLAUSES.split(sentence))):
                found.update(dict.fromkeys(_bare(part.strip())))
    found.pop(text.strip(), None)
    return [one for one in found if is_telling(one)][:MOST]


def owner(text: str) -> str:
    """The first word of a text if it stands there as a label: `[telegram-1] …`, `telegram-1: …`; "" if none does."""
    match = _OWNER.match(text[:LONGEST])
    return match[1] if match else ""


def _bare(part: str) -> list[str]:
    rests = [part]
    for mark in (_OWNER, _LABEL, _MARKS):
        if match := mark.match(part):
            rests.append(part[match.end() :])
    return [one for rest in rests for one in (rest, _ASIDE.sub("", rest))]
