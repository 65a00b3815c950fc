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
