const { createHmac } = require("node:crypto");

const body = JSON.stringify({ chat_id: "42", message: "I like tea", response: "Noted. <memory>Likes tea</memory>" });
const signature = createHmac("sha256", process.env.WEBHOOK_SECRET).update(body).digest("hex");
const headers = { "Content-Type": "application/json", "X-Webhook-Signature": `sha256=${signature}` };
fetch("http://127.0.0.1:8420/webhook", { method: "POST", headers, body })
  .then((answer) => answer.text())
  .then(console.log);
