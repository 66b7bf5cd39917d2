#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS "$SPEECH_BASE_URL/v1/asr" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --form audio=@recording.mp3 \
  --form language=en \
  --form ignore_timestamps=false
