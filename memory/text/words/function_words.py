"""The little words of some languages: those that say nothing by themselves, and those that turn a sentence into its opposite.

Only what can go without a change of meaning is little: articles, the commonest prepositions, forms of "to be" in the present and
"and". "From", "or", "was", "she" are not. A word that is another one in another language ("die", "son", "war") is little only in a
text that is known to be in its own.
"""

from __future__ import annotations

import re

from memory.text.words.english import FUNCTION

# What is little in a language, and what else shows that a text is in it.
_LANGUAGES = {
    "en": ("a an the of in on at to for by and is are am be as it's", ""),
    "es": (
        "el la los las un una unos unas de del en a al y e es son está están ser",
        "que se su sus con por para no le lo me mi muy más pero como prefiere gusta tiene vive",
    ),
    "de": (
        "der die das den dem des ein eine einen einem einer eines im in am an auf zu zum zur und ist sind bin",
        "nicht mit von für sich er sie ich wir hat haben auch aber kein keine mag",
    ),
    "fr": (
        "le la les l' un une des du de d' en à au aux et est sont",
        "ne pas que qui il elle nous vous dans pour avec sur mais son sa ses aime",
    ),
    "pt": (
        "o a os as um uma uns umas de do da dos das em no na nos nas ao à e é são",
        "não que se com por para mas seu sua gosta",
    ),
    "it": (
        "il lo la i gli le un uno una di del della dei delle in nel nella a al alla e è sono",
        "non che si con per ma suo sua",
    ),
    "nl": ("de het een van in op te aan en is zijn", "niet dat met voor maar geen hij zij ik heeft"),
    "ru": ("и в во на к ко", "не что он она я мы есть для но"),
}
_CODES = tuple(_LANGUAGES)
_LITTLE = {code: frozenset(little.split()) for code, (little, _more) in _LANGUAGES.items()}
_SHARED = "die den des son a e i o as do no on in an am la le de un se me con per so"  # words of more than one language
_ELSEWHERE = frozenset(_SHARED.split())
_CUES = {
    code: (frozenset(f"{little} {more}".split()) | (FUNCTION if code == "en" else frozenset())) - _ELSEWHERE
    for code, (little, more) in _LANGUAGES.items()
}

# "n't" is read as "not" before it is looked for here. Forms of one word are one.
_NEGATIONS = """
    not no never none nobody nothing nowhere neither nor without cannot | nicht kein nie niemals niemand nichts ohne weder |
    nunca jamás ni sin nadie nada ningún ninguno ninguna tampoco | ne n' pas jamais aucun aucune rien personne sans |
    não nem sem nenhum nenhuma ninguém | non mai nessuno nessuna niente nulla senza né | niet geen nooit niemand zonder |
    не нет ни никогда никто ничего без нельзя | nie nigdy bez | inte ej aldrig utan ikke aldri uten | değil yok hiç |
    δεν μη μην όχι | لا ليس لم لن غير | לא אין | नहीं मत | không chưa
"""
TIGHT_NEGATION = re.compile("[不没沒無无未非別别勿]|ない|ませ[んず]|なかっ|ねば|[않못없]")
_SAME = {"no": "not", "cannot": "not"} | {f"kein{end}": "kein" for end in ("e", "en", "em", "er", "es")}
NEGATIONS = frozenset(_NEGATIONS.replace("|", " ").split()) | frozenset(_SAME)


def language(words: tuple[str, ...]) -> str:
    """The language that most of these words (folded) show, "" if none does: then every word of them counts."""
    shown = {code: sum(word in cues for word in words) for code, cues in _CUES.items()}
    best = max(_CODES, key=shown.__getitem__)
    return best if shown[best] else ""


def is_function_word(word: str, code: str) -> bool:
    """Whether a folded word says nothing by itself in a language."""
    return word == "in" or (code != "" and word in _LITTLE[code])  # that one is little wherever it is a word


def one_form(word: str) -> str:
    """The word that a negation is a form of; any other word as it is."""
    return _SAME.get(word, word)
