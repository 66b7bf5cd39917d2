#!/usr/bin/env bash
set -euo pipefail

# Repeat a filter to give it several values.
curl --fail-with-body -sS \
  "$SPEECH_BASE_URL/model?page_number=1&page_size=5&sort_by=task_count&language=en&language=zh" \
  --header "Authorization: Bearer $SPEECH_API_KEY"
