#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS --request PATCH \
  "$SPEECH_BASE_URL/model/sandbox-draft" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --header "Content-Type: application/json" \
  --data '{
    "title": "My voice, second try",
    "tags": ["calm", "narration"]
  }'
