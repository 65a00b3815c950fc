"""What the sample nanobot was told: the people of a small pottery studio, all of them invented."""

from __future__ import annotations

AUTO, HAND, FILED = "auto_heuristic", "manual", "import"

# (channel, chat, sender)
_MARTA = ("telegram", "4821", "4821")
_MARTA_IN_STUDIO, _INES_IN_STUDIO = ("telegram", "-10077", "4821"), ("telegram", "-10077", "5530")
_JONAS = ("whatsapp", "351900111222", "351900111222")
_BEA_IN_SHOP = ("discord", "shop", "bea")
_CLI = ("cli", "direct", "direct")

# (days ago, minute of the working day, channel, chat, sender, kind, text, source)
Told = tuple[int, int, str, str, str, str, str, str]

KEPT: tuple[Told, ...] = (
    (140, 11, *_MARTA, "fact", "my name is Marta, I run the pottery studio in Rua do Forno", AUTO),
    (140, 25, *_MARTA, "preference", "i prefer short answers, and prices with VAT", AUTO),
    (131, 70, *_MARTA, "decision", "we decided to fire stoneware at 1240 degrees, cone 7", AUTO),
    (128, 91, *_JONAS, "fact", "my name is Jonas and I drive the van on Tuesdays", AUTO),
    (127, 14, *_JONAS, "preference", "i like routes without the motorway", AUTO),
    (120, 200, *_MARTA_IN_STUDIO, "decision", "from now on use the small kiln for tests only", AUTO),
    (119, 33, *_INES_IN_STUDIO, "fact", "i work with porcelain, never with stoneware", AUTO),
    (112, 121, *_INES_IN_STUDIO, "preference", "i usually use the wheel by the window", AUTO),
    (104, 41, *_MARTA, "fact", "my timezone is Europe/Lisbon", AUTO),
    (97, 160, *_BEA_IN_SHOP, "decision", "we will use the blue boxes for the online shop", AUTO),
    (95, 17, *_BEA_IN_SHOP, "preference", "always use grams, never ounces", AUTO),
    (88, 222, *_MARTA, "decision", "do pack glazed plates upright not flat", AUTO),
    (80, 45, *_CLI, "decision", "let's use the tin glaze of Aveiro for the spring series", HAND),
    (71, 300, *_MARTA_IN_STUDIO, "decision", "let's use tongs for raku, no gloves", AUTO),
    (64, 12, *_JONAS, "fact", "i am in Coimbra every second Thursday", AUTO),
    (62, 77, *_MARTA, "decision", "we decided to close in the last week of August", AUTO),
    (57, 61, *_INES_IN_STUDIO, "fact", "i speak Portuguese, French and some German", AUTO),
    (50, 18, *_CLI, "fact", "The kiln was serviced by Fornos do Norte, next in spring", HAND),
    (43, 118, *_BEA_IN_SHOP, "decision", "let's use tracked parcels for orders over 60 euros", AUTO),
    (40, 5, *_CLI, "fact", "Clay comes from Alcobaça, forty bags, on the first Monday of a month", FILED),
    (40, 6, *_CLI, "fact", "The water tap in the yard is turned off in winter", FILED),
    (40, 8, *_CLI, "fact", "Spare keys hang at the baker's, second hook", FILED),
    (36, 140, *_MARTA_IN_STUDIO, "decision", "we decided to fire on Fridays only", AUTO),
    (29, 55, *_MARTA, "preference", "don't use the word cheap when you write to customers", AUTO),
    (22, 49, *_MARTA, "episodic", "User message: the tin glaze crawled on three bowls, too thick at the rim", AUTO),
    (18, 210, *_JONAS, "decision", "let's use the old ring road when the bridge is closed", AUTO),
    (14, 35, *_INES_IN_STUDIO, "episodic", "User message: the wheel by the window wobbles again", AUTO),
    (11, 92, *_BEA_IN_SHOP, "episodic", "User message: two parcels came back, no such number in Rua Nova", AUTO),
    (9, 19, *_MARTA, "episodic", "User message: the school wants thirty small cups until the end of term", AUTO),
    (6, 81, *_MARTA, "decision", "we will use the porcelain of Limoges for the school's cups", AUTO),
    (4, 28, *_MARTA_IN_STUDIO, "preference", "always use lead-free glaze for cups", HAND),
    (3, 130, *_BEA_IN_SHOP, "episodic", "User message: the blue boxes are nearly gone", AUTO),
    (1, 44, *_MARTA, "episodic", "User message: the kiln tripped the fuse at 900 degrees", AUTO),
    (0, 12, *_BEA_IN_SHOP, "decision", "let's use the brown boxes until the blue ones are here", AUTO),
)
EXPIRED: tuple[Told, ...] = (
    (130, 52, *_MARTA, "episodic", "User message: the thermocouple shows 40 degrees too much", AUTO),
    (118, 83, *_INES_IN_STUDIO, "episodic", "User message: the window sticks, I left it open a hand wide", AUTO),
    (101, 9, *_JONAS, "episodic", "User message: the van is in the garage until Wednesday", AUTO),
)
FORGOTTEN: tuple[Told, ...] = (
    (90, 30, *_MARTA, "fact", "i am in a hurry, the market is on Saturday", AUTO),
    (34, 64, *_JONAS, "decision", "do you think we should not take the bridge", AUTO),
    (33, 15, *_BEA_IN_SHOP, "fact", "i am in the queue of the post office", AUTO),
)
# What an entry said when its mirror was written; it was reworded since.
REWORDED = {
    "we decided to fire stoneware at 1240 degrees, cone 7": "we decided to fire stoneware at 1260 degrees, cone 8",
    "i am in Coimbra every second Thursday": "i am in Coimbra every Thursday",
}
STRAY = {"memory/semantic/facts.md": "- The gas man comes in November\n"}  # lines that no entry ever said

# (days ago, minute, channel, chat, what was asked, the answer or None for a turn that died)
TURNS: tuple[tuple[int, int, str, str, str, str | None], ...] = (
    (
        22,
        49,
        "telegram",
        "4821",
        "the tin glaze crawled on three bowls, too thick at the rim",
        "Thin it to 1.45, dip once.",
    ),
    (
        9,
        19,
        "telegram",
        "4821",
        "the school wants thirty small cups until the end of term",
        "Thirty cups: two firings.",
    ),
    (6, 81, "telegram", "4821", "we will use the porcelain of Limoges for the school's cups", "Noted."),
    (2, 20, "telegram", "4821", "how hot do we fire stoneware?", "1240 degrees, cone 7."),
    (1, 44, "telegram", "4821", "the kiln tripped the fuse at 900 degrees", None),
    (1, 52, "telegram", "4821", "are you there?", "Yes. Let it cool, then look at the second element."),
    (18, 210, "whatsapp", "351900111222", "let's use the old ring road when the bridge is closed", "Agreed."),
    (5, 14, "whatsapp", "351900111222", "which road today?", "The ring road: the bridge is closed until noon."),
    (36, 140, "telegram", "-10077", "we decided to fire on Fridays only", "Fridays only, then."),
    (
        14,
        35,
        "telegram",
        "-10077",
        "the wheel by the window wobbles again",
        "The belt, most likely. It is two years old.",
    ),
    (4, 28, "telegram", "-10077", "may we use the old red glaze for cups?", "No: it holds lead. Take a lead-free one."),
    (11, 92, "discord", "shop", "two parcels came back, no such number in Rua Nova", "I would write to both."),
    (3, 130, "discord", "shop", "the blue boxes are nearly gone", "Twelve are left; forty is the least one can order."),
    (0, 12, "discord", "shop", "let's use the brown boxes until the blue ones are here", "Brown boxes it is."),
    (0, 40, "discord", "shop", "write to the supplier, please, and ask when they come", None),
    (80, 45, "cli", "direct", "what do you know about glazes?", "The tin glaze of Aveiro is for the spring series."),
)
WORKSPACE = {
    "AGENTS.md": "# Instructions\n\n- Say so when you are not sure.\n- Never give out anybody's address.\n",
    "SOUL.md": "# Soul\n\nPatient, exact, with a liking for pots that are not quite round.\n",
    "USER.md": "# User\n\n- Marta runs a small pottery studio near Porto, with Inês at the wheel and Jonas in the van.\n",
    "memory/MEMORY.md": "# Long-term Memory\n\n- The studio is closed on Mondays\n- Cups are sold in sets of four\n",
}
