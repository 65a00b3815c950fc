"""What is handed to a program, in the forms that notes of developers hold: found whole, and nothing that only looks alike."""

from __future__ import annotations

import pytest

from memory.text.secrets import DOTS, has_secret, mask

TOKEN = "8f7a6b5c4d3e2f1a"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("curl -u ana:Regen-7 https://h/x", "Regen-7"),
        ('curl -s -X POST --user "ana:Regen7" https://h', "Regen7"),
        ("curl https://h \\\n  -uana:swordfish", "swordfish"),
        ('curl -u "ana:Regen am Meer" https://h', "Regen am Meer"),
        ("curl --user 'ana:Regen 7'", "Regen 7"),
        ('curl -u "ana:Regen\'s 7" https://h', "Regen's 7"),
        ('curl -u "ana:Regen\\"am Meer" https://h', 'Regen\\"am Meer'),
        ('curl -u ana:"Regen 7"', "Regen 7"),
        (f"https://hooks.slack.com/services/T0Ab12Cd3/B0Ab12Cd3/{TOKEN}", TOKEN),
        (f"HTTPS://HOOKS.SLACK.COM/services/T0Ab12Cd3/B0Ab12Cd3/{TOKEN}", TOKEN),
        (f"https://Discord.com/api/webhooks/123456789012345678/{TOKEN}", TOKEN),
        (f"<https://discord.com/api/webhooks/123456789012345678/{TOKEN}_-{TOKEN}>", f"{TOKEN}_-{TOKEN}"),
        (f"https://discordapp.com/api/v10/webhooks/123456789012345678/{TOKEN}?wait=true", TOKEN),
        ("sshpass -p 'Regen 7' ssh ana@h", "Regen 7"),
        ("mysql -u root -pRegen7 kenobot", "Regen7"),
        ("docker login -u ana -p swordfish ghcr.io", "swordfish"),
        ("redis-cli -h h -a Regen7 ping", "Regen7"),
        ("deploy --db-password hunter2 --now", "hunter2"),
        (f"gh auth login --token {TOKEN}", TOKEN),
        ("Authorization: Basic YW5hOnJlZ2Vu", "YW5hOnJlZ2Vu"),
        (f'"Authorization": "Bearer {TOKEN}"', TOKEN),
        (f"export TOKEN={TOKEN}", TOKEN),
        (f'TELEGRAM_BOT_TOKEN="{TOKEN}"', TOKEN),
        (f"- **API key:** `{TOKEN}`", TOKEN),
        (f'{{"api_key": "{TOKEN}"}}', TOKEN),
        (f"apiKey = '{TOKEN}'", TOKEN),
        (f"The token is {TOKEN}.", TOKEN),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/b1", "wJalrXUtnFEMI/K7MDENG/b1"),
        (f"**client_secret={TOKEN}**", TOKEN),
        (f"client\\_secret={TOKEN}", TOKEN),
        ("DB_PASS=hunter2", "hunter2"),
        ("PGPASSWORD=swordfish", "swordfish"),
        ("machine h login ana password swordfish", "swordfish"),
        ("machine h\n  login ana\n  password swordfish", "swordfish"),
        ("mysql://ana:Regen@db/x", "Regen"),
    ],
)
def test_what_is_handed_to_a_program_is_hidden(text, secret):
    assert mask(text) == text.replace(secret, DOTS)
    assert has_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "docker run -u 1000:1000 x",
        "curl -u $USER:$PASS https://h",
        "curl -u user:password https://h",
        'curl -u "${U}:${P}" https://h',
        'curl -u "user:$PASS now" "https://h"',
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "https://discord.com/api/webhooks/ID/TOKEN, https://h/webhooks/123456789012345678/settings",
        "mysql -u root -p kenobot2",
        "--password PASSWORD, --token <token1>, --api-key $API_KEY1",
        "Authorization: Bearer $TOKEN1",
        "Authorization: Basic authentication, Bearer authentication",
        "token = secrets.token_urlsafe(16)",
        "if token is some.tokens[3]",
        "export TOKEN=$(cat x1)",
        "API_KEY=your-key",
        "secret: see vault",
        "PRIMARY KEY: id12345678, keyword: abc123456, max_tokens: 128k12345",
        "tests pass: 12 of 13a",
        "OLDPWD=/home/x1",
        "the login page asks for a password reset2",
        "The secret is 2026-12-24",
    ],
)
def test_what_only_looks_alike_is_not(text):
    assert mask(text) == text
