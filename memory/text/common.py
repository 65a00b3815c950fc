"""The words that say next to nothing, by language: articles, pronouns, prepositions, auxiliaries, question words."""

from __future__ import annotations

_ENGLISH = """
    a an the this that these those i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
    it its itself we us our ours ourselves they them their theirs themselves who whom whose which what when where why how
    am is are was were be been being have has had having do does did doing done can could may might must shall should will would
    and but or nor if then than because as until while of at by for with about against between into through during before after
    above below to from up down in out on off over under again further once here there all any both each few more most other some
    such no not only own same so too very just also ever s t d ll m re ve don didn doesn isn aren wasn weren won wouldn
"""
_SPANISH = """
    el la los las un una unos unas lo al del de a en y e o u que quien quienes cual cuales cuando donde como por para con sin
    sobre entre hasta desde es son era eran fue fueron ser esta estan estaba estar ha han habia haber hay tiene tienen tenia
    yo tu usted ella nosotros ellos ellas me te se nos os le les mi mis tus su sus este esto estos estas ese esa eso
    no si ya muy mas pero
"""
_GERMAN = """
    der die das den dem des ein eine einen einem einer eines und oder aber wenn weil dass als wie was wer wo wann warum welche
    welcher welches ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihnen mein meine dein deine sein seine unser
    ist sind war waren bin bist wird werden wurde hat haben hatte kann nicht kein keine auch nur noch schon sehr
    in im an am auf aus bei mit nach von vom zu zum zur fur uber unter vor durch um
"""
_FRENCH = """
    le la les un une des du de au aux et ou mais si que qui quoi dont quand comment pourquoi quel quelle quels quelles je tu il
    elle nous vous ils elles me te se moi toi lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette
    ces est sont etait etaient etre a ont avait avoir ne pas plus en dans par pour sur avec sans y
"""
_ITALIAN = """
    il lo la i gli le un uno una di a da in con su per tra fra del della dei delle al alla nel nella e o ma se che chi cui quando
    dove come perche quale quali io tu lui lei noi voi loro mi ti si ci vi mio mia tuo tua suo sua e sono era erano ha hanno non
"""
_PORTUGUESE = """
    o a os as um uma uns umas de do da dos das em no na nos nas ao por para com sem e ou mas se que quem qual quando onde como eu
    tu ele ela voce eles elas me te lhe meu minha seu sua foi eram estava tem nao mais muito
"""
_DUTCH = """
    de het een en of maar als dat die dit deze wie wat waar wanneer waarom hoe welke ik jij je hij zij ze wij we jullie mij hem
    haar ons hun mijn jouw zijn is was waren ben wordt heeft hebben had kan niet geen ook nog van in op aan met voor uit bij naar
"""
_RUSSIAN = """
    и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от меня о из ему кто где когда
    это мы они был была были быть есть ли для до при чтобы какой который
"""
COMMON = (_ENGLISH, _SPANISH, _GERMAN, _FRENCH, _ITALIAN, _PORTUGUESE, _DUTCH, _RUSSIAN)
