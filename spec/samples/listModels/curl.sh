#!/usr/bin/env bash
set -euo pipefail

# --get puts the filters into the query; a repeatable one is given once for each value.
curl --fail-with-body --silent --show-error --get "$SPEECH_BASE_URL/model" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --data page_size=5 \
  --data sort_by=task_count \
  --data language=en \
  --data language=zh
