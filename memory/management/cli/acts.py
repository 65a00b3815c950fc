"""Commands on facts: forget, move, merge, split, pin, and find and replace. Without --yes they show what they would do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memory import index, search
from memory.bots import open_bot
from memory.curation import acts, facts, merge_and_split, moving, pins, replacing
from memory.curation.documents import sides_as_text
from memory.domain.errors import Refusal
from memory.domain.fact_ref import FactRef
from memory.management.cli.command import (
    BY,
    CommandRefused,
    Invocation,
    Output,
    add,
    granted,
    lines,
    one_line,
    plain,
    plural,
    table,
)
from memory.text.merge.diff import unified_diff

FOUND = 500  # facts of a search that are taken at once
SHOWN = 20  # documents whose difference is shown


def register(commands: Any) -> None:
    _chooses(add(commands, "forget", forget, "forget facts", writes=True))
    move = _chooses(add(commands, "move", move_facts, "move facts to another file", writes=True))
    move.add_argument(
        "--to", choices=[to.value for to in moving.To], default="lasting", help="where to; long-term memory by default"
    )
    move.add_argument("--chat", metavar="ID", default="", help="the chat, with --to chat or working")
    move.add_argument("--heading", metavar="WORDS", default="", help="under this heading of the file they go to")
    merge = _chooses(add(commands, "merge", merge_facts, "merge facts into one", writes=True))
    merge.add_argument("--text", metavar="TEXT", help="the wording; the longest of them by default")
    split = add(commands, "split", split_fact, "split a fact into several", writes=True)
    split.add_argument("fact", metavar="PATH:LINE", help="a fact by its file and line, or by its key")
    split.add_argument("part", metavar="PART", nargs="*", help="the new facts; its lines or sentences by default")
    _sure(split)
    _chooses(add(commands, "pin-fact", pin, "pin facts, so that compaction and pruning leave them where they are"))
    _chooses(add(commands, "unpin-fact", unpin, "unpin facts"))
    other = add(commands, "replace", replace, "find and replace words in every file that can be edited", writes=True)
    other.add_argument("find", metavar="FIND")
    other.add_argument("instead", metavar="REPLACE")
    other.add_argument("--within", metavar="NAME", default="", help="only in files whose name contains this")
    other.add_argument("--ignore-case", action="store_true")
    _sure(other)


def _chooses(parser: Any) -> Any:
    parser.add_argument("fact", metavar="PATH:LINE", nargs="*", help="a fact by its file and line, or by its key")
    parser.add_argument("--search", metavar="WORDS", default="", help="every fact that a search finds")
    _sure(parser)
    return parser


def _sure(parser: Any) -> None:
    parser.add_argument("--yes", action="store_true", help="do it; `memory undo` reverts it")


def forget(call: Invocation) -> Output:
    meant = _chosen(call)
    return _acted(call, lambda: facts.plan_forget(call.bot, meant), "Forgot")


def move_facts(call: Invocation) -> Output:
    options = call.options
    return _acted(
        call,
        moving.make_act(call.bot, _chosen(call), moving.To(options.to), options.chat, options.heading),
        "Moved",
    )


def merge_facts(call: Invocation) -> Output:
    meant = _chosen(call)
    texts = [one.fact.text for one in granted(facts.find(call.bot, meant))]
    text = call.options.text or max(texts, key=len)
    told = _acted(call, lambda: merge_and_split.plan_merge(call.bot, meant, text), "Merged")
    lost = merge_and_split.left_out_words(texts, text)
    left = f"The wording leaves out: {', '.join(lost)}." if lost else ""
    return Output({**told.data, "left_out": lost}, lines((told.text, left)))


def split_fact(call: Invocation) -> Output:
    meant = _named(call, call.options.fact)
    (found,) = granted(facts.find(call.bot, [meant]))
    parts = call.options.part or merge_and_split.parts_of(found.fact.text)
    return _acted(call, lambda: merge_and_split.plan_split(call.bot, meant, parts), "Split")


def pin(call: Invocation) -> Output:
    return _marked(call, pinned=True)


def unpin(call: Invocation) -> Output:
    return _marked(call, pinned=False)


def _marked(call: Invocation, *, pinned: bool) -> Output:
    found = granted(facts.find(call.bot, _chosen(call)))
    _refresh(call)
    foreseen, told = pins.foresee(call.bot, found, pinned=pinned), ("Pinned" if pinned else "Unpinned")
    data = {name: getattr(foreseen, name) for name in ("count", "alike", "passing")}
    count, about = plural(foreseen.count, "fact"), pins.describe(call.bot, foreseen)
    if not call.options.yes:
        some = [(one.path, one.fact.line, one_line(one.fact.text, 60)) for one in found[:SHOWN]]
        return Output(
            {**data, "change_set": None}, lines([table(some), about, f"Dry run: {count}. Use --yes to do it."])
        )
    made = pins.do(call.bot, foreseen, BY)
    change = f": change {made.pk}" if made else ", as before"
    return Output({**data, "change_set": made.pk if made else None}, lines([f"{told} {count}{change}.", about]))


def replace(call: Invocation) -> Output:
    options = call.options
    wanted = replacing.Replacement(options.find, options.instead, options.ignore_case, options.within)
    plan = replacing.plan(call.bot, wanted)
    files = plural(len(plan.places), "file")
    if not options.yes or not plan.places:
        data = _shown(call, plan.count, ((one.path, one.before, one.after) for one in plan.places))
        return Output(data, _sentence(data, f"Would replace {plural(plan.count, 'place')} in {files}."))
    done = granted(replacing.replace(call.bot, wanted, plan.print, BY))
    made = done.change_set.pk if done.change_set else None
    told = {"count": plan.count, "documents": [], "change_set": made}
    return Output(told, f"Replaced {plural(plan.count, 'place')} in {files}: change {made}.")


def _acted(call: Invocation, act: acts.Act, done: str) -> Output:
    foreseen = granted(acts.foresee(call.bot, act))
    count = plural(foreseen.count, "fact")
    if not call.options.yes:
        data = _shown(call, foreseen.count, ((one.path, one.before, one.after) for one in foreseen.documents))
        data |= {"left_behind": list(foreseen.left_behind), "reach": foreseen.reach}
        left = [*(f"Left behind: {one}" for one in foreseen.left_behind), foreseen.reach]
        return Output(
            data, _sentence(data, lines([*left, f"Dry run: {count}, {plural(len(foreseen.documents), 'file')}."]))
        )
    outcome = granted(acts.do(call.bot, BY, act, foreseen.print))
    made = outcome.change_set.pk if outcome.change_set else None
    return Output({"count": foreseen.count, "documents": [], "change_set": made}, f"{done} {count}: change {made}.")


def _shown(call: Invocation, count: int, documents: Iterable[tuple[str, bytes, bytes]]) -> dict[str, Any]:
    dialect = open_bot(call.bot).dialect
    some = [(path, unified_diff(*sides_as_text(dialect, path, old, new))) for path, old, new in list(documents)[:SHOWN]]
    return {
        "count": count,
        "documents": [{"path": path, "diff": diff} for path, diff in some],
        "change_set": None,
    }


def _sentence(data: dict[str, Any], words: str) -> str:
    shown = [f"{one['path']}\n{plain(one['diff'])}" for one in data["documents"]]
    return lines([*shown, words, "Use --yes to do it."])


def _chosen(call: Invocation) -> list[FactRef]:
    """The facts that are named, and those that a search finds. Raises CommandRefused."""
    options, bot = call.options, call.bot
    found = [_named(call, one) for one in options.fact]
    if options.search:
        _refresh(call)
        hits = search.search(bot, options.search, now=open_bot(bot).now(), limit=FOUND).hits
        found += [FactRef.of(hit) for hit in hits if hit.marks or not hit.why.beside]
    if not found:
        raise CommandRefused("Name facts as PATH:LINE, or find them with --search. Nothing was changed.")
    return list(dict.fromkeys(found))


def _refresh(call: Invocation) -> None:
    """Raises CommandRefused."""
    if (refreshed := index.refresh(call.bot, patience=20)).trouble:
        raise CommandRefused(refreshed.trouble)


def _named(call: Invocation, name: str) -> FactRef:
    """The fact that PATH:LINE or PATH:KEY means. Raises CommandRefused."""
    path, _colon, where = name.rpartition(":")
    try:
        known = acts.read_current(call.bot, path).facts
    except Refusal as error:
        raise CommandRefused(f"{name}: {error}") from None
    line = int(where) if where.isascii() and where.isdecimal() and len(where) < 10 else 0
    for fact in known:
        if fact.key == where or fact.line <= line <= fact.end_line:
            return FactRef(path, fact.key, fact.nth)
    some = [(fact.line, one_line(fact.text, 60)) for fact in known[:SHOWN]]
    raise CommandRefused(lines([f"{name} isn’t a fact.", table(some)]))
