"""What words, numbers, signs and the marks between them look like."""

from __future__ import annotations

import re
import unicodedata

from memory.text.fidelity.datetimes import DATE, TIME
from memory.text.words.terms import EMOJI, MARKS, TIGHT

_LETTER = rf"(?:[^\W{TIGHT}]|[{MARKS}])"
MONEY = "".join(sign for sign in map(chr, range(0x24, 0x20D0)) if unicodedata.category(sign) == "Sc")
_UNITS = (
    rf"%|‰|°[CF]?|[{MONEY}]|(?:k|M|G|T|Ki|Mi|Gi)?(?:B|bit|Hz|W|Wh)|[kcmµn]?m[²³2-3]?|km/h|mph|mi|ft|[km]?g|lbs?|oz|[mcd]?l"
    "|[mµn]?s|min|h|hrs?|mAh|[km]?V|m?A|px|pt|dpi|fps|EUR|USD|GBP|CHF|MXN|JPY|kcal|cal|ppm|dB"
)
_QUOTES = r"“[^“”\n]{1,400}”|„[^„“”\n]{1,400}[“”]|«[^«»\n]{1,400}»|「[^「」\n]{1,400}」|『[^『』\n]{1,400}』"
_DASH = "−–‐‑‒―﹣－-"
_MARK = (  # "A-", "-v", "Temp - 5", "(500)"
    rf"(?<=\w)[{_DASH}](?![\w-])|(?<!\S)[—{_DASH}]{{1,2}}(?=[^\s—{_DASH}])|(?<=\S\ )[{_DASH}]\ (?=\d)|¿"
    rf"|[(\[{{⟨〈（【](?=[{MONEY}]?\ ?\d[\d.,]*\ ?[^\w\s().,]{{0,2}}\w{{0,3}}[)\]}}⟩〉）】])"
)
MASTER = re.compile(
    rf"""
    (?P<noted>\(noted\ [0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}\))
    |(?P<code>(?<!`)(?P<ticks>`{{1,3}})(?!`)(?:.{{1,2000}}?)(?<!`)(?P=ticks)(?!`))
    |(?P<strike>~~(?=\S)[^~]+~~)
    |(?P<quote>{_QUOTES}|(?<![\w"])"(?=\S)[^"\n]{{1,400}}(?<=\S)"(?!\w)|(?<![\w'])'(?=\S)[^'\n]{{2,400}}(?<=\S)'(?!\w))
    |(?P<address>[a-zA-Z][a-zA-Z0-9+.-]*://[^\s<>"'`]+|www\.[^\s<>"'`]+|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    |(?P<box>\[[ xX]\](?=\s))
    |(?P<phone>(?<![\w.])\+[0-9][0-9 ()./-]{{5,}}[0-9](?![\w]))
    |(?P<date>{DATE})
    |(?P<time>{TIME})
    |(?P<path>(?:(?<=[\s(\[=,;:])|\A)(?:~|\.{{1,2}}|[A-Za-z]:)?[/\\][\w.@%+~-]+(?:[/\\][\w.@%+~-]*)*)
    |(?P<number>
        (?P<before>(?:(?<!\w)(?:[<>]=|[<>≤≥≈~±])\ ?|[#]|(?<![\w)\]][-−])(?<!\w)[-−+])?(?:(?:US\$|[{MONEY}])\ ?)?)
        (?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:[.,]\d+)?|(?<![\w.])\.\d+)
        (?:[\ \u00a0\u202f]?(?P<unit>{_UNITS})(?![\w/]))?(?![^\W{TIGHT}])(?![.,:/_\\-]\w)(?![%°€])
     )
    |(?P<tight>[{TIGHT}]+)
    |(?P<token>[@\#$]?{_LETTER}+(?:[._\-/\\:@\#&+'’ʼ=·]+{_LETTER}+)*(?:\+\+|\#)?)
    |(?P<emoji>[{EMOJI}][\ufe0f\u200d{EMOJI}\U0001f3fb-\U0001f3ff]*)
    |(?P<asks>[?？؟⁇⁈⁉‽⸮՞፧])
    |(?P<owner>(?<=[sxzSXZ])['’](?=\s))
    |(?P<sign>[<>=!]=|[-=]>|<-|(?<=\d)["'](?![^\W\d])|(?<=[\w)]\ )[*·](?=\ [\w(])|(?<![\w!])!(?=\w))
    |(?P<mark>{_MARK})
    |(?P<other>[^\w\s][\u0300-\u036f]*)
    """,
    re.VERBOSE,
)
SIGNS = {"->": "→", "=>": "⇒", "<-": "←", "<=": "≤", ">=": "≥", "!=": "≠", "==": "=", "'": "′", '"': "″"}
_MEANING = frozenset("%％‰‱٪؉؊′″‴‵‶‷⁗§¶†‡")  # signs that Unicode takes for punctuation
_LOOKS = frozenset("|¦`´¨©®™\ufe0e\ufe0f") | frozenset(map(chr, range(0x2500, 0x25A0)))
SENTENCE = re.compile(r"[.!?:;…。！？：；۔।॥\n•]")
CLAUSE = re.compile(r"[,()\[\]—–|，、；;:：/&،؛]|\s-\s")
_JOINTS = "and or but while whereas y o pero und oder aber et ou mais e ma en maar и а но"
PARTS = frozenset(_JOINTS.split())
DASHES = str.maketrans(dict.fromkeys(f"—{_DASH}", "-"))


def is_sign(sign: str) -> bool:
    """Whether a mark that is no letter says something by itself, as those of mathematics and money do, and punctuation does not."""
    return sign in _MEANING or (unicodedata.category(sign)[0] in "SM" and sign not in _LOOKS)
