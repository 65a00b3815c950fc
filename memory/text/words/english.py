"""What is known of English beforehand: function words, irregular forms, spellings, numbers, time words.

General tables only; no word was taken from a benchmark. Other languages hardly meet them, and where they do, both sides do.
"""

from __future__ import annotations


def _words(text: str) -> list[str]:
    return text.split()


def _to_first(table: str) -> dict[str, str]:
    """Each word of a row to the first one of it."""
    rows = [row.split() for row in table.split("|")]
    return {word: row[0] for row in rows for word in row[1:]}


# They say nothing where others are. "won" is a verb here, and "may" a month where it is capitalised.
FUNCTION = frozenset(
    _words("""
    a about above after again against all am an and any are as at be because been before being below between both
    but by can cannot could did do does doing down during each few for from further had has have having he her here
    hers herself him himself his how i if in into is it its itself just me might more most must my myself no nor not
    now of off on once only or other our ours ourselves out over own same shall she should so some such than that
    the their theirs them themselves then there these they this those through to too under until up us very was we
    were what when where which while who whom whose why will with would you your yours yourself yourselves may d ll
    m re s t ve don didn doesn isn wasn weren haven hasn hadn couldn wouldn shouldn aren ain
    """)
)

# Words that a question is made of rather than asks for: they count, but less.
FILLER = frozenset(
    _words("""
    ago almost also although always among another anybody anyone anything around away back became become becomes
    behind came come else etc ever every everybody everyone everything gave get gets getting give given go goes
    going gone got gotten gonna gotta however kind kinda kinds let like likely lot lots made make makes making many
    maybe mine mostly much neither never nobody none nothing oh ok okay one ones onto ought per perhaps quite rather
    really said say says since somebody someone something sometimes somewhere soon still sure take taken takes thing
    things though thus till together toward towards type types unless upon use used via wanna way well went whatever
    whenever whether whole within without yeah yes yet cos cuz
    """)
)

_VERBS = """
    arise arose arisen | awake awoke awoken | bear bore borne | beat beaten | become became | begin began begun |
    bend bent | bind bound | bite bit bitten | bleed bled | blow blew blown | break broke broken | breed bred |
    bring brought | build built | burn burnt | buy bought | catch caught | choose chose chosen | cling clung |
    come came | creep crept | deal dealt | dig dug | dive dove | draw drew drawn | dream dreamt | drink drank drunk |
    drive drove driven | eat ate eaten | fall fell fallen | feed fed | feel felt | fight fought | find found |
    flee fled | fling flung | fly flew flown | forbid forbade forbidden | forget forgot forgotten |
    forgive forgave forgiven | freeze froze frozen | get got gotten | give gave given | go went gone | grind ground |
    grow grew grown | hang hung | hear heard | hide hid hidden | hold held | keep kept | kneel knelt |
    know knew known | lay laid | lead led | lean leant | leap leapt | learn learnt | leave left | lend lent |
    lie lain | light lit | lose lost | make made | mean meant | meet met | mistake mistook mistaken |
    overcome overcame | pay paid | prove proven | ride rode ridden | ring rang rung | rise rose risen | run ran |
    say said | see saw seen | seek sought | sell sold | send sent | sew sewn | shake shook shaken | shine shone |
    shoot shot | show shown | shrink shrank shrunk | sing sang sung | sink sank sunk | sit sat | sleep slept |
    slide slid | smell smelt | sow sown | speak spoke spoken | speed sped | spend spent | spill spilt | spin spun |
    spit spat | spoil spoilt | spring sprang sprung | stand stood | steal stole stolen | stick stuck | sting stung |
    stink stank stunk | strike struck stricken | strive strove striven | swear swore sworn | sweep swept |
    swell swollen | swim swam swum | swing swung | take took taken | teach taught | tear tore torn | tell told |
    think thought | throw threw thrown | tread trod trodden | understand understood | undertake undertook undertaken |
    undo undid undone | wake woke woken | wear wore worn | weave wove woven | weep wept | win won | wind wound |
    withdraw withdrew withdrawn | write wrote written
"""
_PLURALS = """
    man men | woman women | person people | foot feet | tooth teeth | goose geese | mouse mice | ox oxen |
    life lives | wife wives | knife knives | leaf leaves | shelf shelves | wolf wolves | half halves | self selves |
    calf calves | loaf loaves | thief thieves | scarf scarves | hoof hooves | elf elves | crisis crises |
    analysis analyses | thesis theses | hypothesis hypotheses | criterion criteria | phenomenon phenomena |
    cactus cacti | fungus fungi
"""
# The same thing said shorter, at home, or across the ocean.
_EQUAL = """
    mom mum mommy mummy mama mother | dad daddy papa father | grandma granny grandmother |
    grandpa granddad grandfather | kid kids child children |
    photo photos photograph photographs pic pics picture pictures | tv television | bike bicycle |
    fridge refrigerator | phone telephone | exam examination | ad advert advertisement | gym gymnasium |
    car auto automobile | plane airplane aeroplane | vet veterinarian | movie film | lab laboratory |
    math maths mathematics | info information | app application | favorite favourite fave | color colour |
    neighbor neighbour | honor honour | flavor flavour | behavior behaviour | humor humour | harbor harbour |
    labor labour | center centre | theater theatre | meter metre | gray grey | jewelry jewellery | donut doughnut |
    program programme | license licence | practice practise | organize organise | realize realise |
    recognize recognise | apologize apologise | pajamas pyjamas | mustache moustache | tire tyre | cozy cosy |
    mold mould | plow plough
"""
IRREGULAR = _to_first(_VERBS) | _to_first(_PLURALS)
EQUAL = _to_first(_EQUAL)
PAST = frozenset(_to_first(_VERBS))

_ONES = _words("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
""")
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
NUMBERS = {word: str(number) for number, word in enumerate(_ONES)}
NUMBERS.update({word: str(number * 10) for number, word in enumerate(_TENS, 2)})
AMOUNTS = frozenset([*NUMBERS, *_words("once twice couple few several dozen hundred hundreds thousand thousands")])

_MONTHS = _words("january february march april may june july august september october november december")
MONTHS = {name: number for number, name in enumerate(_MONTHS, 1)}
MONTHS.update({name[:3]: number for name, number in list(MONTHS.items())}, sept=9)
AMBIGUOUS_MONTHS = frozenset(("may", "mar", "march"))  # months only where capitalised
TIME = frozenset(
    _words("""
    yesterday today tonight tomorrow week weeks weekend weekends month months year years day days ago last next
    recently lately since morning afternoon evening night summer winter spring autumn fall now soon currently
    earlier later hour hours minute minutes decade decades birthday anniversary christmas easter thanksgiving
    halloween monday tuesday wednesday thursday friday saturday sunday
    """)
) | (frozenset(MONTHS) - AMBIGUOUS_MONTHS)
