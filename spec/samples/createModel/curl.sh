#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS "$SPEECH_BASE_URL/model" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --form type=tts \
  --form title="My voice" \
  --form train_mode=fast \
  --form visibility=private \
  --form voices=@sample.wav \
  --form texts="What is said in the sample."
