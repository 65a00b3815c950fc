"""What a title says of time: the clock in it, wherever it stands, and whether it is nothing but a date."""

from __future__ import annotations

import re
from datetime import date

_ZONES = (
    "UTC|GMT|CEST|CET|EEST|EET|BST|IST|MSK|EST|EDT|CST|CDT|MST|MDT|PST|PDT|AKST|AKDT|HST|JST|KST|HKT|SGT"
    "|AEST|AEDT|ACST|AWST|NZST|NZDT|BRT|CLT|PKT|WIB|ICT|SAST|TRT"
)
_OFFSET = r"[+-][0-9]{1,2}(?:[:：]?[0-9]{2})?"
_HALF = r"(?: ?(?P<half{n}>[AaPp])\.?[Mm]\b\.?)?"
_DIGITS = (
    r"(?P<hour{n}>[0-9]{{1,2}})[:：](?P<minute{n}>[0-9]{{2}})(?:[:：][0-9]{{2}}(?:\.[0-9]+)?)?(?![0-9]|[:：][0-9])"
)
_ONE = _DIGITS.format(n="") + _HALF.format(n="")
_TWO = r"(?:\s?(?:--|-|–|—|~|〜|to|bis)\s?~?" + (_DIGITS + _HALF).format(n="2") + ")?"
_ZONE = rf"(?:\s?\(?(?:(?:{_ZONES}|utc|gmt|Z)(?:{_OFFSET})?|{_OFFSET}(?![0-9])|[A-Z][a-z]+/[A-Z][A-Za-z_]+|Uhr|hrs?|h)\b\)?)?"
_SEPARATOR = r"(?:\s*(?:—|–|--|[-:|·](?=\s|\Z)|[:：，、](?=\D|\Z)|,(?=\s))\s*|\s+|\Z)"
_PICTURES = r"\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff\ufe0f\u200d\u20e3"
_EMOJI = f"[{_PICTURES}]++"
_DATE = r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}"

_CLOCK = re.compile(r"(?:(?<![0-9A-Za-z:：.])|(?<=[0-9]T))" + _ONE)
_OWN = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9]) — ")
_LEADING = re.compile(
    rf"(?:\[(?={_DATE}[ T]))?(?P<before>(?:(?:{_DATE}|{_EMOJI})[ \t,:T]{{0,3}}(?:(?:—|–|--|-)[ \t]+)?){{0,3}})"
    rf"[*_`]{{0,3}}[\[(（【]?[~≈]?{_ONE}{_TWO}{_ZONE}[\])）】]?[*_`]{{0,3}}(?:[:：][*_`]{{1,3}})?{_SEPARATOR}"
)
_TAIL = re.compile(rf"{_ZONE}(?P<close>[)\]）】]?)\s*\Z")
_HEAD = re.compile(r"(?:(?<!\s)\s*+(?P<open>[(\[（【])|\s(?:—|–|--|-)\s)[~≈]?\Z")

_AROUND = re.compile(r"\A[^0-9]+|[\s\])）】*_`:：|·，、,—–-]+\Z")

_MONTHS = (
    "january jan januar enero janvier janeiro",
    "february feb februar febrero février fevrier fevereiro",
    "march mar märz maerz marzo mars março",
    "april apr abril avril",
    "may mai mayo maio",
    "june jun juni junio juin junho",
    "july jul juli julio juillet julho",
    "august aug agosto août aout",
    "september sep sept septiembre septembre setembro",
    "october oct oktober okt octubre octobre outubro",
    "november nov noviembre novembre novembro",
    "december dec dezember dez diciembre décembre decembre dezembro",
)
MONTH = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
_KNOWN_WORDS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag "
    "lunes martes miércoles miercoles jueves viernes sábado sabado domingo "
    "lundi mardi mercredi jeudi vendredi samedi dimanche "
    "daily log logs note notes journal diary memory memories day for of the "
    "tagebuch notizen protokoll vom der diario nota notas registro del de la el le du notizbuch "
    "日志 日记 笔记 每日日志 记忆 日報 日記 メモ"
)
_KNOWN = frozenset(_KNOWN_WORDS.split())
_NAMED_DAY = re.compile(r"(?:星期|周|礼拜)[一二三四五六日天]|[月火水木金土日]曜日?|[월화수목금토일]요일")
_NUMERIC = re.compile(
    r"(?<![0-9])(?:(?P<y>[0-9]{4})(?P<s>[-/.])(?P<m>[0-9]{1,2})(?P=s)(?P<d>[0-9]{1,2})"
    r"|(?P<a>[0-9]{1,2})(?P<t>[/.])(?P<b>[0-9]{1,2})(?P=t)(?P<c>[0-9]{4})"
    r"|(?P<cy>[0-9]{4})[年년]\s?(?P<cm>[0-9]{1,2})[月월]\s?(?P<cd>[0-9]{1,2})[日일号]?)(?![0-9])"
)
_WORDS = re.compile(r"\w+")
_EDGES = re.compile(rf"[\s,.:;|()\[\]*_/–—{_PICTURES}-]*\Z")
_YEAR = re.compile("[0-9]{4}")
_ORDINAL = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|º)?\Z")
_LONGEST_DATE_TITLE = 120
EARLY = 8  # letters before a clock that says when a sentence was written: “At 07:10 …”, “早上 07:10 …”


def time_and_words(title: str, *, leading_only: bool = False) -> tuple[str, str]:
    """The first clock of a title as "HH:MM" ("" if none), and the title without it.

    It is taken out where it leads (with its range, zone and separator; an emoji or a date before it stays) or closes the
    title alone, as in "Call (14:05)" or "Call — 14:05". Anywhere else it belongs to the sentence and stays; so does a range
    at the end. `leading_only`: of a sentence, which keeps a clock at its end; one that stands late in it is what it tells of.
    """
    own = _OWN.match(title)
    if own:
        return f"{own[1]}:{own[2]}", title[own.end() :]
    for clock in _CLOCK.finditer(title):
        time = _normal(clock)
        if not time:
            continue
        leading = _LEADING.match(title)
        if leading and leading.start("hour") == clock.start("hour"):
            before, rest = leading["before"].rstrip(" \tT"), title[leading.end() :]
            return time, f"{before} {rest}" if before and rest else before or rest
        words = _without_closing_clock(title, clock)
        if leading_only:
            return time if words != title or clock.start() <= EARLY else "", title
        return time, words
    return "", title


def written_clock(title: str, *, leading_only: bool = False) -> str:
    """The clock that `time_and_words` takes out of a title, with its range and zone as they stand; "" if it takes none out."""
    time, words = time_and_words(title, leading_only=leading_only)
    if not time or words == title:
        return ""
    leading = _LEADING.match(title)
    found = title[leading.start("hour") : leading.end()] if leading else title[len(words) :]
    written = _AROUND.sub("", found)
    return f"{written})" if written.count("(") > written.count(")") else written


def day_before_clock(title: str) -> str:
    """The day (YYYY-MM-DD) that leads a title together with its clock, as in `[2026-03-01 10:17] …`; "" if none does."""
    leading = _LEADING.match(title)
    days = days_named(leading["before"].rstrip(" \tT")) if leading else frozenset()
    return next(iter(days)) if len(days) == 1 else ""


def days_named(title: str) -> frozenset[str]:
    """The days (YYYY-MM-DD, or MM-DD without a year) that a title may mean if it is nothing but one date; else none."""
    if len(title) > _LONGEST_DATE_TITLE:
        return frozenset()
    title = title.casefold()
    numeric = _NUMERIC.findall(title)
    rest = _NAMED_DAY.sub(" ", _NUMERIC.sub(" ", title))
    words = [word for word in _WORDS.findall(rest) if word not in _KNOWN]
    if not _EDGES.match(_WORDS.sub(" ", rest)):
        return frozenset()
    if len(numeric) == 1 and not words:
        return _numeric_days(_NUMERIC.search(title))
    return _worded_day(words) if not numeric else frozenset()


def _normal(clock: re.Match[str]) -> str:
    hour, minute, half = int(clock["hour"]), int(clock["minute"]), (clock["half"] or "").lower()
    if hour > 23 or minute > 59:
        return ""
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{minute:02}"


def _without_closing_clock(title: str, clock: re.Match[str]) -> str:
    tail = _TAIL.match(title, clock.end()) if len(title) - clock.end() < 40 else None
    reach = max(0, clock.start() - 8)
    head = _HEAD.search(title[reach : clock.start()])
    if tail is None or head is None or bool(head["open"]) != bool(tail["close"]):
        return title
    return title[: reach + head.start()].rstrip()


def _numeric_days(found: re.Match[str] | None) -> frozenset[str]:
    if found is None:
        return frozenset()
    if found["c"]:
        candidates = {(found["c"], found["a"], found["b"]), (found["c"], found["b"], found["a"])}
    else:
        candidates = {(found["y"] or found["cy"], found["m"] or found["cm"], found["d"] or found["cd"])}
    days = (_day(int(year), int(month), int(number)) for year, month, number in candidates)
    return frozenset(day for day in days if day)


def _worded_day(words: list[str]) -> frozenset[str]:
    """A month's name with a day and perhaps a year, in any order: "September 14, 2026"."""
    months = [MONTH[word] for word in words if word in MONTH]
    years = [int(word) for word in words if _YEAR.fullmatch(word)]
    numbers = [int(found[1]) for word in words if (found := _ORDINAL.match(word))]
    if len(months) != 1 or len(numbers) != 1 or len(years) > 1 or len(words) != 2 + len(years):
        return frozenset()
    day = _day(years[0] if years else 2000, months[0], numbers[0])
    return frozenset([day if years else day[5:]]) if day else frozenset()


def _day(year: int, month: int, number: int) -> str:
    try:
        return date(year, month, number).isoformat()
    except ValueError:
        return ""
