"""Forms of the commonest Spanish and German verbs that no ending leads to: "hice" is of "hacer", "gefunden" of "finden".

General tables only. A form that is commoner as another word ("vino", "weiß") or an English one ("van", "half") is left out.
"""

from __future__ import annotations

from functools import cache

from memory.text.words.terms import fold, stemmer, words

_SEPARABLE = "ab an auf aus bei ein fest her hin los mit nach um vor weg weiter wieder zu zuruck zusammen"
SEPARABLE = tuple(_SEPARABLE.split())
_INSEPARABLE = ("be", "ent", "er", "ver", "zer")

_SPANISH = """
    abrir abre abrió abierto | caer cae caen caigo cayó cayeron caído | cerrar cierra cierran cerró cerrado |
    conocer conoce conozco conoció conocido | conducir conduce conduzco conduje condujo |
    construir construye construyó construido | contar cuenta cuento contó contado |
    creer cree creo creyó creído | dar doy dio dieron daba dado dando |
    decir dice dicen digo diga dije dijo dijimos dijeron decía dicho diciendo dirá |
    dormir duerme duermo durmió dormido durmiendo | empezar empieza empiezo empecé empezó empezado |
    encontrar encuentra encuentro encontré encontró encontrado | entender entiende entiendo entendió entendido |
    escribir escribe escribió escrito | estar estoy estuve estuvo estuvieron estaba |
    hacer hace hacen hago haga hice hizo hicimos hicieron hacía hecho haciendo hará |
    ir voy va vamos fui fue fuimos fueron iba iban ido yendo | jugar juega juego jugué jugó jugado |
    leer leyó leyeron leído | morir muere murió murieron muerto |
    oír oye oigo oyó oído | pedir pide pido pidió pidieron pedido | pensar piensa pienso pensó pensado |
    perder pierde pierdo perdió perdido | poder puede pueden puedo pude pudo pudieron podía podrá |
    poner pone ponen pongo puse puso pusieron puesto pondrá | preferir prefiere prefiero prefirió preferido |
    probar prueba pruebo probó probado | producir produce produjo producido |
    querer quiere quieren quiero quise quiso quería querido | recordar recuerda recuerdo recordó recordado |
    romper rompe rompió roto | saber sabe saben supe supo sabía sabido sabrá |
    salir salgo salga salen salió salieron salido saldrá | seguir sigue sigo siguió seguido siguiendo |
    sentir siente siento sintió sentido | servir sirve sirvió servido |
    tener tiene tienen tengo tenga tuve tuvo tuvimos tuvieron tenía tenido tendrá |
    traducir traduce traduzco tradujo traducido | traer trae traen traigo trajo trajeron traído |
    venir viene vienen vengo vine vinieron venía venido viniendo vendrá | ver veo vio vimos vieron veía visto viendo |
    volver vuelve vuelven vuelvo volvió volvieron vuelto
"""
_GERMAN = """
    beginnen begann begonnen | bieten geboten | bleiben blieb geblieben | brechen bricht brach gebrochen |
    brennen brannte gebrannt | bringen brachte gebracht | denken dachte gedacht |
    empfehlen empfiehlt empfahl empfohlen | essen isst aß gegessen | fahren fährt gefahren |
    fallen fällt fiel gefallen | fangen fängt fing gefangen | finden fand gefunden | fliegen flog geflogen |
    geben gibt gab gegeben | gehen ging gegangen | gewinnen gewann gewonnen | halten hielt gehalten |
    helfen hilft geholfen | kennen kannte gekannt | kommen kam gekommen |
    laden lädt lud geladen | lassen lässt ließ gelassen | laufen läuft lief gelaufen | leihen lieh geliehen |
    lesen liest gelesen | liegen lag gelegen | mögen mag mochte gemocht | nehmen nimmt nahm genommen |
    nennen nannte genannt | rennen rannte gerannt | rufen rief gerufen | scheiden schied geschieden |
    schlafen schläft schlief geschlafen | schlagen schlägt schlug geschlagen | schließen schloss geschlossen |
    schneiden schnitt geschnitten | schreiben schrieb geschrieben | schwimmen schwamm geschwommen |
    sehen sieht sah gesehen | singen gesungen | sitzen saß gesessen | sprechen spricht sprach gesprochen |
    stehen stand gestanden | steigen stieg gestiegen | sterben stirbt starb gestorben | tragen trägt trug getragen |
    treffen trifft traf getroffen | treten tritt trat getreten | trinken trank getrunken |
    vergessen vergisst vergaß vergessen | verlieren verlor verloren | wachsen wächst wuchs gewachsen |
    waschen wäscht wusch gewaschen | werfen wirft warf geworfen | wissen wusste gewusst | ziehen zog gezogen
"""


def irregular_spanish(plain: str) -> tuple[str, ...]:
    """All forms of the irregular Spanish verb of which a folded word is one, as the index has them."""
    return _spanish().get(plain, ())


def irregular_german(plain: str, stem: str) -> set[str]:
    """The forms of the irregular German verb that a word (folded) or its stem is of, as the index has them, with what stands
    before it."""
    found: set[str] = set()
    for prefix in ("", *SEPARABLE, *_INSEPARABLE):
        for one in (plain, f"{stem}-"):
            if one.startswith(prefix):
                found.update(prefix + form for form in _of(one.removeprefix(prefix), prefix in _INSEPARABLE))
    return found


def _of(word: str, is_inseparable: bool) -> tuple[str, ...]:
    """What a prefix may stand before: with one that stays, a participle has no "ge"."""
    known = _german()
    if not is_inseparable:
        return known.get(word, ())
    found = known.get(word) or known.get(f"ge{word}", ())
    return (*found, found[-1].removeprefix("ge")) if found else ()


@cache
def _spanish() -> dict[str, tuple[str, ...]]:
    rows = [row.split() for row in _SPANISH.split("|")]
    return {fold(word): tuple(words(" ".join(row))) for row in rows for word in row}


@cache
def _german() -> dict[str, tuple[str, ...]]:
    """By each form of a verb, the participle last, and by the stems of its infinitive and its past with a
    hyphen: "Magen" has the stem "mag", but is no "mag"."""
    found: dict[str, tuple[str, ...]] = {}
    for row in _GERMAN.split("|"):
        first, *others = fold(row).split()
        stem = first.removesuffix("en")
        plural = [other.removesuffix("e").removesuffix("en") + "en" for other in others[-2:]]
        others[:0] = _seconds(stem, others[0])
        forms = (stem, first, f"{stem}t", f"{stem}et", *words(" ".join(others)), *plural, others[-1])
        stems = [fold(stemmer("german").stemWord(word)) for word in (first, *others[-2:-1])]
        found |= dict.fromkeys((*others, *(f"{stem}-" for stem in stems)), forms)
    return found


def _seconds(stem: str, third: str) -> tuple[str, str]:
    """What "du" takes: "hältst" of "halten" (folded), and "gibst" of "gibt"."""
    return f"{stem}st", f"{third if stem.endswith('t') else third.removesuffix('t')}st"
