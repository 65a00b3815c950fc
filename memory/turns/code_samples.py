"""Calls to copy: curl, Python and Node, signed in both ways. They work as they stand, with the secret in WEBHOOK_SECRET."""

from __future__ import annotations

from dataclasses import dataclass

from memory.turns.signatures import Form

ADDRESS = "http://127.0.0.1:8420/webhook"  # stands in the texts for the address of a bot's webhook

_CURL_BODY = r"""
body='{"chat_id":"42","message":"I like tea","response":"Noted. <memory>Likes tea</memory>"}'
signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r | cut -d' ' -f1)
curl -sS http://127.0.0.1:8420/webhook -H "Content-Type: application/json" \
  -H "X-Webhook-Signature: sha256=$signature" --data-binary "$body"
"""
_CURL_STANDARD = r"""
body='{"chat_id":"42","message":"I like tea","response":"Noted. <memory>Likes tea</memory>"}'
id="msg_$(openssl rand -hex 12)"
now=$(date +%s)
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
signature=$(printf %s "$id.$now.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
curl -sS http://127.0.0.1:8420/webhook -H "Content-Type: application/json" \
  -H "webhook-id: $id" -H "webhook-timestamp: $now" -H "webhook-signature: v1,$signature" --data-binary "$body"
"""
_PYTHON_BODY = """
import hashlib, hmac, json, os, urllib.request

turn = {"chat_id": "42", "message": "I like tea", "response": "Noted. <memory>Likes tea</memory>"}
body = json.dumps(turn).encode()
signature = hmac.new(os.environ["WEBHOOK_SECRET"].encode(), body, hashlib.sha256).hexdigest()
headers = {"Content-Type": "application/json", "X-Webhook-Signature": f"sha256={signature}"}
request = urllib.request.Request("http://127.0.0.1:8420/webhook", body, headers)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())
"""
_PYTHON_STANDARD = """
import base64, hashlib, hmac, json, os, time, urllib.request, uuid

turn = {"chat_id": "42", "message": "I like tea", "response": "Noted. <memory>Likes tea</memory>"}
body = json.dumps(turn).encode()
name, now = f"msg_{uuid.uuid4().hex}", str(int(time.time()))
key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
signature = base64.b64encode(hmac.new(key, f"{name}.{now}.".encode() + body, hashlib.sha256).digest()).decode()
headers = {
    "Content-Type": "application/json",
    "webhook-id": name,
    "webhook-timestamp": now,
    "webhook-signature": f"v1,{signature}",
}
request = urllib.request.Request("http://127.0.0.1:8420/webhook", body, headers)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())
"""
_NODE_BODY = """
const { createHmac } = require("node:crypto");

const body = JSON.stringify({ chat_id: "42", message: "I like tea", response: "Noted. <memory>Likes tea</memory>" });
const signature = createHmac("sha256", process.env.WEBHOOK_SECRET).update(body).digest("hex");
const headers = { "Content-Type": "application/json", "X-Webhook-Signature": `sha256=${signature}` };
fetch("http://127.0.0.1:8420/webhook", { method: "POST", headers, body })
  .then((answer) => answer.text())
  .then(console.log);
"""
_NODE_STANDARD = """
const { createHmac, randomUUID } = require("node:crypto");

const body = JSON.stringify({ chat_id: "42", message: "I like tea", response: "Noted. <memory>Likes tea</memory>" });
const name = `msg_${randomUUID()}`;
const now = String(Math.floor(Date.now() / 1000));
const key = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");
const signature = createHmac("sha256", key).update(`${name}.${now}.${body}`).digest("base64");
const headers = {
  "Content-Type": "application/json",
  "webhook-id": name,
  "webhook-timestamp": now,
  "webhook-signature": `v1,${signature}`,
};
fetch("http://127.0.0.1:8420/webhook", { method: "POST", headers, body })
  .then((answer) => answer.text())
  .then(console.log);
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """One program that makes a call. `fence` names its language in markdown."""

    form: Form
    language: str
    fence: str
    text: str


_SAMPLES = (
    Sample(Form.BODY, "curl", "sh", _CURL_BODY),
    Sample(Form.BODY, "Python", "python", _PYTHON_BODY),
    Sample(Form.BODY, "JavaScript (Node)", "js", _NODE_BODY),
    Sample(Form.STANDARD, "curl", "sh", _CURL_STANDARD),
    Sample(Form.STANDARD, "Python", "python", _PYTHON_STANDARD),
    Sample(Form.STANDARD, "JavaScript (Node)", "js", _NODE_STANDARD),
)


def samples(address: str = ADDRESS) -> list[Sample]:
    """Every sample, posting to this address."""
    return [
        Sample(one.form, one.language, one.fence, one.text.strip("\n").replace(ADDRESS, address)) for one in _SAMPLES
    ]
