curl --fail-with-body --silent --show-error --no-buffer "$SPEECH_BASE_URL/v1/tts/stream/with-timestamp" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --header "Content-Type: application/json" \
  --header "model: s2-pro" \
  --data '{ "text": "Every word knows its time.", "format": "opus" }'
