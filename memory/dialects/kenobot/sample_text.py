"""What the sample bot remembers of somebody who repairs bicycles: all made up."""

from __future__ import annotations

from typing import NamedTuple

INES = "telegram-48213377"
FAMILY = "telegram--1001982734650"
SHOP = "http-http-workshop"


class Note(NamedTuple):
    """One entry of a daily log; `chat` "" is the log that all chats share."""

    days_ago: int
    time: str
    text: str
    chat: str = ""


class Said(NamedTuple):
    """One exchange of a transcript."""

    days_ago: int
    time: str
    user: str
    bot: str


LONG_TERM = """\
# KenoBot Memory

## People

- Ines runs a bicycle workshop in Porto. She is "I" in every chat but the family's.
- Tomás is her partner; he cycles to work and cooks on Sundays.
- Avó Lurdes is Ines's grandmother. She lives in Braga and calls on Thursdays.
- Kenji trained with Ines in Osaka and visits in spring.

## How Ines likes it

- Short answers first, details when asked.
- Prices in euros, with VAT.
- No calls before 9:30; messages are fine.
- Likes Go, the board game, and plays on Tuesdays.

## The workshop

- Open Tuesday to Saturday, 10:00 to 19:00. Closed on Mondays.
- The truing stand needs a new dial gauge.
- Suppliers: Rodas do Norte (wheels, delivers on Wednesdays), Sattler & Kind (leather, slow but good).
- A standard service costs 65 euros; with a new chain 89.

## House

- The boiler is a Vulcano from 2014. Service contract ends in March.
- Recycling goes out on Wednesday evening.
"""

CHAT_LONG_TERM = {
    INES: """\
# What this chat is about

- Ines plans her week here, usually in the evening.
- She writes English and Portuguese in the same message; answer in the language of the question.
""",
    FAMILY: """\
# Family group

- Members: Ines, Tomás, Avó Lurdes, cousin Rita.
- Avó Lurdes prefers voice messages; keep answers to her short.
""",
}

WORKING = (
    (
        INES,
        2,
        "Planning the trip to Osaka\n"
        "- flights: waiting for Tomás's holiday dates\n"
        "- workshop closed for those two weeks: put a sign up, tell Rodas do Norte\n"
        "- next: compare the direct flight with the one over Helsinki",
    ),
    (
        FAMILY,
        30,
        "Avó's birthday lunch\n- table for nine, Sunday 13:00\n- Rita brings the cake\n- open: who drives to Braga",
    ),
    (SHOP, 12 * 24, "Order 2231 waits for a 27 mm rim. Rodas do Norte said Wednesday."),
)

NOTES = (
    # The last days
    Note(0, "07:40", "Ines has a dentist's appointment next Monday at 11:15"),
    Note(0, "08:05", "Rodas do Norte changed the delivery day from Wednesday to Thursday"),
    Note(0, "08:20", "Avó Lurdes asked for the photos of the garden", FAMILY),
    Note(1, "19:12", "Tomás gets his holiday dates on the 20th"),
    Note(1, "20:48", "Looking at flights to Osaka, two weeks, before the cherry blossom", INES),
    Note(1, "21:30", "A standard service costs 65 euros; with a new chain 89."),
    Note(2, "10:02", "Order 2240: steel frame, customer wants the old paint kept", SHOP),
    Note(2, "18:33", "The workshop's card terminal fails when the router restarts; unplug it for a minute"),
    Note(3, "09:15", "Prefers the morning train to Braga, 8:45 from Campanhã", INES),
    Note(3, "22:04", "Ines wants one evening a week without screens, starting with Fridays"),
    Note(4, "11:50", "Rita is allergic to walnuts", FAMILY),
    Note(4, "17:26", "Kenji の新しい住所: 大阪市北区、駅から歩いて五分"),
    Note(
        5,
        "19:45",
        "How to bleed the shop's demo brakes:\n"
        "1. Bleed screw up, syringe on, lever flat\n"
        "2. Push until no bubbles come, tap the caliper\n"
        "3. Close, clean with alcohol, wait ten minutes\n"
        "Ines does this before every Saturday workshop.",
    ),
    Note(6, "08:55", "Não marcar nada à quarta-feira à tarde: aulas de japonês"),
    Note(6, "12:10", "Order 2231 needs a 27 mm rim that is out of stock", SHOP),
    Note(7, "20:15", "Likes Go, the board game, and plays on Tuesdays."),
    Note(8, "21:02", "Tomás will cook for the Go club in two weeks", FAMILY),
    Note(9, "10:31", "The insurance for the workshop is with Fidelis, renewed in June"),
    Note(10, "16:47", "Ines's torque wrench was recalibrated; next time in a year"),
    Note(11, "19:20", "Wants reminders the evening before, not in the morning", INES),
    Note(12, "09:05", "Order 2231 came in: front wheel of a 1987 touring bike", SHOP),
    Note(13, "18:00", "Recycling goes out on Wednesday evening."),
    Note(14, "21:44", "Likes Google Docs for the price list, because Rita can edit it too"),
    Note(15, "13:13", "Avó Lurdes cumple 84 años el mes que viene", FAMILY),
    Note(16, "20:20", "The cargo bike belongs to the school; they bring it every September"),
    Note(17, "08:31", "Ines sleeps badly after coffee past 16:00"),
    Note(18, "19:09", "Learning Japanese with the second book now, chapter 4", INES),
    Note(19, "11:27", "Sattler & Kind raised the price of the brown saddle to 112 euros"),
    Note(20, "10:10", "Customers may pay in two parts above 200 euros", SHOP),
    Note(21, "20:50", "Tomás's commuter bike has a 10-speed chain, 114 links"),
    Note(23, "09:48", "Rita moves to Coimbra in January", FAMILY),
    Note(24, "18:18", "The landlord, Senhor Abreu, answers only by letter"),
    Note(25, "21:21", "Ines decided against the shop's own app; a sign in the window is enough"),
    Note(27, "10:40", "Prices in euros, with VAT."),
    Note(28, "19:55", "Saturday workshop for beginners: six people at most, 25 euros each"),
    # Old enough to be compacted
    Note(31, "09:20", "The spare key of the workshop is with the café next door"),
    Note(31, "20:02", "Avó Lurdes is Ines's grandmother. She lives in Braga and calls on Thursdays."),
    Note(32, "11:11", "Order 2198: the customer collects on a Friday", SHOP),
    Note(33, "18:45", "Ines's shoe size is 39; cycling shoes one larger"),
    Note(34, "10:05", "The truing stand needs a new dial gauge."),
    Note(34, "21:30", "Book for Kenji's visit: the azulejo museum, closed on Mondays"),
    Note(35, "19:19", "Planta do balcão: fica à sombra, regar ao domingo"),
    Note(36, "12:00", "Tomás does not eat mushrooms", FAMILY),
    Note(
        37,
        "20:40",
        "Winter hours, if it rains for a week:\n- open from 11:00\n- no test rides\n- hot drinks by the door",
    ),
    Note(38, "09:33", "The boiler is a Vulcano from 2014. Service contract ends in March."),
    Note(39, "18:08", "Password manager: the family uses one vault, the workshop another"),
    Note(40, "08:15", "No calls before 9:30; messages are fine."),
    Note(40, "22:10", "Ines wants to learn frame building, one day, with Kenji's teacher", INES),
    Note(42, "17:52", "The blue tandem is for rent, 40 euros a day, deposit 200"),
    Note(44, "10:29", "Rodas do Norte gives 8 % from ten rims on"),
    Note(45, "19:01", "Started using the bot for the workshop's notes"),
)

TRANSCRIPTS = {
    INES: (
        Said(
            3,
            "09:14",
            "I'd rather take the early train to Braga on Sunday.",
            "The 8:45 from Campanhã gets you there at 9:49. I'll remember that you prefer the morning one.",
        ),
        Said(
            1,
            "20:46",
            "Osaka. Two weeks, before the cherry blossom. What do we still need?",
            "Tomás's holiday dates first, he has them on the 20th. Then the flights: direct, or over Helsinki. "
            "And a sign for the workshop's door.",
        ),
    ),
    FAMILY: (
        Said(
            4,
            "11:49",
            "Rita can't have the walnut cake!",
            "Thank you, noted: Rita is allergic to walnuts. An orange cake then?",
        ),
        Said(
            0,
            "08:19",
            "Podes mandar à Avó as fotos do jardim?",
            "Posso lembrar a Ines hoje à noite; as fotos estão no telemóvel dela.",
        ),
    ),
    SHOP: (
        Said(
            2,
            "10:01",
            "New order 2240, steel frame, wants a full service, keep the old paint.",
            "Noted for order 2240: full service, 65 euros, and the old paint stays.",
        ),
    ),
}
