body='{"chat_id":"42","message":"I like tea","response":"Noted. <memory>Likes tea</memory>"}'
signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r | cut -d' ' -f1)
curl -sS http://127.0.0.1:8420/webhook -H "Content-Type: application/json" \
  -H "X-Webhook-Signature: sha256=$signature" --data-binary "$body"
