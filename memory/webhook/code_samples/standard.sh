body='{"chat_id":"42","message":"I like tea","response":"Noted. <memory>Likes tea</memory>"}'
id="msg_$(openssl rand -hex 12)"
now=$(date +%s)
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
signature=$(printf %s "$id.$now.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
curl -sS http://127.0.0.1:8420/webhook -H "Content-Type: application/json" \
  -H "webhook-id: $id" -H "webhook-timestamp: $now" -H "webhook-signature: v1,$signature" --data-binary "$body"
