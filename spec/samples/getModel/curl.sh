#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS "$SPEECH_BASE_URL/model/sandbox-alba" \
  --header "Authorization: Bearer $SPEECH_API_KEY"
