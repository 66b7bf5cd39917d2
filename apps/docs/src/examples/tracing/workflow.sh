curl --fail-with-body --silent --show-error "$SPEECH_BASE_URL/v1/tts" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --header "Content-Type: application/json" \
  --header "model: s2-pro" \
  --header "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" \
  --data '{ "text": "Is it far?" }' \
  --output question.mp3
