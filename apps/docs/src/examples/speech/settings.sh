curl --fail-with-body --silent --show-error "$SPEECH_BASE_URL/v1/tts" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --header "Content-Type: application/json" \
  --header "model: s2-pro" \
  --data '{
    "text": "Three cups cost $4.50, please.",
    "reference_id": "sandbox-blake",
    "format": "wav",
    "sample_rate": 24000,
    "prosody": { "speed": 1.1, "volume": -3 }
  }' \
  --output cups.wav
