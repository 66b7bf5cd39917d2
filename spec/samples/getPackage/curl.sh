#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS "$SPEECH_BASE_URL/wallet/self/package" \
  --header "Authorization: Bearer $SPEECH_API_KEY"
