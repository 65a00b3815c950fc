"""What many people say alike: how they want to be answered, and courtesies. It is nobody's secret."""

from __future__ import annotations

import re

LONGEST = 48  # characters; who says more says something of their own

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


def is_everyday(text: str) -> bool:
    """Whether a text is short and says only such a thing, as far as its first words tell."""
    return len(text) <= LONGEST and _MANNERS.match(text.lstrip("-*_ ")) is not None
