"""The texts of the desk: collected from code and templates, written to the catalogs, compiled. `make messages` runs it.

What is said is marked where it stands: by `gettext` and `number_of` at the doors, `{% translate %}` in templates, `say` below them.
It needs no GNU tools."""

from __future__ import annotations

import ast
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
LANGUAGES = ("es",)

# The names for marking a text, Django's and ours: where the context, the text and its plural stand among the arguments.
KEYWORDS = {
    "gettext": (None, 0, None),
    "ngettext": (None, 0, 1),
    "pgettext": (0, 1, None),
    "npgettext": (0, 1, 2),
    "say": (None, 0, None),
    "say_number": (None, 0, 1),
    "number_of": (None, 0, 1),
}
VARIES = "<varies>"
MARKS = ("django.utils.translation", "memory.text.sentences", "memory.web.base.gauges")
_STRING = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_CALL = re.compile(rf"\b(?:_|n?p?gettext)\((?:{_STRING}|,|\s|count)*\)")

_PLACEHOLDER = re.compile(r"%\(\w+\)s")


@cache
def marked() -> dict[tuple[str, ...], set[str]]:
    """(context, singular, plural or "") of every marked message, with the files that hold it."""
    found: dict[tuple[str, ...], set[str]] = {}
    for path in [*(ROOT / "memory").rglob("*.py"), *(ROOT / "kenoweb").rglob("*.py")]:
        source = path.read_text(encoding="utf-8")
        if any(mark in source for mark in MARKS):
            _add(found, path, ast.parse(source))
    for path in (*(ROOT / "templates").rglob("*.html"), *(ROOT / "memory").rglob("*.html")):
        calls = _CALL.findall(templatize(path.read_text(encoding="utf-8"), origin=str(path)))
        _add(found, path, ast.parse("\n".join(calls)), _names_of("gettext", "ngettext", "pgettext", "npgettext", "_"))
    return found


def _add(
    found: dict[tuple[str, ...], set[str]], path: Path, tree: ast.Module, names: dict[str, str] | None = None
) -> None:
    nodes = list(ast.walk(tree))
    names = names or _imported(nodes)
    for node in nodes:
        if isinstance(node, ast.Call) and (kind := names.get(getattr(node.func, "id", ""))):
            texts = ["" if at is None else _constant(node.args[at]) for at in KEYWORDS[kind]]
            found.setdefault(tuple(texts), set()).add(path.relative_to(ROOT).as_posix())


def _constant(node: ast.expr) -> str:
    """A text as it stands in the code; VARIES if it is worked out at run time, so that nobody can collect it."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else VARIES


def _imported(nodes: list[ast.AST]) -> dict[str, str]:
    """What a module calls the functions that mark a text."""
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module in MARKS]
    aliases = [alias for node in imports for alias in node.names]
    kinds = {alias.asname or alias.name: re.sub("_(lazy|noop)$", "", alias.name) for alias in aliases}
    return {name: kind for name, kind in kinds.items() if kind in KEYWORDS}


def _names_of(*names: str) -> dict[str, str]:
    return {name: "gettext" if name == "_" else name for name in names}


class Texts(Catalog):
    """A catalog whose head says nothing of when and with what it was written: the same texts are the same files."""

    num_plurals = 2  # Babel 2.19 has a third one in Spanish, for whole millions
    plural_expr = "(n != 1)"

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
    """Every message there is, with the files that say it; what is worked out at run time is none."""
    return {key: files for key, files in marked().items() if VARIES not in key}


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
