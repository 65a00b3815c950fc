"""Shapes of texts that are written for a language model and not for people: what sets aside its rules, speaks in another's role,
hides, or has it carry something out. Who tells of such a text is left in peace as far as that can be told."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import islice

LONGEST = 4000  # characters that are looked at
NEAR, JUST_BEFORE = 140, 12  # of them behind a word and before it
MOST = 20  # words of a sort


class Shape(StrEnum):
    """What a text looks like."""

    ASIDE = "aside"  # it sets aside what the model was told
    ROLE = "role"  # it speaks as the system does
    HIDDEN = "hidden"  # nobody sees a part of it
    OUTSIDE = "outside"  # it carries something out
    SECRETLY = "secretly"  # the user is not to know


SETTING_ASIDE = re.compile(
    r"\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|every|each|of|the|these|those|your|my|our|its)\s+){0,4}"
    r"(?:previous|prior|above|earlier|preceding|former|existing|foregoing)\s+(?:\w+\s+)?"
    r"(?:instruction|direction|rule|order|prompt|guideline|command|directive|message)s?\b",
    re.IGNORECASE,
)
INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]")

_ASIDE_ELSEWHERE = re.compile(
    r"\b(?:ignora|olvida|descarta)\s+(?:todas?\s+)?(?:las\s+|tus\s+)?(?:instrucciones|reglas|órdenes)\s+(?:anteriores|previas)\b"
    r"|\b(?:ignoriere?|vergiss|missachte)\s+(?:alle\s+|die\s+|deine\s+){0,2}(?:vorherigen|bisherigen|früheren|obigen)\s+"
    r"(?:Anweisungen|Regeln|Befehle|Vorgaben)\b"
    r"|(?:忽略|无视|忘记|忽視|無視)(?:掉)?(?:之前|以上|上面|先前|此前)的?(?:所有|全部|一切)?的?(?:指令|指示|规则|規則|命令|提示)"
    r"|\byou are now (?:in (?:developer|debug|god) mode|DAN\b|an? unrestricted|without (?:any )?(?:rules|restrictions|limits))",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|start_header_id|eot_id|endoftext)\|>|\[/?INST\]|<</?SYS>>"
    r"|</(?:system|assistant)>\s*<(?:system|user|assistant)>"
    r"|\A\W*SYSTEM(?: (?:PROMPT|MESSAGE))?\s*:\s*(?:you (?:must|are|will|should)|ignore|from now on)\b",
    re.IGNORECASE,
)
_TURNED, _TAGGED = re.compile("[\u202d\u202e]"), re.compile("[\U000e0020-\U000e007f]")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007f]+")  # flags of England, Scotland, Wales are made of these
# not the joiners of scripts that need them, nor soft hyphens
_SPLIT = re.compile("[A-Za-z][\u200b\u2060\ufeff]+[A-Za-z]")
_IMAGE = re.compile(r"!\[[^\[\]\n]{0,200}\]\(\s*<?https?://", re.IGNORECASE)
_BLANK = re.compile(r"\?[^\s)=?]{1,100}=(?:\{[^{}\n]*\}|<[^<>\n]*>|\[[^\[\]\n]*\]|%[A-Z_]+%|\$\w+)")
_WHAT = re.compile(
    r"passwords?|credentials|secrets|(?:api|private|access) keys?|tokens|chat history|conversation|memory"
    r"|contraseñas|claves|credenciales|Passwörter|Schlüssel|Zugangsdaten|密码|密钥|对话|聊天记录",
    re.IGNORECASE,
)
_WHERE = re.compile(r"https?://|[\w.+-]{1,64}@[\w-]{1,64}\.\w")
_SENDS = re.compile(
    r"\b(?:send|post|upload|forward|e-?mail|leak|exfiltrate|envía|sube|reenvía|sende|schicke|lade)\b|发送|上传|发到",
    re.IGNORECASE,
)
_SECRETLY = re.compile(
    r"\b(?:do not|don['’]t|never|must not|should not) (?:tell|mention (?:this|it|that) to|inform|alert|let) the user\b"
    r"|\bwithout (?:telling|informing|alerting|asking) the user\b"
    r"|\bno (?:se lo )?(?:le )?(?:digas|menciones|informes)(?: esto| nada)? al usuario\b"
    r"|\bsag(?:e|t)? dem (?:be)?nutzer nichts\b|不要(?:告诉|通知|让)用户",
    re.IGNORECASE,
)
# Who tells of such texts tells of them by name, or quotes them.
_TOLD = re.compile(
    r"\b(?:inject\w*|attacks?|jailbreak\w*|phishing|inyección|ataques?|Angriffe?)\b|注入|攻击", re.IGNORECASE
)


def shape(text: str) -> Shape | None:
    """The shape that a text has; None for one that people write to people."""
    said = text[:LONGEST]
    if _hides(said):
        return Shape.HIDDEN
    plain = said if said.isascii() else INVISIBLE.sub("", said)
    if _TOLD.search(plain):
        return None
    found = (
        (Shape.ROLE, _ROLE),
        (Shape.ASIDE, SETTING_ASIDE),
        (Shape.ASIDE, _ASIDE_ELSEWHERE),
        (Shape.SECRETLY, _SECRETLY),
    )
    named = next((name for name, pattern in found if pattern.search(plain)), None)
    return named or (Shape.OUTSIDE if _carries(plain) or _sends(plain) else None)


def _hides(text: str) -> bool:
    """Whether it has signs that turn, tag or split what is read, which no text of plain letters has."""
    if text.isascii():
        return False
    return bool(_TURNED.search(text) or _TAGGED.search(_FLAG.sub("", text)) or _SPLIT.search(text))


def _carries(text: str) -> bool:
    """Whether the address of an image has a blank to be filled in."""
    starts = [one.end() for one in islice(_IMAGE.finditer(text), MOST)]
    return any(_BLANK.search(text, at, at + NEAR) for at in starts)


def _sends(text: str) -> bool:
    """Whether it says to send away what is not to go anywhere. Chinese names what is sent before that."""
    for one in islice(_SENDS.finditer(text), MOST):
        begin = max(0, one.start() - JUST_BEFORE) if one[0] > "⺀" else one.end()
        if _WHAT.search(text, begin, one.end() + NEAR) and _WHERE.search(text, one.end(), one.end() + NEAR):
            return True
    return False


def mark_invisible(text: str) -> str:
    """A text with a mark in the place of each character that nobody sees."""
    return INVISIBLE.sub("▯", text)
