"""Commands about the bots themselves: bots, add-bot, status, doctor, reindex, login-link."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Count, Max, Sum

from memory import index, registry
from memory.access import login_links
from memory.bots import families
from memory.checks import doctor
from memory.compaction import runner
from memory.domain.errors import Refusal
from memory.domain.places import Tier
from memory.management.cli.command import CommandRefused, Invocation, Output, add, lines, plural, table
from memory.models import Bot, ChangeSet, Document
from memory.search import embedding_backlog

COUNTED = ("documents", "facts", "bytes")


def register(commands: Any) -> None:
    add(commands, "bots", list_bots, "list the bots")
    new = add(commands, "add-bot", add_bot, "add a bot by the directory that holds its MEMORY.md")
    new.add_argument("path", metavar="PATH")
    new.add_argument("--dialect", metavar="TYPE", help="the bot type; detected by default")
    new.add_argument("--name", metavar="N", help="the name shown in Kenoweb")
    add(commands, "status", status, "show tiers, sizes, the last change and what is due")
    add(commands, "doctor", check, "check that everything works, on a test bot and on yours")
    add(commands, "reindex", reindex, "rebuild the index from the files; repair the bot's own as well")
    add(commands, "login-link", login_link, "make a one-time login link")


def list_bots(call: Invocation) -> Output:
    rows = [
        {"slug": bot.slug, "name": bot.name, "dialect": bot.dialect, "time_zone": bot.time_zone}
        for bot in Bot.present.order_by("id")
    ]
    return Output({"bots": rows}, table([list(row.values()) for row in rows], ("SLUG", "NAME", "TYPE", "TIME ZONE")))


def add_bot(call: Invocation) -> Output:
    options = call.options
    try:
        told = registry.look_at(options.path).told
        bot = registry.add(options.path, dialect=options.dialect, name=options.name)
    except Refusal as refused:
        raise CommandRefused(f"{options.path}: {refused}") from None
    guessed = told.doubtful and not options.dialect
    data = {"slug": bot.slug, "dialect": bot.dialect, "is_guess": guessed}
    doubt = (
        f"That is a guess. {told.why} If it is another one’s, remove the bot and add it with --dialect."
        if guessed
        else ""
    )
    return Output(data, lines((f"Added {bot.name} as {bot.slug}, type {bot.dialect}.", doubt)))


def status(call: Invocation) -> Output:
    bot = call.bot
    refreshed = index.refresh(bot, patience=20)
    tiers = _tiers(bot)
    total = {name: sum(tier[name] for tier in tiers.values()) for name in COUNTED}
    last = ChangeSet.objects.filter(bot=bot).aggregate(last=Max("created"))["last"]
    due = runner.plan(bot, runner.all_scopes(bot)) if runner.moves_facts(bot) and not refreshed.trouble else None
    waiting = sum(runner.counts(due)[:2]) if due else 0
    data: dict[str, Any] = {
        "bot": bot.slug,
        "dialect": bot.dialect,
        **total,
        "tiers": tiers,
        "last_change": last.isoformat() if last else None,
        "compaction_due": waiting,
        "errors": refreshed.errors,
        "trouble": refreshed.trouble,
    }
    text, trouble = _status_text(bot, data), refreshed.trouble
    if (own := families.command_line(bot.dialect)) is not None:
        data[bot.dialect], more, stopped = own.status(bot)
        text, trouble = f"{text}\n\n{more}", trouble or stopped
    return Output(data, text, problem=trouble)


def check(call: Invocation) -> Output:
    checked = doctor.examine(call.bot)
    bad = [one for one in checked if not one.ok]
    data = {
        "ok": not bad,
        "checks": [{"name": one.name, "ok": one.ok, "text": one.text} for one in checked],
    }
    text = table([("ok" if one.ok else "NOT OK", one.name, one.text) for one in checked])
    problem = f"{plural(len(bad), 'check')} failed: {bad[0].name}: {bad[0].text}" if bad else ""
    return Output(data, text, problem=problem)


def reindex(call: Invocation) -> Output:
    bot = call.bot
    list(index.BotMemory(bot).paths())  # a root that is gone leaves the rows
    refreshed = index.reindex(bot)
    if refreshed.elsewhere:
        raise CommandRefused("Another program is reading these files just now. Try again in a moment.")
    tiers = _tiers(bot).values()
    found = {name: sum(tier[name] for tier in tiers) for name in ("documents", "facts")}
    data = {**found, "errors": refreshed.errors}
    text = f"{plural(found['documents'], 'file')}, {plural(found['facts'], 'fact')}."
    said, stopped = [text, _errors(refreshed.errors)], ""
    if (own := families.command_line(bot.dialect)) is not None:
        data["own_index"], more, stopped = own.reindex(bot)
        said.append(more)
    without = embedding_backlog.fill(bot, None)
    return Output(data, lines(said), problem=refreshed.trouble or stopped or without)


def login_link(call: Invocation) -> Output:
    user = login_links.owner()
    if user is None:
        raise CommandRefused("There is no active superuser to log in as. Create one: python manage.py createsuperuser")
    url = _address() + login_links.new_link(user)
    return Output({"url": url}, url, is_secret=True)


def _address() -> str:
    """Where the server of this KENOWEB_HOME says that it runs, else where it would."""
    from memory.management import server  # costs a web server's start-up time, which other commands need not pay

    return server.noted_address() or server.url(*settings.KENOWEB_BIND)


def _tiers(bot: Bot) -> dict[str, dict[str, int]]:
    documents = Document.objects.filter(bot=bot).order_by()
    found = documents.values_list("tier").annotate(Count("id"), Sum("facts_count"), Sum("size"))
    counted = {row[0]: dict(zip(COUNTED, (number or 0 for number in row[1:]), strict=True)) for row in found}
    return {tier.value: counted.get(tier.value, dict.fromkeys(COUNTED, 0)) for tier in Tier}


def _status_text(bot: Bot, data: dict[str, Any]) -> str:
    rows = [(tier, *(counts[name] for name in counts)) for tier, counts in data["tiers"].items()]
    rows.append(("all", data["documents"], data["facts"], data["bytes"]))
    due = f"{plural(data['compaction_due'], 'fact')} old enough to be compacted."
    last = f"Last change {data['last_change']}." if data["last_change"] else "No change yet."
    head = f"{bot.name} ({bot.slug}, {bot.dialect})"
    return lines([head, table(rows, ("TIER", "FILES", "FACTS", "BYTES")), last, due, _errors(data["errors"])])


def _errors(errors: dict[str, str]) -> str:
    return lines(f"{path}: {error}" for path, error in errors.items())
