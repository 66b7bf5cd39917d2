#!/usr/bin/env bash
set -euo pipefail

# --get puts the filters into the query.
# Repeat a filter to give it several values.
curl --fail-with-body -sS --get "$SPEECH_BASE_URL/model" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --data page_size=5 \
  --data sort_by=task_count \
  --data language=en \
  --data language=zh
