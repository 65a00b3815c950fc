"""The texts of the desk: collected from code and templates, written to the catalogs, compiled. `make messages` runs it.

Two kinds. What doors and templates say is marked there (`gettext`, `{% translate %}`). What the lower floors say is found by its
form, since they know no translation: see `sentences`. It needs no GNU tools."""

from __future__ import annotations

import ast
import itertools
import re
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "locale"
BOOK = LOCALE / "sentences.txt"
CONTEXT = "sentence"  # memory.web.base.said looks there
LANGUAGES = ("es",)

# Django's names for marking a text: where the context, the text and its plural stand among the arguments.
KEYWORDS = {
    "gettext": (None, 0, None),
    "ngettext": (None, 0, 1),
    "pgettext": (0, 1, None),
    "npgettext": (0, 1, 2),
}
VARIES = "<varies>"
MARKS = "django.utils.translation"
_STRING = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_CALL = re.compile(rf"\b(?:_|n?p?gettext)\((?:{_STRING}|,|\s|count)*\)")

# Modules whose words are for terminals, logs or machines, or are the sample bot's own.
SILENT = (
    "memory/web/api/",
    "memory/dialects/nanobot/commands/",
    "memory/compaction/consolidation/question.py",
    "memory/management/",
    "memory/migrations/",
    "memory/checks/doctor.py",
    "memory/management/prepare.py",
    "memory/dialects/kenobot/sample.py",
    "memory/dialects/kenobot/sample_text.py",
    "memory/dialects/nanobot/sample.py",
    "memory/dialects/nanobot/sample_text.py",
    "memory/dialects/workspace/sample.py",
    "memory/management/server.py",
)
DOORS = (
    "memory/web/",
    "memory/dialects/nanobot/pages/",
    "memory/templatetags/",
    "memory/admin/",
    "memory/web/base/forms.py",
    "memory/access/permissions.py",
    "memory/turns/webhook.py",
)
TOLD_A_MODEL = {"_RULES", "_ROLE", "_TASK", "_END"}  # constants that nobody but a language model reads
BOTS_OWN = (
    "You have persistent memory",
    "[Retrieved Memory]",
)  # how a prompt begins: the bot's format, not ours
# Phrases that are no sentences: constants of the lower floors whose strings are all said to people.
TABLES = {
    "memory/text/ages.py": ("_NOW", "_UNITS"),
    "memory/text/merge/diff.py": ("_ENDS",),
    "memory/storage/walk.py": ("_REASONS",),
}
ANSWERS = {"unwritable"}  # functions beside those whose answer is said
# What is assigned or handed over under these names is said; at the doors only `why`, which is kept with a change.
SAID = {"note", "reason", "trouble", "doing", "label", "help", "words"}
NOT_SAID = {
    "RuntimeError",
    "AssertionError",
    "TypeError",
    "_",
    "pgettext",
    *KEYWORDS,
}  # calls whose strings are not said
PLACES = {
    "Field": (2, 3),
    "_Wish": (2,),
    "_new_set": (3,),
    "say": (2,),
}  # which of a call's positional arguments are said
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS = re.compile(r"[^\W\d_]{2,}.*\s.*[^\W\d_]{2,}", re.DOTALL)
_PLACEHOLDER = re.compile(r"%\(\w+\)s")


@cache
def marked() -> dict[tuple[str, ...], set[str]]:
    """(context, singular, plural or "") of every marked message, with the files that hold it."""
    found: dict[tuple[str, ...], set[str]] = {}
    for path in [*(ROOT / "memory").rglob("*.py"), *(ROOT / "kenoweb").rglob("*.py")]:
        _add(found, path, ast.parse(path.read_text(encoding="utf-8")))
    for path in (*(ROOT / "templates").rglob("*.html"), *(ROOT / "memory").rglob("*.html")):
        calls = _CALL.findall(templatize(path.read_text(encoding="utf-8"), origin=str(path)))
        _add(found, path, ast.parse("\n".join(calls)), _names_of("gettext", "ngettext", "pgettext", "npgettext", "_"))
    return found


def _add(
    found: dict[tuple[str, ...], set[str]], path: Path, tree: ast.Module, names: dict[str, str] | None = None
) -> None:
    names = names or _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (kind := names.get(getattr(node.func, "id", ""))):
            texts = ["" if at is None else _constant(node.args[at]) for at in KEYWORDS[kind]]
            found.setdefault(tuple(texts), set()).add(path.relative_to(ROOT).as_posix())


def _constant(node: ast.expr) -> str:
    """A text as it stands in the code; VARIES if it is worked out at run time, so that nobody can collect it."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else VARIES


def _imported(tree: ast.Module) -> dict[str, str]:
    """What a module calls the functions that mark a text."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == MARKS]
    aliases = [alias for node in imports for alias in node.names]
    kinds = {alias.asname or alias.name: re.sub("_(lazy|noop)$", "", alias.name) for alias in aliases}
    return {name: kind for name, kind in kinds.items() if kind in KEYWORDS}


def _names_of(*names: str) -> dict[str, str]:
    return {name: "gettext" if name == "_" else name for name in names}


@cache
def sentences() -> dict[str, set[str]]:
    """What the lower floors say, with placeholders for what varies, and the files that say it."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "memory").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(SILENT):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            finder = Sentences(name, NOT_SAID | set(_imported(tree)))
            finder.visit(tree)
            for sentence in finder.found:
                found.setdefault(sentence, set()).add(name)
    return found


class Sentences(ast.NodeVisitor):
    """The sentences of one module: whole sentences on the lower floors, everywhere what is kept as a reason or a note."""

    def __init__(self, name: str, not_said: set[str]) -> None:
        self.not_said = not_said
        self.lower = not name.startswith(DOORS)
        self.said = {"why", *TABLES.get(name, ()), *(SAID if self.lower else ())}
        self.found: list[str] = []
        self.answers = False  # inside a function whose answer is to be said
        self.called = False  # inside what is assigned or handed over as something to be said

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
        if name in self.not_said:
            return
        self.visit(node.func)
        for at, value in enumerate(node.args):
            self._value(value, named=at in PLACES.get(name, ()))
        for keyword in node.keywords:
            self._value(keyword.value, named=keyword.arg in self.said)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.answers, before = node.name.strip("_") in {*self.said, *ANSWERS}, self.answers
        self.generic_visit(node)
        self.answers = before

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self._value(node.value, named=self.answers)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = {getattr(target, "id", "") or getattr(target, "attr", "") for target in node.targets}
        if not names & TOLD_A_MODEL:
            self._value(node.value, named=bool(names & self.said))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Of `Labels` the values are said, of one word or of several."""
        if (
            isinstance(node.annotation, ast.Name)
            and node.annotation.id == "Labels"
            and isinstance(node.value, ast.Dict)
        ):
            self.found += [one.value for one in node.value.values if isinstance(one, ast.Constant)]
        else:
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._value(node.value, named=getattr(node.target, "id", "") in self.said)

    def visit_Compare(self, node: ast.Compare) -> None:
        """What is compared is looked up, not said."""

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._take(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        self._take(node)

    def _value(self, value: ast.expr, named: bool) -> None:
        before, self.called = self.called, named or (self.called and not isinstance(value, ast.Call))
        self.visit(value)
        self.called = before

    def _take(self, node: ast.expr) -> None:
        for text in (text.strip() for text in _texts(node) if not text.startswith(BOTS_OWN)):
            bare = _PLACEHOLDER.sub(" ", text)
            named = self.called and " " in text and _WORD.search(bare)
            if named or (self.lower and text.endswith(".") and _WORDS.search(bare) and not text[0].islower()):
                self.found.append(text)


def _texts(node: ast.expr) -> list[str]:
    """What a string says, one for each way that a choice inside it can go; what varies becomes %(name)s."""
    if isinstance(node, ast.Constant):
        return [node.value.replace("{}", "%(value)s")] if isinstance(node.value, str) else []
    assert isinstance(node, ast.JoinedStr)
    names: dict[str, str] = {}
    ways = [_ways(part, names) for part in node.values]
    return ["".join(parts) for parts in itertools.product(*ways)]


def _ways(part: ast.expr, names: dict[str, str]) -> list[str]:
    if isinstance(part, ast.Constant):
        return [str(part.value).replace("%", "%%")]
    assert isinstance(part, ast.FormattedValue)
    inner = part.value
    if isinstance(inner, ast.IfExp) and all(isinstance(one, ast.Constant) for one in (inner.body, inner.orelse)):
        return [str(inner.body.value), str(inner.orelse.value)]
    return [f"%({_name(inner, names)})s"]


def _name(value: ast.expr, names: dict[str, str]) -> str:
    """A name for what varies: the last word of its expression, numbered if another expression has it already."""
    source = ast.unparse(value)
    word = (re.findall(r"[a-z_]\w*", re.sub(r"\(.*|\[.*|'.*", "", source)) or ["value"])[-1].strip("_") or "value"
    for number in itertools.count(1):
        name = word if number == 1 else f"{word}_{number}"
        if names.setdefault(name, source) == source:
            return name
    raise AssertionError


class Texts(Catalog):
    """A catalog whose head says nothing of when and with what it was written: the same texts are the same files."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Project-Id-Version", "Kenoweb"),
            ("Language", str(self.locale)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


def po_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    """The catalog of a language as it is committed."""
    with po_path(language).open("rb") as file:
        return read_po(file, locale=language)


def collected() -> dict[tuple[str, ...], set[str]]:
    """Every message there is: those that are marked, and the sentences in their own context."""
    fixed = {key: files for key, files in marked().items() if VARIES not in key}
    return {**fixed, **{(CONTEXT, sentence, ""): files for sentence, files in sentences().items()}}


def updated(old: Catalog) -> Catalog:
    """The catalog with exactly the messages there are: known ones keep their translation, new ones are empty."""
    new = Texts(locale=old.locale, header_comment=old.header_comment, fuzzy=False)
    for context, one, many in sorted(collected()):
        key = (one, many) if many else one
        known = old.get(one, context or None)
        kept = known.string if known and bool(known.pluralizable) == bool(many) else (("", "") if many else "")
        flags = ["python-format"] if _PLACEHOLDER.search(one + many) else []
        new.add(key, kept, flags=flags, context=context or None)
    return new


def text_of(catalog: Catalog) -> bytes:
    """A catalog as its file holds it."""
    file = BytesIO()
    write_po(file, catalog, width=110, no_location=True, sort_output=False)
    return file.getvalue()


def compiled(catalog: Catalog) -> bytes:
    """A catalog as gettext reads it."""
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def main() -> None:
    BOOK.write_text("".join(f"{sentence}\n" for sentence in sorted(sentences())), encoding="utf-8")
    for language in LANGUAGES:
        catalog = updated(read(language))
        po_path(language).write_bytes(text_of(catalog))
        po_path(language).with_suffix(".mo").write_bytes(compiled(catalog))
        missing = sum(1 for message in catalog if message.id and not all(_strings(message.string)))
        print(
            f"{language}: {len(catalog)} messages, {missing} to be translated in {po_path(language).relative_to(ROOT)}"
        )


def _strings(string: str | tuple[str, ...]) -> tuple[str, ...]:
    return string if isinstance(string, tuple) else (string,)


if __name__ == "__main__":
    main()
