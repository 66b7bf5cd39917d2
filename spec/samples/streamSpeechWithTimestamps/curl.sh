#!/usr/bin/env bash
set -euo pipefail

# Each event is one line of JSON after "data: ".
# --no-buffer shows it as soon as it arrives.
curl --fail-with-body -sS --no-buffer \
  "$SPEECH_BASE_URL/v1/tts/stream/with-timestamp" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --header "Content-Type: application/json" \
  --header "model: s2-pro" \
  --data '{
    "text": "Every word knows its time.",
    "format": "opus"
  }'
