#!/usr/bin/env bash
set -euo pipefail

# self is the owner of the key.
curl --fail-with-body -sS "$SPEECH_BASE_URL/wallet/self/api-credit" \
  --header "Authorization: Bearer $SPEECH_API_KEY"
