"""The words for what somebody or something has one of at a time, in English, Spanish, German and Chinese."""

from __future__ import annotations

import re
from enum import Enum

from memory.text.words.terms import fold


class Sort(Enum):
    """How the answers to a question are compared: as days of the year, as time zones, as places, or by their words."""

    DAY = "day"
    ZONE = "zone"
    PLACE = "place"
    PHRASE = "phrase"


# What is asked for: how answers are compared, and how people call it.
NOUNS = {
    "birthday": (
        Sort.DAY,
        "birthday|birth date|birthdate|date of birth|cumpleaños|fecha de nacimiento|Geburtstag|Geburtsdatum|生日|出生日期",
    ),
    "wedding day": (
        Sort.DAY,
        "wedding anniversary|wedding day|aniversario de bodas?|Hochzeitstag|结婚纪念日",
    ),
    "time zone": (Sort.ZONE, "timezone|time zone|zona horaria|huso horario|Zeitzone|时区"),
    "blood type": (Sort.PHRASE, "blood type|blood group|tipo de sangre|grupo sanguíneo|Blutgruppe|血型"),
    "mother tongue": (
        Sort.PHRASE,
        "native language|mother tongue|first language|lengua materna|Muttersprache|母语",
    ),
    "main language": (
        Sort.PHRASE,
        "primary language|preferred language|main language|idioma principal|idioma preferido|Hauptsprache|首选语言",
    ),
    "shoe size": (Sort.PHRASE, "shoe size|talla de zapatos?|número de zapatos?|Schuhgröße|鞋码"),
    "home address": (Sort.PHRASE, "home address|domicilio|Wohnadresse|家庭住址"),
    "employer": (Sort.PHRASE, "employer|empleador|Arbeitgeber|雇主"),
}
# What a verb before the answer asks for; the second half of those `AROUND` it stands behind the answer.
VERBS = {
    "birthday": (
        Sort.DAY,
        "was born on|nació el|cumple años el|cumple el|wurde am|ist am|hat am|出生于",
    ),
    "home": (
        Sort.PLACE,
        r"(?:now |currently )?lives in|vive (?:ahora |actualmente )?en|(?:wohnt|lebt) (?:jetzt |derzeit )?in|(?:现在|目前)?住在",
    ),
    "employer": (
        Sort.PLACE,
        r"(?:now |currently )?works (?:at|for)|trabaja (?:ahora |actualmente )?(?:en|para)"
        r"|arbeitet (?:jetzt |derzeit )?(?:bei|für)",
    ),
}
AROUND = {"wurde am": " geboren", "ist am": " geboren", "hat am": " Geburtstag"}
# Each language has its own names of towns and firms: only what is said in the same one is compared.
LANGUAGES = {
    "lives": "en",
    "works": "en",
    "vive": "es",
    "trabaja": "es",
    "wohnt": "de",
    "lebt": "de",
    "arbeitet": "de",
    "住在": "zh",
}
# "favourite colour" asks for something else than "favourite tea": the word beside it is part of what is asked for.
FAVOURITE = re.compile(
    r"\bfavou?rite (?P<en>\w+)|\b(?P<es>\w+) favorit[oa]\b|\bLieblings(?P<de>\w+)|最喜欢的(?P<zh>[^\W是]{1,6})(?=是)",
    re.IGNORECASE,
)

# A part of each of these words, in lower case: a text without any is none of ours, which is told at once.
HINTS = (
    *("birth", "born", "wedding", "cumple", "nacimiento", "nació", "aniversario", "geburt", "geboren", "hochzeit"),
    *(
        "zone",
        "zona",
        "huso",
        "blood",
        "sangu",
        "sangre",
        "blutgr",
        "language",
        "tongue",
        "lengua",
        "idioma",
        "sprache",
    ),
    *(
        "shoe",
        "zapato",
        "schuh",
        "address",
        "domicilio",
        "adresse",
        "employer",
        "empleador",
        "arbeit",
        "lives in",
        "works ",
    ),
    *(
        "vive ",
        "wohnt ",
        "lebt ",
        "trabaja ",
        "favo",
        "lieblings",
        "生日",
        "出生",
        "结婚",
        "时区",
        "血型",
        "母语",
        "首选",
        "鞋码",
        "住",
    ),
    *("雇主", "最喜欢"),
)

# Who is nobody in particular, or somebody whom only the lines before name.
_NOBODY = (
    "i me my mine we us our you your he him his she her it its they them their this that these those who which what"
    " a an some someone somebody one no nobody any anyone every everyone everybody each another other both all if when"
    " next upcoming last previous happy today tomorrow new old maybe perhaps not"
    " yo mi tu tú su sus nuestro nuestra él ella ello ellos ellas un una uno unos algún alguien nadie cada quien si"
    " próximo próxima último última feliz no"
    " ich mein meine wir unser unsere du dein deine er sein seine sie ihr ihre es ein eine einer eines man wer jemand niemand"
    " jeder jede nächster nächste letzter letzte wenn kein keine"
    " 我 我们 我的 你 你们 他 她 它 他们 她们 有人 谁 大家 下一个 上次"
)
NOBODY = frozenset(map(fold, _NOBODY.split()))
_USER = (
    "|user|the user|owner|the owner|usuario|el usuario|la usuaria|usuaria|nutzer|der nutzer|die nutzerin|benutzer|der benutzer"
    "|用户|主人"
)
USER = frozenset(map(fold, _USER.split("|")))
# Headings under which a line that names nobody is about the user.
_ABOUT_THE_USER = (
    "user users preferences profile personal basics about facts important memory information info owner"
    " usuario preferencias perfil importantes datos nutzer benutzer profil vorlieben über wichtige 用户 偏好 个人 资料"
)
ABOUT_THE_USER = frozenset(map(fold, _ABOUT_THE_USER.split()))
_ARTICLES = "the el la los las lo der die das den dem"
ARTICLES = frozenset(_ARTICLES.split())
# Who lives in a country lives in a town as well.
_COUNTRIES = (
    "germany|spain|mexico|france|italy|portugal|austria|switzerland|china|japan|england|scotland|wales|ireland|netherlands"
    "|the netherlands|belgium|poland|denmark|sweden|norway|finland|greece|turkey|russia|ukraine|india|brazil|argentina|chile"
    "|peru|colombia|canada|australia|south korea|new zealand|united states|the united states|united kingdom"
    "|the united kingdom|the uk|the us|the usa|europe|asia|america|africa|california|texas|bavaria|catalonia|andalusia"
    "|alemania|españa|méxico|francia|italia|suiza|japón|inglaterra|irlanda|países bajos|bélgica|polonia|dinamarca|suecia"
    "|noruega|finlandia|grecia|turquía|rusia|ucrania|brasil|perú|canadá|europa|estados unidos|reino unido|andalucía|cataluña"
    "|deutschland|spanien|mexiko|frankreich|italien|österreich|schweiz|der schweiz|den niederlanden|belgien|polen|dänemark"
    "|schweden|norwegen|finnland|griechenland|türkei|der türkei|russland|indien|brasilien|kanada|australien|den usa|bayern"
    "|中国|德国|西班牙|墨西哥|法国|意大利|奥地利|瑞士|日本|英国|美国|加拿大|澳大利亚|巴西|印度|俄罗斯|欧洲"
)
COUNTRIES = frozenset(map(fold, _COUNTRIES.split("|")))
