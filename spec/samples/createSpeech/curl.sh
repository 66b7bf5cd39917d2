#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS "$SPEECH_BASE_URL/v1/tts" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --header "Content-Type: application/json" \
  --header "model: s2-pro" \
  --data '{
    "text": "Fresh bread and two cups of tea.",
    "format": "mp3"
  }' \
  --output speech.mp3
