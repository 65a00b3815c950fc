"""Passwords that are words of a language: what stands alone where a password is named, and is no remark about one."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What is said of a password, and what stands in its place in forms and in code, in the languages of `secrets`.
_REMARKS = _words(
    """
    wrong correct right good bad weak strong safe secure secret private public shared old new same different unique random simple
    easy hard long short empty blank valid invalid fine lost missing unknown known here there below above mine yours theirs ours
    string text hash null none nil true false optional mandatory necessary important sensitive case-sensitive plain plaintext
    enough ready yes nope not never always something anything nothing everything it this that what ask see
    falsch richtig gut schlecht schwach stark sicher unsicher geheim alt neu gleich anders lang kurz leer weg hier dort bekannt
    unbekannt wichtig nötig notwendig erforderlich optional einfach schwer gültig ungültig zufällig keines nichts siehe
    mala buena mal bien correcta incorrecta segura insegura débil fuerte vieja antigua nueva igual distinta diferente larga corta
    vacía secreta privada pública única fácil difícil simple complicada válida inválida importante necesaria obligatoria opcional
    conocida desconocida esta esa otra ninguna nada aquí allí mía tuya suya ver
    """
)
_ENDINGS = (
    *("ed", "ing", "ly", "able", "ible", "ful", "less", "ado", "ada", "ido", "ida", "ble"),
    *("tet", "ndert", "oren", "chert", "essen", "laufen", "setzt"),
)
# Words of sentences: a row of words with one of them is a remark, without any it is a passphrase.
_SENTENCE = _words(
    """
    the a an of in on at to for from with and or but is are was be has have not no my your his her our their its it that this who
    we he she they you when where as by der die das ein eine im in auf an zu für mit und oder ist war hat nicht kein mein dein sein
    ihr unser den dem des von vom bei el la los las un una de del en a al para con y o es era no mi tu su nuestra que por lo se
    """
)
_LETTER = "[A-Za-zÀ-ɏ]"  # Chinese has no spaces: a remark there is one word, too
WORD = rf"{_LETTER}{{4,30}}"
PHRASE = rf"{_LETTER}{{2,20}}(?:[ -]{_LETTER}{{2,20}}){{3,7}}"
FEW = 2  # a passphrase may begin with what would be a remark: correct horse battery staple
END = r"(?=[*_`\"'”»]{0,4}[ \t]*(?:[.!;,，。](?:[ \t]|$)|\||\]\(|$))"


def is_password(words: str) -> bool:
    """Whether what is said to be a password is one."""
    some = words.casefold().replace("-", " ").split(" ")
    if len(some) > 1:
        return words == words.lower() and not _SENTENCE.intersection(some) and len(_REMARKS.intersection(some)) < FEW
    return not (some[0] in _REMARKS or some[0] in _SENTENCE or some[0].endswith(_ENDINGS))
