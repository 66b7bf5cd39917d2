curl --fail-with-body http://127.0.0.1:4010/v1/tts \
  -H 'Authorization: Bearer sandbox-key' \
  -H 'Content-Type: application/json' \
  -H 'model: s2-pro' \
  --data '{"text": "Good morning.", "reference_id": "sandbox-alba"}' \
  --output speech.mp3
