curl --fail-with-body --silent --show-error --get "$SPEECH_BASE_URL/model" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --data language=en --data sort_by=task_count --data page_size=5
