#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS --request DELETE \
  "$SPEECH_BASE_URL/model/my-model-id" \
  --header "Authorization: Bearer $SPEECH_API_KEY"
