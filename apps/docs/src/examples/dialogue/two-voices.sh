curl --fail-with-body --silent --show-error "$SPEECH_BASE_URL/v1/tts" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --header "Content-Type: application/json" \
  --header "model: s2-pro" \
  --data '{
    "text": "<|speaker:0|>Is it far? <|speaker:1|>Ten minutes on foot.",
    "reference_id": ["sandbox-alba", "sandbox-blake"]
  }' \
  --output dialogue.mp3
