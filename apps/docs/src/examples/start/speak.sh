curl --fail-with-body --silent --show-error "$SPEECH_BASE_URL/v1/tts" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --header "Content-Type: application/json" \
  --header "model: s2-pro" \
  --data '{ "text": "Good morning.", "reference_id": "sandbox-alba" }' \
  --output good-morning.mp3
