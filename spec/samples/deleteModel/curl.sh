#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS --request DELETE \
  "$SPEECH_BASE_URL/model/sandbox-draft" \
  --header "Authorization: Bearer $SPEECH_API_KEY"
