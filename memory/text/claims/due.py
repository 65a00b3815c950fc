"""The day that a fact looks ahead to: a due date, or `tomorrow` where it is known when that was written."""

from __future__ import annotations

import re
from datetime import date, timedelta

from memory.text.fidelity.datetimes import DATE, date_form
from memory.text.markdown.normal import unstamped_text
from memory.text.markdown.stamps import stamp
from memory.text.words.days import date_of

LONGEST = 400  # characters that are looked at
BEFORE, BEHIND = 48, 8  # of them beside a date

_DATE = re.compile(DATE)
_JOINED = re.compile("(?<=[⺀-鿿])(?=[0-9])")  # Chinese leaves no space before a date
# What says by itself that a date is one to be kept to, right before the date.
_DUE = re.compile(
    r"\b(?:due(?: date)?(?: is)?(?: on| by)?"
    r"|deadline(?: for [^.:]{1,24})?(?: is)?(?: on)?|expires?(?: on)?|valid (?:until|till)|no later than"
    r"|(?:leaves|departs|flies)(?: on)?"
    r"|vence(?: el)?|vencimiento|fecha límite(?: es)?(?: el)?|caduca(?: el)?|válid[oa] hasta(?: el)?"
    r"|(?:sale|parte|viaja)(?: el)?"
    r"|fällig(?: am)?|Frist(?: ist)?(?: am)?|Abgabe(?: ist)?(?: am)?|spätestens(?: am)?|gültig bis(?: zum)?"
    r"|(?:reist|fliegt)(?: am)?)[:\s]*\Z"
    r"|(?:截止(?:日期|时间)?|到期日?|有效期至)[是为:：\s]*\Z",
    re.IGNORECASE,
)
_DUE_BEHIND = re.compile(r"\s?(?:之前|前|到期|截止)")
# What says so beside a word for something that has to be done.
_BY = re.compile(r"\b(?:by|before|antes del|hasta el|para el|bis|bis zum)\s\Z", re.IGNORECASE)
_TO_DO = re.compile(
    r"\b(?:must|has to|have to|needs? to|todo|to-do|submit|pay|finish|renew|return|reply|hand in"
    r"|debe|hay que|tiene que|entregar|pagar|enviar|renovar|muss|abgeben|bezahlen|einreichen|erledigen|verlängern)\b",
    re.IGNORECASE,
)
# Whoever did it, and what comes again, waits for no day.
_DONE = re.compile(
    r"\[[xX]\]|~~|[✅✔☑]|\b(?:done|paid|finished|completed|submitted|sent|renewed|cancelled|canceled|moved|extended|was|were|had"
    r"|every|each|annually|yearly|monthly|hecho|hecha|pagad[oa]|entregad[oa]|enviad[oa]|terminad[oa]|cancelad[oa]|era|cada"
    r"|erledigt|bezahlt|abgegeben|eingereicht|abgesagt|verschoben|war|jede[ns]?|jährlich|monatlich)\b|已|完成了|每[年月周]|取消",
    re.IGNORECASE,
)
_DAYS = (
    "monday|lunes|montag|一",
    "tuesday|martes|dienstag|二",
    "wednesday|miércoles|mittwoch|三",
    "thursday|jueves|donnerstag|四",
    "friday|viernes|freitag|五",
    "saturday|sábado|samstag|六",
    "sunday|domingo|sonntag|日|天",
)
_NUMBER = {name: number for number, names in enumerate(_DAYS) for name in names.split("|")}
_WEEKDAY = "|".join(name for name in _NUMBER if name.isascii() or "á" in name or "é" in name)
_NEXT = re.compile(
    rf"\b(?:next|el próximo|nächsten|nächster)\s(?P<day>{_WEEKDAY})\b|\bel (?P<later>{_WEEKDAY}) que viene\b"
    r"|下(?:周|星期)(?P<zh>[一二三四五六日天])",
    re.IGNORECASE,
)
_SOON = re.compile(
    r"\b(?:(?P<two>the day after tomorrow|pasado mañana|übermorgen)|tomorrow|(?<!la )(?<!esta )mañana)\b"
    "|(?P<zh>后天)|明天"
)


def due_day(text: str) -> str:
    """The day (YYYY-MM-DD) behind which a fact makes no sense as it stands, in its latest reading; "" where none is sure."""
    said = unstamped_text(text)[:LONGEST]
    if _DONE.search(said):
        return ""
    said = _JOINED.sub(" ", said)
    on = max((day for found in _DATE.finditer(said) if (day := _named(said, found))), default="")
    return on or _relative(said, stamp(text)[:10])


def resolve_day(text: str) -> tuple[str, str]:
    """(a text with the day itself in place of `tomorrow`, that day); ("", "") where that is not what it looks ahead to."""
    day, soon = due_day(text), _SOON.search(text)
    if not day or soon is None or day != _on(soon, date.fromisoformat(stamp(text)[:10] or day)):
        return "", ""
    return text[: soon.start()] + day + text[soon.end() :], day


def _on(soon: re.Match[str], since: date) -> str:
    return (since + timedelta(days=2 if soon["two"] or soon["zh"] else 1)).isoformat()


def _named(text: str, found: re.Match[str]) -> str:
    """The day of a date that is one to be kept to; "" for another one and for one without its year."""
    before, behind = text[max(0, found.start() - BEFORE) : found.start()], text[found.end() : found.end() + BEHIND]
    if not (_DUE.search(before) or _DUE_BEHIND.match(behind) or (_BY.search(before) and _TO_DO.search(text))):
        return ""
    day = date_form(found)
    return day if len(day) == len("2026-01-05") and day[0] != "-" else ""


def _relative(text: str, written: str) -> str:
    """The day that was meant, where it is known when; `next Monday` may mean the one of the week after."""
    since = date_of(written)
    if since is None:
        return ""
    if soon := _SOON.search(text):
        return _on(soon, since)
    if found := _NEXT.search(text):
        name = found["day"] or found["later"] or found["zh"]
        return (since + timedelta(days=7 + (_NUMBER[name.casefold()] - since.weekday()) % 7)).isoformat()
    return ""
