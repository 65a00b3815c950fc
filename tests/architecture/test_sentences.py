"""Below the doors no sentence is a bare text: it would reach every reader in English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.test_floors import MODULES, nodes

# Rooms whose words are a door's own (and marked as such), or for terminals, logs and machines, or a sample bot's.
ELSEWHERE = (
    "memory.web",
    "memory.templatetags",
    "memory.admin",
    "memory.management",
    "memory.migrations",
    "memory.access.permissions",
    "memory.webhook.view",
    "memory.checks.doctor",
    "memory.compaction.consolidation.question",
    "kenoweb",
)
A_FAMILYS = re.compile(r"memory\.dialects\.\w+\.(commands|pages|sample)\b")
MARKED = {"say", "say_number", "number_of", "gettext", "ngettext", "pgettext", "gettext_lazy", "_"}
NOBODYS = {"RuntimeError", "AssertionError", "TypeError"}  # what only a log is told
TOLD_A_MODEL = {"_RULES", "_ROLE", "_TASK", "_END"}  # constants that nobody but a language model reads
BOTS_OWN = ("You have persistent memory", "[Retrieved Memory]")  # how a prompt begins
PLACE = re.compile(r"%\((\w+)\)s|%%")
SENTENCE = re.compile(r"(?![a-z]).*[^\W\d_]{2,}\s.*[^\W\d_]{2,}.*\.( …)?", re.DOTALL)


def bare(node: ast.AST) -> Iterator[ast.expr]:
    """The texts in some code that nothing marks, docstrings and what is looked for in another text aside."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        yield node
    elif not is_answered_for(node):
        for child in ast.iter_child_nodes(node):
            yield from bare(child)


def is_answered_for(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") in MARKED | NOBODYS
    if isinstance(node, ast.Assign):
        return bool({getattr(one, "id", "") for one in node.targets} & TOLD_A_MODEL)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def shown(node: ast.expr) -> str:
    """What a text says, with … for what varies."""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values).strip()
    return node.value.strip() if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def sentences(node: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, text) of every sentence in some code that is a bare text."""
    texts = ((one.lineno, shown(one)) for one in bare(node))
    return (one for one in texts if SENTENCE.fullmatch(one[1]) and not one[1].startswith(BOTS_OWN))


def test_every_sentence_below_the_doors_is_said_by_its_message_id():
    lower = [name for name in MODULES if not name.startswith(ELSEWHERE) and not A_FAMILYS.match(name)]
    assert [(name, *one) for name in lower for one in sentences(nodes(name)[0])] == []


def test_a_bare_sentence_is_noticed():
    code = """
def why(path, error):
    '''A docstring is none.'''
    if "Nothing was changed." in path:
        return say("It was read.") or f"{path} cannot be read. {error}"
    return "Nothing was changed. " + error
"""
    assert [line for line, _text in sentences(ast.parse(code))] == [5, 6]


def test_what_is_kept_with_a_change_is_said_too():
    """Also where a door gives the reason: it is kept for readers of any language."""
    reasons = (
        (name, given.value.lineno)
        for name in MODULES
        if not name.startswith(("memory.web.api", "memory.management", "memory.dialects.nanobot.commands"))
        for call in nodes(name)
        if isinstance(call, ast.Call)
        for given in call.keywords
        if given.arg == "why" and any(shown(text) for text in bare(given.value))
    )
    assert list(reasons) == []


def test_every_sentence_is_given_what_it_has_places_for():
    """One that is not would only break where it is said, often where something went wrong already."""
    wrong = []
    for name in MODULES:
        for call in nodes(name):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("say", "say_number"):
                given = {one.arg for one in call.keywords}
                texts = [one.value if isinstance(one, ast.Constant) else "" for one in call.args]
                count = {"count"} if call.func.id == "say_number" else set()
                fits = given == {place for text in texts for place in PLACE.findall(text) if place} | count
                if not fits or not all(texts) or (given and any("%" in PLACE.sub("", text) for text in texts)):
                    wrong.append((name, call.lineno))
    assert wrong == []
